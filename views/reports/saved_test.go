package reports_test

import (
	"strings"
	"testing"

	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/reports"

	"github.com/stretchr/testify/require"
)

func TestSavedFilters_SaveRenameDelete(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "movements?days=30&state=damaged", reports.Register)
	d.Key("ctrl+o").Sees("Save as: last 30 days · damaged").Type("Night").Key("enter").Sees("Saved as Night", "saved: Night")
	d.Key("f4").Sees("last 7 days").Lacks("saved:")
	d.Key("ctrl+o").Sees("Which filter?", "Night   last 30 days · damaged").Key("enter").Sees("last 30 days · damaged", "saved: Night")
	d = s.Terminal(s.Service, "movements", reports.Register)
	d.Sees("last 30 days · damaged", "saved: Night") // the last one used
	d.Key("ctrl+o").Type("rename").Key("enter", "enter").Sees("New name for Night").Type(" shift").Key("enter").Sees("Saved as Night shift")
	d.Key("ctrl+s", "enter").Sees("saved: Night shift")
	d.Key("ctrl+o").Type("delete").Key("enter", "enter").Sees("Delete the saved filter Night shift?").Key("enter").Lacks("saved:")
	s.Terminal(s.Service, "movements", reports.Register).Sees("Movements (4) › today · WH-1") // it has no name anymore
	s.Terminal(s.Service, "snapshot", reports.Register).Sees("Snapshot (2) › now · WH-1 · in stock")
	require.NoError(t, s.Settings.Save("filters", []byte("{broken")))
	s.Terminal(s.Service, "movements?days=7", reports.Register).Sees("last 7 days").Key("ctrl+o").Sees("Cannot read the saved filters")
}

// Eve sees the filters of older versions and those that Ada shares, and changes none of Ada's.
func TestSavedFilters_BelongToTheirOperator(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	require.NoError(t, s.Settings.Save("filters", []byte(`{"movements":{"last":"days=30&state=damaged","named":[{"name":"Night","query":"days=30&state=damaged","color":"red"}]}}`)))
	open := func(operator string) *tuitest.Driver {
		site, r := s.Site(s.Service), tui.NewRegistry()
		site.SetOperator(operator)
		reports.Register(r, site)
		return tuitest.New(t, shell.Options{Registry: r, Start: []string{"movements"}})
	}
	filters := func() string {
		data, err := s.Settings.Load("filters")
		require.NoError(t, err)
		return strings.Join(strings.Fields(string(data)), "")
	}
	d := open("Ada").Sees("last 30 days · damaged", "saved: Night")
	d.Key("f4").Key("ctrl+o").Sees("Night (everyone's)   last 30 days").Type("save").Key("enter").Type("Week").Key("enter").Sees("saved: Week")
	d.Key("ctrl+o").Sees("Week   last 7 days").Lacks("Week (shared)").Key("enter")
	open("Ada").Sees("saved: Week")
	d = open("Eve").Sees("saved: Night").Lacks("Week")
	d.Key("ctrl+o").Sees("Night (everyone's)").Lacks("Week", "share one").Key("esc")

	d = open("Ada").Key("ctrl+o").Type("share").Key("enter").Sees("Share which filter", "Week").Lacks("Night").Key("enter").Sees("Everyone sees Week now")
	d.Key("ctrl+o").Sees("Week (shared)").Key("esc")
	e := open("Eve").Key("ctrl+o").Sees("Week (Ada's)").Type("Week").Key("enter").Sees("saved: Week")
	e.Key("ctrl+o").Type("delete").Key("enter").Sees("Delete which filter?", "Night").Lacks("Week (").Key("esc")
	e.Key("ctrl+o").Type("save").Key("enter").Key("enter").Sees("Saved as Week")
	e.Key("ctrl+o").Sees("Week   last 7 days", "Week (Ada's)").Key("esc")
	require.Contains(t, filters(), `{"name":"Week","query":"days=7","operator":"Ada","shared":true},{"name":"Week","query":"days=7","operator":"Eve"}`)

	d.Key("ctrl+o").Type("share").Key("enter", "enter").Sees("Only you see Week now")
	open("Eve").Key("ctrl+o").Lacks("Ada's")
	require.Contains(t, filters(), `"color":"red"`)
}
