package views_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/i18n"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// receivePanel opens an inbound of 24 coffee beans.
func receivePanel(t *testing.T, code string) (*viewtest.Warehouse, api.Inbound, *tuitest.Driver) {
	h, reg, _ := inLanguage(t, code)
	in := h.Inbound("PO-2", h.Coffee, 24, time.Hour)
	return h, in, h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", "receive/" + in.ID.String()} })
}

func TestErrors_InGerman(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before func(h *viewtest.Warehouse, in api.Inbound)
		do     func(d *tuitest.Driver)
		sees   []string
	}{
		"more than pending": {
			before: func(h *viewtest.Warehouse, in api.Inbound) {
				h.Proxy.Before(api.ReceiveInbound.Spec, func() {
					ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 20})
				})
			},
			do:   func(d *tuitest.Driver) { d.Type("24").Key("enter", "enter") },
			sees: []string{"Offen: 4, gezählt: 24."},
		},
		"unknown code": {do: func(d *tuitest.Driver) { d.Scan("4012345678901") }, sees: []string{"4012345678901 ist unbekannt", "Nichts gezählt"}},
		"invalid code": {do: func(d *tuitest.Driver) { d.Scan("]C117270230") }, sees: []string{`(17) "270230" ist kein Datum: Februar 2027 hat 28 Tage.`}},
		"no connection": {
			before: func(h *viewtest.Warehouse, _ api.Inbound) { h.Proxy.Down() },
			do:     func(d *tuitest.Driver) { d.Type("24").Key("enter", "enter") },
			sees:   []string{"Server nicht erreichbar. Nichts gebucht"},
		},
		"rejected by the service": {
			before: func(h *viewtest.Warehouse, in api.Inbound) {
				h.Proxy.Fail(api.ReceiveInbound.Spec, api.Fail(api.LotMismatch, nil, "Lot %s is recorded %v, not with %s. Check the label, or omit the batch to use the recorded one.",
					"L1", api.Textf("with batch %s", "B1"), "B2"), nil)
			},
			do:   func(d *tuitest.Driver) { d.Type("24").Key("enter", "enter") },
			sees: []string{"Charge L1 ist mit Los B1 erfasst, nicht mit B2."},
		},
		"not loaded": {
			before: func(h *viewtest.Warehouse, _ api.Inbound) {
				h.Proxy.Fail(api.ListInbounds.Spec, api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "%v%v",
					api.Textf("The service at %s cannot be reached. Check the network and that the service is running.", "127.0.0.1"), ""), nil)
			},
			do:   func(d *tuitest.Driver) { d.Key("esc", "1") },
			sees: []string{"Der Server 127.0.0.1 ist nicht erreichbar. Netz prüfen"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, code := range []string{"de", i18n.Pseudo} {
				h, in, d := receivePanel(t, code)
				if c.before != nil {
					c.before(h, in)
				}
				c.do(d)
				require.NoError(t, d.Model.Err())
				if code == "de" {
					d.Sees(c.sees...)
				} else {
					require.Empty(t, englishWords(d.View()), d.View())
				}
			}
		})
	}
}
