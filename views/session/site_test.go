package session_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/tuitest"
	"bincard/views/session"
	"bincard/views/viewtest"
)

func TestSite_LearnsUnsupportedOperations(t *testing.T) {
	t.Parallel()
	full, bare := viewtest.NewWarehouse(t).Site, viewtest.NewMinimalWarehouse(t).Site
	for site, has := range map[*session.Site]bool{full: true, bare: false} {
		_, err := site.Lookup(context.Background(), "OAT-1L")
		require.Equal(t, !has, session.IsUnsupported(err))
		require.Equal(t, has, site.Supports(api.LookUp.Spec))
		require.Equal(t, has, site.Supports(api.CloseInbound.Spec))
		require.True(t, site.Supports(api.ReceiveInbound.Spec))
	}
}

// notFoundService answers CloseInbound with a bare "not found" unless the inbound is in found.
type notFoundService struct {
	api.Service
	found map[api.ID]bool
}

func (s notFoundService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if in, ok := req.Input.(*api.CloseInboundInput); ok && !s.found[in.InboundID] {
		return nil, api.Fail(api.NotFound, nil, "Not found.")
	}
	return s.Service.Do(ctx, req)
}

func TestSite_NeedsTwoMissingDocuments(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	one, two := h.Inbound("PO-1", h.Oat, 24, time.Hour), h.Inbound("PO-2", h.Oat, 24, time.Hour)
	found := map[api.ID]bool{}
	site := session.NewSite(session.Options{Service: notFoundService{h.Service, found}})
	closeInbound := func(id api.ID) error {
		_, err := session.Call(context.Background(), site, api.CloseInbound, api.CloseInboundInput{
			InboundID: id,
			Reason:    "short",
		})
		return err
	}
	for range 2 {
		err := closeInbound(one.ID)
		require.True(t, session.IsUnsupported(err))
		require.ErrorContains(t, err, "or no longer has this document")
		require.True(t, site.Supports(api.CloseInbound.Spec))
	}
	require.True(t, session.IsUnsupported(closeInbound(two.ID)))
	require.False(t, site.Supports(api.CloseInbound.Spec))

	site = session.NewSite(session.Options{Service: notFoundService{h.Service, found}})
	found[one.ID] = true
	require.NoError(t, closeInbound(one.ID))
	for range 2 {
		require.True(t, api.HasCode(closeInbound(two.ID), api.NotFound))
		require.True(t, api.HasCode(closeInbound(api.ID{9}), api.NotFound))
	}
	require.True(t, site.Supports(api.CloseInbound.Spec))
}

func TestSite_OtherErrorsAreNotUnsupported(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	_, err := h.Site.FindInbounds(context.Background(), api.ID{1}.String())
	require.ErrorContains(t, err, "There is no delivery")
	require.True(t, h.Site.Supports(api.GetInbound.Spec))
	h.Proxy.Down()
	_, err = h.Site.Lookup(context.Background(), "OAT-1L")
	require.True(t, api.HasCode(err, api.Unavailable))
	require.True(t, h.Site.Supports(api.LookUp.Spec))
	h.Proxy.Up()
	found, err := h.Site.Lookup(context.Background(), "OAT-1L")
	require.NoError(t, err)
	require.Len(t, found, 1)
}

func TestSiteLocations_MinimalService(t *testing.T) {
	t.Parallel()
	h := viewtest.NewMinimalWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 5)
	h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 5)
	locations, err := h.Site.Locations(context.Background())
	require.NoError(t, err)
	require.Equal(t, []string{"WH-1 Main warehouse", "WH-2 Depot"},
		[]string{locations[0].String(), locations[1].String()})
}

func TestCountRoute_NamesItsProducts(t *testing.T) {
	t.Parallel()
	require.Equal(t, "count/WH-1?skus=A,B,C", session.CountRoute("WH-1", "A", "B", "C"))
	reg := tui.NewRegistry().Add("count/{location}", "", nil)
	for _, skus := range [][]string{nil, {"A, 1"}, {"A,1", "B+2", "50% C", "D&E=F", "G/H?"}} {
		_, route, err := reg.Find(session.CountRoute("WH 1", skus...))
		require.NoError(t, err)
		got, listed := session.CountSKUs(route.Query)
		require.Equal(t, skus, got)
		require.Equal(t, skus != nil, listed)
		require.Equal(t, "WH 1", route.Param("location"))
	}
	_, route, err := reg.Find("count/WH-1?skus=A,,B,A")
	require.NoError(t, err)
	got, _ := session.CountSKUs(route.Query)
	require.Equal(t, []string{"A", "B"}, got)
}

// An alarmService is an edge with alarms.
type alarmService struct{ alarms []api.SyncAlarm }

func (s *alarmService) Do(context.Context, *api.Request) (*api.Response, error) {
	return &api.Response{Output: &api.Sync{State: api.SyncOnline, Alarms: s.alarms}}, nil
}

// A terminal whose own clock is right warns of the clock of its edge until that is set.
func TestClockWords_OfTheEdge(t *testing.T) {
	t.Parallel()
	edge, offset := &alarmService{alarms: []api.SyncAlarm{api.AlarmClock}}, time.Duration(0)
	site := session.NewSite(session.Options{Service: edge, ClockOffset: func() time.Duration { return offset }})
	requireWords := func(long, short string) {
		t.Helper()
		_, err := site.FetchSyncStatus(t.Context())
		require.NoError(t, err)
		require.Equal(t, long, site.ClockWords(false))
		require.Equal(t, short, site.ClockWords(true))
	}

	requireWords("The edge's clock differs from the service's.", "The edge's clock is wrong.")
	offset = -3 * time.Hour
	requireWords("This machine's clock is 3 h fast. Times shown are the service's.",
		"Clock 3 h fast. Service time shown.")

	edge.alarms, offset = nil, 0
	requireWords("", "")
}

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
	ledgertest.Do(h.World, api.ReceiveStock, api.ReceiveStockInput{
		StockKey: api.StockKey{ProductID: h.Oat.ID, LocationID: h.Site.Location().ID},
		Quantity: &five,
		NewLot:   api.NewLot{LotCode: "L431-B"},
		Reason:   "test",
	})
	unnamed := h.Inbound("", h.Oat, 5, time.Hour)
	for text, want := range map[string][]string{
		"oat mi": {"OAT-1L"}, "OAT-1": {"OAT-1L"}, "wh-2": {"WH-2"}, "po-2026": {"PO-2026-431"},
		"2026-43": {"PO-2026-431"}, "nothing": nil,
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
	require.Equal(t, "delivery, expected", found[1].Detail)
	h.Proxy.Down()
	_, err = h.Site.Find(ctx, "oat")
	require.Error(t, err)
}

func TestFind_BestMatchFirst(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	for _, p := range []struct{ sku, name string }{
		{"XCOF", "A mug for coffee"},
		{"COF", "Beans"},
		{"COF-9", "Beans, large"},
	} {
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

// A meetingService answers a report once several are asked for at the same time.
type meetingService struct {
	api.Service
	missing atomic.Int64
	all     chan struct{}
}

func (s *meetingService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec == api.ReportMovements.Spec {
		if s.missing.Add(-1) == 0 {
			close(s.all)
		}
		select {
		case <-s.all:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return s.Service.Do(ctx, req)
}

// One after the other, the reads would take longer on a slow line than a screen waits.
func TestCorrections_AreReadAtOnce(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	svc := &meetingService{Service: h.Service, all: make(chan struct{})}
	svc.missing.Store(5)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := h.SiteOf(svc).Corrections(ctx, tui.MayAdjust, h.Main.ID, h.Coffee.ID, tuitest.Noon)
	require.NoError(t, err)
}
