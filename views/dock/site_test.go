package dock_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/views/dock"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

func TestUserMessage(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"Only 1,284 are pending, but 2,000 were counted. Enter at most 1,284.": api.Fail(
			api.QuantityExceedsPending, api.Details{"pending": int64(1284), "requested": int64(2000)}, "no"),
		"Only 3 are quality control here, but you need 5. Enter at most 3, or find the rest.": api.Fail(
			api.InsufficientStock, api.Details{"current": int64(3), "requested": int64(5), "inventoryState": api.QualityControl}, "no"),
		"What the service says stands.":      api.Fail(api.QuantityExceedsPending, nil, "What the service says stands."),
		"A code of tomorrow.":                api.Fail("TOMORROW", nil, "A code of tomorrow."),
		"The service rejected it (X).":       api.Fail("X", nil, ""),
		"The service did not answer. Retry.": context.DeadlineExceeded,
		"anything else":                      errors.New("anything else"),
		"red alert":                          api.Fail("X", nil, "red\x1b[31m\x07 alert"),
	} {
		require.Equal(t, want, dock.UserMessage(nil, err))
	}
}

func TestOutcomeUnknown(t *testing.T) {
	t.Parallel()
	for _, err := range []error{context.DeadlineExceeded, errors.New("EOF"), api.Fail(api.Unavailable, nil, ""), api.Fail(api.InternalError, nil, ""),
		api.Fail("CONFLICT", api.Details{"outcome": "unknown"}, "")} {
		require.True(t, dock.OutcomeUnknown(err), "%v", err)
	}
	for _, err := range []error{api.Fail(api.InboundNotOpen, nil, ""), api.Fail(api.ValidationError, nil, ""), &dock.UnsupportedError{Spec: api.LookUp.Spec}} {
		require.False(t, dock.OutcomeUnknown(err), "%v", err)
	}
}

func TestSite_LearnsUnsupportedOperations(t *testing.T) {
	t.Parallel()
	full, bare := viewtest.NewWarehouse(t).Site, viewtest.NewMinimalWarehouse(t).Site
	for site, has := range map[*dock.Site]bool{full: true, bare: false} {
		_, err := site.Lookup(context.Background(), "OAT-1L")
		require.Equal(t, !has, dock.IsUnsupported(err))
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
	site := dock.NewSite(dock.Options{Service: notFoundService{h.Service, found}})
	closeInbound := func(id api.ID) error {
		_, err := dock.Call(context.Background(), site, api.CloseInbound, api.CloseInboundInput{InboundID: id, Reason: "short"})
		return err
	}
	for range 2 {
		err := closeInbound(one.ID)
		require.True(t, dock.IsUnsupported(err))
		require.ErrorContains(t, err, "or no longer has this document")
		require.True(t, site.Supports(api.CloseInbound.Spec))
	}
	require.True(t, dock.IsUnsupported(closeInbound(two.ID)))
	require.False(t, site.Supports(api.CloseInbound.Spec))

	site = dock.NewSite(dock.Options{Service: notFoundService{h.Service, found}})
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
