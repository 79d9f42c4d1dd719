package products_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/products"
	"bincard/views/session"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// newSite returns a site with an export folder and settings.
func newSite(h *viewtest.Warehouse, dir string, store session.SettingsStore) *session.Site {
	return session.NewSite(session.Options{Service: h.Proxy, Operator: "Ada", Location: h.Site.Location(), Exports: dir, Settings: store,
		Now: func() time.Time { return tuitest.Noon }})
}

func openScreen(t *testing.T, h *viewtest.Warehouse, site *session.Site) *tuitest.Driver {
	t.Helper()
	reg := tui.NewRegistry()
	products.Register(reg, site)
	return h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{products.UnknownCodesRoute} })
}

func TestUnknownCodes_InAllSizes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	dir := filepath.Join(t.TempDir(), "files")
	site := newSite(h, dir, nil)
	openScreen(t, h, site).Goldens("none")
	site.AddUnknownCode("4012345678901", "Receive › PO-1", tuitest.Noon.Add(-time.Hour))
	site.AddUnknownCode("=HYPER-1", "", tuitest.Noon.Add(-2*time.Minute))
	site.AddUnknownCode("4012345678901", "Ship › TR-311", tuitest.Noon.Add(-time.Minute))
	d := openScreen(t, h, site)
	d.Goldens("codes")
	d.Key("ctrl+y").Sees("Copied")
	d.Key("f10").Sees("unknown-codes-")
	files, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Equal(t, "code,times,job,location,first,last\n4012345678901,2,Ship › TR-311,WH-1,2026-11-20T11:00:00Z,2026-11-20T11:59:00Z\n"+
		"'=HYPER-1,1,,WH-1,2026-11-20T11:58:00Z,2026-11-20T11:58:00Z\n", string(text))
	d.Key("f8").Lacks("4012345678901").Sees("=HYPER-1").Key("f8").Sees("There are no unknown codes")
}

func TestUnknownCodes_SurviveSession(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	store := session.NewMemorySettings()
	site := newSite(h, "", store)
	site.AddUnknownCode("OLD-1", "", tuitest.Noon.Add(-13*time.Hour))
	site.AddUnknownCode("NEW-1", "", tuitest.Noon)
	again := newSite(h, "", store).UnknownCodes()
	require.Len(t, again, 1)
	require.Equal(t, "NEW-1", again[0].Code)
	openScreen(t, h, newSite(h, "", store)).Sees("NEW-1").Lacks("F10", "OLD-1")
}
