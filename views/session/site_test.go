package session_test

import (
	"context"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/views/session"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
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

func TestSite_MissingDocumentIsNotUnsupported(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	_, err := h.Site.FindInbounds(context.Background(), api.ID{1}.String())
	require.ErrorContains(t, err, "There is no inbound")
	require.True(t, h.Site.Supports(api.GetInbound.Spec))
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
		_, err := session.Call(context.Background(), site, api.CloseInbound, api.CloseInboundInput{InboundID: id, Reason: "short"})
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

func TestSite_UnreachableServiceStaysSupported(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Proxy.Down()
	_, err := h.Site.Lookup(context.Background(), "OAT-1L")
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
	require.Equal(t, []string{"WH-1 Main warehouse", "WH-2 Depot"}, []string{locations[0].String(), locations[1].String()})
}
