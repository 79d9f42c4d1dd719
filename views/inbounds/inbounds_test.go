package inbounds_test

import (
	"testing"

	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/inbounds"
	"bincard/views/viewtest"
)

func registry(h *viewtest.Warehouse) *tui.Registry {
	return tui.NewRegistry().
		Add("receive", "Receive", inbounds.List(h.Site)).
		Add("receive/new", "Announce a delivery", inbounds.New(h.Site)).
		Add("receive/{id}", "Inbound", inbounds.Detail(h.Site))
}

// openAt starts a terminal on the inbound of a reference.
func openAt(t *testing.T, h *viewtest.Warehouse, reference string, change ...func(*shell.Options)) *tuitest.Driver {
	t.Helper()
	change = append(change, func(o *shell.Options) { o.Start = []string{"receive", tui.Path("receive", reference)} })
	return h.Terminal(t, registry(h), change...)
}
