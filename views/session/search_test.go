package session_test

import (
	"context"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

func codes(found []tui.Found) (out []string) {
	for _, f := range found {
		out = append(out, f.Code)
	}
	return out
}

func TestFind_PartOfANameOrNumber(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	ctx := context.Background()
	h.Inbound("PO-2026-431", h.Oat, 240, time.Hour)
	five := int64(5)
	ledgertest.Do(h.World, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: h.Oat.ID, LocationID: h.Site.Location().ID}, Quantity: &five,
		NewLot: api.NewLot{LotCode: "L431-B"}, Reason: "test"})
	unnamed := h.Inbound("", h.Oat, 5, time.Hour)
	for text, want := range map[string][]string{
		"oat mi": {"OAT-1L"}, "OAT-1": {"OAT-1L"}, "wh-2": {"WH-2"}, "po-2026": {"PO-2026-431"}, "2026-43": {"PO-2026-431"}, "nothing": nil,
		"l431":              {"L431-B"},
		unnamed.ID.String(): {unnamed.ID.String()},
	} {
		found, err := h.Site.Find(ctx, text)
		require.NoError(t, err)
		require.Equal(t, want, codes(found), text)
	}
	found, err := h.Site.Find(ctx, "431")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"PO-2026-431", "L431-B"}, codes(found))
	require.Equal(t, "inbound, expected", found[1].Detail)
	h.Proxy.Down()
	_, err = h.Site.Find(ctx, "oat")
	require.Error(t, err)
}

func TestFind_BestMatchFirst(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	for _, p := range []struct{ sku, name string }{{"XCOF", "A mug for coffee"}, {"COF", "Beans"}, {"COF-9", "Beans, large"}} {
		ledgertest.Do(h.World, api.CreateProduct, api.CreateProductInput{SKU: p.sku, Name: p.name})
	}
	found, err := h.Site.Find(context.Background(), "cof")
	require.NoError(t, err)
	require.Equal(t, "COF", found[0].Code)
	require.Equal(t, "XCOF", found[len(found)-1].Code)
}

func TestFind_ServiceWithoutFilters(t *testing.T) {
	t.Parallel()
	h := viewtest.NewMinimalWarehouse(t)
	h.Inbound("PO-1", h.Oat, 24, time.Hour)
	h.Inbound("PO-2", h.Oat, 24, time.Hour)
	found, err := h.Site.Find(context.Background(), "po-2")
	require.NoError(t, err)
	require.Equal(t, []string{"PO-2"}, codes(found))
}
