package inbounds_test

import (
	"testing"
	"time"

	"bincard/tui"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
	"bincard/views/inbounds"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

func registry(h *viewtest.House) *tui.Registry {
	return tui.NewRegistry().
		Add("receive", "Receive", inbounds.List(h.Site)).
		Add("receive/new", "Announce a delivery", inbounds.New(h.Site)).
		Add("receive/{id}", "Inbound", inbounds.One(h.Site))
}

// at starts a terminal on the inbound of a reference.
func at(t *testing.T, h *viewtest.House, reference string, change ...func(*tui.Options)) *tuitest.Driver {
	t.Helper()
	change = append(change, func(o *tui.Options) { o.Start = []string{"receive", tui.Path("receive", reference)} })
	return h.Terminal(t, registry(h), change...)
}

// counted requires that n pieces are counted and not booked.
func counted(t *testing.T, d *tuitest.Driver, n int64) {
	t.Helper()
	require.Regexp(t, `This time +`+widget.Count(n)+` `, d.View())
}

// refuses requires an error in place that holds the texts, with two bells, and
// acknowledges it.
func refuses(t *testing.T, d *tuitest.Driver, texts ...string) {
	t.Helper()
	for _, text := range texts {
		require.Contains(t, d.Model.Fault(), text)
	}
	require.GreaterOrEqual(t, d.Advance(time.Second).Bells(), 2)
	d.Key("enter")
	require.Empty(t, d.Model.Fault())
}
