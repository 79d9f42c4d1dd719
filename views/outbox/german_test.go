package outbox_test

import (
	"testing"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/inbounds"
	"bincard/views/outbox"
	"bincard/views/session"
	"bincard/views/submit"

	"github.com/stretchr/testify/require"
)

func german(t *testing.T) *i18n.Translator {
	t.Helper()
	languages, problems := i18n.Load("")
	require.Empty(t, problems)
	l, ok := languages.Find("de")
	require.True(t, ok)
	return i18n.New(l)
}

func TestWorkAtRisk_InGerman(t *testing.T) {
	t.Parallel()
	f := newSyncFixture(t)
	f.node.Disconnect()
	key := api.NewKey()
	_, err := api.WriteOffStock.Call(t.Context(), f.node, api.WriteOffStockInput{StockKey: api.StockKey{ProductID: f.Soy.ID, LocationID: f.Main.ID}, Quantity: new(int64(500)), Reason: "Bruch"},
		api.Key(key), api.By("Ada"), api.AcceptRisk())
	require.True(t, api.HasCode(err, api.AtRisk), err)
	tr := german(t)
	require.Equal(t, "Unter Vorbehalt gespeichert: Der Server kann es ablehnen. SOY-1L in WH-1: 96 verfügbar, 500 angefordert. Höchstens 96 anfordern oder erst mehr Bestand einbuchen.",
		submit.UserMessage(tr, err))
	f.Clock.Set(tuitest.Noon)

	site := session.NewSite(session.Options{Service: f.node, Translator: tr, Operator: "Ada", Settings: f.Settings, Now: f.Clock.Now,
		Location: session.Location{ID: f.Main.ID, Code: f.Main.Code, Name: f.Main.Name}})
	r := tui.NewRegistry()
	outbox.Register(r, site)
	inbounds.Register(r, site)
	d := tuitest.New(t, shell.Options{Registry: r, Translator: tr, Start: []string{"sync"}})
	d.Sees("SOY-1L in WH-1: 96 verfügbar, 500 angefordert. Höchstens 96 anfordern oder")
	f.node.Connect()
	d.Key("f5").Sees("abgelehnt", "SOY-1L in WH-1: 96 verfügbar, 500 angefordert.", "ONLINE")
}
