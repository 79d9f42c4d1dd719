package inbounds_test

import (
	"testing"
	"time"

	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"
)

func TestInbounds_InAllThemes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 240, 2*time.Hour)
	h.Inbound("PO-2", h.Coffee, 12, -20*time.Hour)
	viewtest.Themes(t, "list", func(change func(*shell.Options)) *tuitest.Driver { return h.Terminal(t, registry(h), change) })
	viewtest.Themes(t, "inbound", func(change func(*shell.Options)) *tuitest.Driver {
		return openAt(t, h, "PO-1", change).Scan("]C101" + h.OatBox + "17270331" + "10L1").Scan(h.OatBox)
	})
	viewtest.Themes(t, "wrong", func(change func(*shell.Options)) *tuitest.Driver {
		return openAt(t, h, "PO-1", change).Scan("]C101" + h.OatBox + "10L1").Scan("SOY-1L")
	})
	viewtest.Themes(t, "doubt", func(change func(*shell.Options)) *tuitest.Driver {
		return openAt(t, h, "PO-1", change).Scan("]C101" + h.OatBox + "17260131" + "10L0")
	})
}
