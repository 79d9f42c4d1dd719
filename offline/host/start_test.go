package host_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/offline/edge"
	"bincard/offline/host"
	"bincard/server/api"
	"bincard/server/httpapi"
	"bincard/server/ledger/ledgertest"
)

// A siteService is the service of a site, with a connection that a test changes.
type siteService struct {
	world *ledgertest.World
	mug   api.ID
	main  api.ID
	// bound is the only location of the site's key, or nil.
	bound atomic.Pointer[api.Place]
	// answer replaces the service's answers unless it is nil or returns false.
	answer atomic.Pointer[func(*api.Request) (*api.Response, error, bool)]

	mu    sync.Mutex
	asked []string // the operations that arrived
}

func newSite(t *testing.T) (*siteService, host.Upstream) {
	t.Helper()
	w := ledgertest.Open(t)
	s := &siteService{world: w, mug: w.Product("MUG-W", api.TrackNone).ID, main: w.Location("WH-1").ID}
	w.Stock(s.mug, s.main, 30)
	up := upstream(t, s)
	up.Organization = w.Org.ID
	require.NoError(t, os.Chmod(up.Dir, 0o700))
	return s, up
}

// Do performs the operation as the site's key.
func (s *siteService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	s.mu.Lock()
	s.asked = append(s.asked, req.Spec.ID)
	s.mu.Unlock()
	if f := s.answer.Load(); f != nil {
		if res, err, ok := (*f)(req); ok {
			return res, err
		}
	}
	own := *req
	own.Caller = &api.Caller{Organization: s.world.Org.ID, Environment: api.Live, Scopes: api.Scopes, Actor: api.Actor{Type: api.APIKey, ID: "site", Label: "Site"}}
	if at := s.bound.Load(); at != nil {
		own.Caller.LocationID, own.Caller.LocationCode = at.ID, at.Code
	}
	return s.world.Ledger.Do(ctx, &own)
}

func (s *siteService) set(f func(*api.Request) (*api.Response, error, bool)) { s.answer.Store(&f) }

func (s *siteService) requested() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.asked
	s.asked = nil
	return list
}

// onHand returns the stock at the service.
func (s *siteService) onHand() int64 {
	list := ledgertest.Do(s.world, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: s.mug, LocationID: s.main}})
	return list.Items[0].Quantities.OnHand
}

func (s *siteService) adjust(t *testing.T, svc api.Service, delta int64) {
	t.Helper()
	res, err := api.AdjustStock.Do(t.Context(), svc, api.AdjustStockInput{StockKey: api.StockKey{ProductID: s.mug, LocationID: s.main},
		InventoryState: api.OnHand, QuantityDelta: delta, Reason: "found"})
	require.NoError(t, err)
	require.Equal(t, "node", res.CommittedBy)
}

// download attaches once, so that there is data from the service.
func (s *siteService) download(t *testing.T, up host.Upstream) {
	t.Helper()
	a := attach(t, up)
	require.NoError(t, a.Node.Close())
	s.requested()
}

func awaitState(t *testing.T, svc api.Service, state api.SyncState) {
	t.Helper()
	require.Eventually(t, func() bool { return syncState(t, svc).State == state }, 30*time.Second, 5*time.Millisecond, state)
}

// A service that never answers, not even when the request is canceled, delays neither
// the start nor an operation.
func TestAttach_StartsWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	s.download(t, up)
	silent := make(chan struct{})
	s.set(func(*api.Request) (*api.Response, error, bool) {
		<-silent
		return nil, api.Fail(api.Unavailable, nil, "No answer."), true
	})
	a := attach(t, up)
	require.Empty(t, a.Notes)
	access, err := api.GetAccess.Call(t.Context(), a.Node, api.GetAccessInput{})
	require.NoError(t, err)
	require.Equal(t, s.world.Org.Name, access.Organization.Name)
	s.adjust(t, a.Node, 5)
	require.EqualValues(t, 1, syncState(t, a.Node).Waiting)
	close(silent)
	require.NoError(t, a.Node.Close())
}

// A node starts with a key that the service rejects, or behind a page that answers for
// the service, and keeps what is done until the service accepts the key.
func TestAttach_StartsWithARejectedKey(t *testing.T) {
	t.Parallel()
	other := api.Access{Organization: api.Organization{ID: uuid.New(), Name: "Other Goods"}, Environment: api.Live, Scopes: api.Scopes}
	for name, x := range map[string]struct {
		answer func(*api.Request) (*api.Response, error, bool)
		state  api.SyncState
	}{
		"revoked": {state: api.SyncDenied, answer: func(*api.Request) (*api.Response, error, bool) {
			return nil, api.Fail(api.Unauthorized, nil, "The key was revoked."), true
		}},
		"page 404": {state: api.SyncOffline, answer: func(*api.Request) (*api.Response, error, bool) {
			return nil, api.Fail(api.NotFound, nil, "default backend"), true
		}},
		"page 405": {state: api.SyncOffline, answer: func(*api.Request) (*api.Response, error, bool) {
			return nil, api.Fail(api.MethodNotAllowed, nil, "default backend"), true
		}},
		"page 501": {state: api.SyncOffline, answer: func(*api.Request) (*api.Response, error, bool) {
			return nil, api.Fail(api.NotImplemented, nil, "default backend"), true
		}},
		"organization": {state: api.SyncDenied, answer: func(*api.Request) (*api.Response, error, bool) {
			return nil, api.WrongOrganization("x"), true
		}},
		"key of another organization": {state: api.SyncDenied, answer: func(req *api.Request) (*api.Response, error, bool) {
			return &api.Response{Output: &other}, nil, req.Spec == api.GetAccess.Spec
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, up := newSite(t)
			s.download(t, up)
			s.set(x.answer)
			a := attach(t, up)
			s.adjust(t, a.Node, 5)
			awaitState(t, a.Node, x.state)
			s.adjust(t, a.Node, 7)
			require.NotContains(t, s.requested(), api.AdjustStock.Spec.ID, "nothing is sent with a key that was not checked")
			require.EqualValues(t, 30, s.onHand())

			s.set(func(*api.Request) (*api.Response, error, bool) { return nil, nil, false })
			require.Eventually(t, func() bool { // an earlier answer may still arrive
				_, err := api.TrySync.Call(t.Context(), a.Node, api.SyncInput{})
				return err == nil && s.onHand() == 42
			}, 30*time.Second, 5*time.Millisecond)
			require.NoError(t, a.Node.Close())
		})
	}
}

// An edge whose key is rejected before it has data says so in /readyz and in its log.
func TestRunEdge_SaysWhyItHasNoData(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	s.set(func(req *api.Request) (*api.Response, error, bool) {
		return nil, api.Fail(api.Unauthorized, nil, "The key was revoked."), req.Spec != api.GetAccess.Spec
	})
	ctx, stop := context.WithCancel(t.Context())
	listening, ended := make(chan net.Addr, 1), make(chan error, 1)
	read, log := io.Pipe()
	lines := make(chan string, 1000)
	go func() {
		for logged := bufio.NewScanner(read); logged.Scan(); {
			lines <- logged.Text()
		}
		close(lines)
	}()
	go func() {
		ended <- host.RunEdge(ctx, host.EdgeConfig{Upstream: up, Log: slog.New(slog.NewTextHandler(log, nil)),
			Serve: httpapi.ServeConfig{Addr: "127.0.0.1:0", Listening: func(a net.Addr) { listening <- a }}})
		_ = log.Close()
	}()
	url := fmt.Sprintf("http://%v/readyz", <-listening)
	answer := func() string {
		res, err := http.Get(url)
		require.NoError(t, err)
		defer func() { _ = res.Body.Close() }()
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return string(body)
	}
	require.Contains(t, answer(), "no data from the service yet: The key was revoked.")

	s.set(func(*api.Request) (*api.Response, error, bool) { return nil, nil, false })
	line := ""
	for line = range lines {
		if strings.Contains(line, "state=online") {
			break
		}
	}
	require.Contains(t, line, "the connection to the service has changed")
	stop()
	require.NoError(t, <-ended)
}

// A key that replaces a rejected one is used at once, and only after the service has
// confirmed that it is one of the same organization.
func TestAttach_UsesAReplacedKey(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	s.download(t, up)
	changed := make(chan func(), 1)
	up.WatchKey = func(ctx context.Context, fn func()) { changed <- fn; <-ctx.Done() }
	s.set(func(*api.Request) (*api.Response, error, bool) {
		return nil, api.Fail(api.Unauthorized, nil, "The key was revoked."), true
	})
	a := attach(t, up)
	s.adjust(t, a.Node, 5)
	awaitState(t, a.Node, api.SyncDenied)
	other := api.Access{Organization: api.Organization{ID: uuid.New(), Name: "Other Goods"}, Environment: api.Live, Scopes: api.Scopes}
	s.set(func(req *api.Request) (*api.Response, error, bool) {
		return &api.Response{Output: &other}, nil, req.Spec == api.GetAccess.Spec
	})
	replaced := <-changed
	s.requested()
	replaced()
	require.Eventually(t, func() bool { return syncState(t, a.Node).Why != nil && len(s.requested()) > 0 }, 30*time.Second, 5*time.Millisecond)
	require.EqualValues(t, 30, s.onHand())
	s.set(func(*api.Request) (*api.Response, error, bool) { return nil, nil, false })
	replaced()
	require.Eventually(t, func() bool { return s.onHand() == 35 }, 30*time.Second, 5*time.Millisecond)
	require.NoError(t, a.Node.Close())
}

// A first start has nothing to start with: a key that is rejected, or not one of the
// organization, is an error, also at a service with the documented operations only.
func TestAttach_FirstStartRejectsTheKey(t *testing.T) {
	t.Parallel()
	revoked := api.Fail(api.Unauthorized, nil, "The key was revoked.")
	for name, answer := range map[string]func(*api.Request) (*api.Response, error, bool){
		"revoked": func(*api.Request) (*api.Response, error, bool) { return nil, revoked, true },
		"another organization": func(*api.Request) (*api.Response, error, bool) {
			return nil, api.WrongOrganization("x"), true
		},
		"another organization, documented operations": func(req *api.Request) (*api.Response, error, bool) {
			if req.Spec == api.ListInbounds.Spec {
				return nil, api.WrongOrganization("x"), true
			}
			return nil, api.Fail(api.NotFound, nil, "There is no such page."), true
		},
		"another environment, documented operations": func(req *api.Request) (*api.Response, error, bool) {
			if req.Spec == api.ListInbounds.Spec {
				items := []api.Inbound{{Environment: api.Test}}
				return &api.Response{Output: &api.List[api.Inbound]{Items: items}}, nil, true
			}
			return nil, api.Fail(api.NotFound, nil, "There is no such page."), true
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, up := newSite(t)
			s.set(answer)
			_, err := host.Attach(t.Context(), up)
			require.True(t, api.HasCode(err, api.Unauthorized), "%v", err)
			require.ErrorContains(t, err, "use the matching key")
			require.NoFileExists(t, up.Dir+"/work.journal")
		})
	}
}

// A service that saves offline work itself needs no node.
func TestAttach_AtAnEdge(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	able := api.Capabilities{Operations: []string{api.ListWork.Spec.ID}}
	s.set(func(req *api.Request) (*api.Response, error, bool) {
		return &api.Response{Output: &able}, nil, req.Spec == api.GetCapabilities.Spec
	})

	a := attach(t, up)
	require.Nil(t, a.Node)
	require.Len(t, a.Notes, 1)
	require.Contains(t, a.Notes[0], "This service is an edge")
	require.NoFileExists(t, up.Dir+"/work.journal")
}

// The rules of the organization reach a node that started from disk.
func TestAttach_ReadsChangedRules(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	s.download(t, up)
	changed := api.Access{Organization: s.world.Org, Environment: api.Live, Scopes: api.Scopes, Rules: api.Rules{OverReceiptPercent: 20, CountLimitPieces: new(int64(0))}}
	s.set(func(req *api.Request) (*api.Response, error, bool) {
		return &api.Response{Output: &changed}, nil, req.Spec == api.GetAccess.Spec
	})
	a := attach(t, up)
	require.Eventually(t, func() bool {
		access, err := api.GetAccess.Call(t.Context(), a.Node, api.GetAccessInput{})
		return err == nil && access.Rules.OverReceiptPercent == 20
	}, 30*time.Second, 5*time.Millisecond)
	require.NoError(t, a.Node.Close())
	saved, ok := host.LoadAccess(up.Dir)
	require.True(t, ok)
	require.Equal(t, changed.Rules, saved.Rules)
}

// A serviceClock is the clock of a service on a machine whose own clock is a day off.
type serviceClock struct{ time.Time }

func (c serviceClock) Now() time.Time           { return c.Time }
func (serviceClock) ClockOffset() time.Duration { return 24 * time.Hour }

// What is saved without the service has the time of the service's clock.
func TestAttach_SavesTheServicesTime(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	s.download(t, up)
	s.set(func(*api.Request) (*api.Response, error, bool) {
		return nil, api.Fail(api.Unavailable, nil, "No answer."), true
	})
	at := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	up.Clock = serviceClock{at}
	a := attach(t, up)
	s.adjust(t, a.Node, 5)
	require.Equal(t, at, syncState(t, a.Node).Oldest.UTC())
	require.NoError(t, a.Node.Close())
}

// TestSetUpstream_ComparesTheLastChange moves a node to a service of the same epoch that
// does not know its last change, as a copy of an older disk.
func TestSetUpstream_ComparesTheLastChange(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	s.download(t, up)
	up.URL = "https://moved.example"
	var asked api.ListChangesInput
	diverged := true
	s.set(func(req *api.Request) (*api.Response, error, bool) {
		in, ok := req.Input.(*api.ListChangesInput)
		if !ok || !diverged {
			return nil, nil, false
		}
		asked = *in
		return nil, api.Fail(api.ChangesGone, api.Details{"reason": string(api.GoneDiverged)}, "Other changes."), true
	})
	before, err := host.SetUpstream(t.Context(), up, false)
	require.ErrorContains(t, err, "has different data from the service at")
	require.ErrorContains(t, err, "--other-history")
	require.NotEmpty(t, asked.Hash)
	require.Positive(t, *asked.After)

	again, err := host.SetUpstream(t.Context(), up, true)
	require.NoError(t, err)
	require.Equal(t, before, again, "the failed attempt changed nothing")
	diverged, up.URL = false, "https://back.example"
	_, err = host.SetUpstream(t.Context(), up, false)
	require.NoError(t, err, "the service has the history")
}

func TestVerifyStored(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	s.download(t, up)
	s.set(func(*api.Request) (*api.Response, error, bool) {
		return nil, api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "No answer."), true
	})
	a := attach(t, up)
	for range 3 {
		s.adjust(t, a.Node, 2)
	}
	_, err := host.VerifyStored(t.Context(), up.Dir, machineClock{})
	require.ErrorContains(t, err, "Stop it to verify")
	require.NoError(t, a.Node.Close())
	proof, err := host.VerifyStored(t.Context(), up.Dir, machineClock{})
	require.NoError(t, err)
	require.Empty(t, proof.Faults)
	require.Equal(t, []int{3, 3, 1}, []int{proof.Operations, proof.Open, proof.Balances})
	require.Equal(t, up.URL, proof.Service)

	name := filepath.Join(up.Dir, "work.journal")
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	data[len(data)/2] ^= 1
	require.NoError(t, os.WriteFile(name, data, 0o600))
	proof, err = host.VerifyStored(t.Context(), up.Dir, machineClock{})
	require.NoError(t, err)
	require.Len(t, proof.Faults, 1)
	require.Contains(t, proof.Faults[0], "damaged")

	data[len(data)/2] ^= 1
	require.NoError(t, os.WriteFile(name, data[:len(data)-3], 0o600))
	proof, err = host.VerifyStored(t.Context(), up.Dir, machineClock{})
	require.NoError(t, err)
	require.Contains(t, strings.Join(proof.Faults, "\n"), "were cut off")
	require.NotContains(t, strings.Join(proof.Faults, "\n"), "not been acknowledged", "it was")

	require.NoError(t, os.Remove(name))
	require.True(t, host.HasJournal(up.Dir), "it is still the directory of a node")
	proof, err = host.VerifyStored(t.Context(), up.Dir, machineClock{})
	require.NoError(t, err)
	require.Regexp(t, "is gone: [3-9] saved changes are missing", strings.Join(proof.Faults, "\n"))
}

// A device key is for a location that the edge serves.
func TestWithDevices_LocationOfAnotherSite(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	s.world.Location("SHOP-1")
	up.Locations = []string{"WH-1"}
	a := attach(t, up)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	a.Node.AwaitReady(ctx)
	require.NoError(t, a.Node.Close())
	require.NoError(t, host.WithDevices(t.Context(), up.Dir, machineClock{}, func(at host.Devices) error {
		_, err := at.Create(t.Context(), edge.DeviceInput{Label: "scanner-3", Location: "SHOP-1", Scopes: api.Scopes})
		require.True(t, api.HasCode(err, api.LocationNotAllowed), "%v", err)
		_, err = at.Create(t.Context(), edge.DeviceInput{Label: "scanner-3", Location: "WH-1", Scopes: api.Scopes})
		return err
	}))
}

func TestAttach_LocationsAreKept(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	shop := s.world.Location("SHOP-1")
	s.world.Stock(s.mug, shop.ID, 7)
	onHand := func(codes ...string) int64 {
		t.Helper()
		up.Locations = codes
		a := attach(t, up)
		defer func() { require.NoError(t, a.Node.Close()) }()
		sum := int64(-1)
		require.Eventually(t, func() bool {
			list, err := api.ListBalances.Call(t.Context(), a.Node, api.ListBalancesInput{})
			if err != nil {
				return false
			}
			sum = 0
			for _, b := range list.Items {
				sum += b.OnHand
			}
			want := syncState(t, a.Node).Locations
			switch {
			case len(want) == 1 && want[0] == "SHOP-1":
				return sum == 7
			case len(want) == 0:
				return sum == 37
			}
			return sum == 30
		}, 30*time.Second, 5*time.Millisecond)
		return sum
	}
	require.EqualValues(t, 37, onHand())
	require.EqualValues(t, 7, onHand("SHOP-1"))
	require.EqualValues(t, 7, onHand(), "as at the last start")
	s.set(func(req *api.Request) (*api.Response, error, bool) {
		if req.Spec == api.ListLocations.Spec {
			return nil, api.Fail(api.Unavailable, nil, "No answer."), true
		}
		return nil, nil, false
	})
	require.EqualValues(t, 7, onHand("SHOP-1", "SHOP-1"), "a known location needs no answer")
	up.Locations = []string{"WH-1"}
	_, err := host.Attach(t.Context(), up)
	require.ErrorContains(t, err, "cannot look up the location WH-1")
	s.set(func(*api.Request) (*api.Response, error, bool) { return nil, nil, false })
	up.Locations = []string{"WH-9"}
	_, err = host.Attach(t.Context(), up)
	require.EqualError(t, err, "the service has no location WH-9: check the code")
	require.EqualValues(t, 7, onHand(), "a failed start changes nothing")
	require.EqualValues(t, 37, onHand(host.AllLocations))
	require.EqualValues(t, 37, onHand())
}

func TestAttach_LocationsOfAnotherProgram(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	s.world.Location("SHOP-1")
	up.Locations = []string{"SHOP-1"}
	first := attach(t, up)
	require.Empty(t, first.Notes)
	require.Empty(t, attach(t, up).Notes)
	up.Locations = []string{"WH-1"}
	require.Equal(t, []string{"Another program on this machine works offline with the data of SHOP-1. Close it to change the locations."}, attach(t, up).Notes)
}

// A node with a key for one location has the data of that location, and rejects at once what
// the service would reject.
func TestAttach_KeyOfOneLocation(t *testing.T) {
	t.Parallel()
	for name, attachFirst := range map[string]func(*siteService, *testing.T, host.Upstream) *host.Attached{
		"connected": func(_ *siteService, t *testing.T, up host.Upstream) *host.Attached { return attach(t, up) },
		"early":     (*siteService).attachEarly,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testKeyOfOneLocation(t, attachFirst)
		})
	}
}

func testKeyOfOneLocation(t *testing.T, attachFirst func(*siteService, *testing.T, host.Upstream) *host.Attached) {
	t.Helper()
	s, up := newSite(t)
	shop := s.world.Location("SHOP-1")
	s.world.Stock(s.mug, shop.ID, 7)
	s.bound.Store(&shop)
	const other = "UNAUTHORIZED: The key is only for SHOP-1. Start with that location alone, or use a key that is not bound to one."
	for _, codes := range [][]string{{"WH-1"}, {"WH-1", "SHOP-1"}, {host.AllLocations}} {
		up.Locations = codes
		_, err := host.Attach(t.Context(), up)
		require.EqualError(t, err, other)
	}

	up.Locations = nil
	a := attachFirst(s, t, up)
	require.Equal(t, []string{"SHOP-1"}, syncState(t, a.Node).Locations)
	in := api.CreateTransferInput{ProductID: s.mug, SourceLocationID: shop.ID, DestinationLocationID: s.main, Quantity: 2}
	sent := ledgertest.Call(t, a.Node, api.CreateTransfer, in).Transfer.ID
	ledgertest.Call(t, a.Node, api.ShipTransfer, api.MoveTransferInput{TransferID: sent})
	loss := api.CloseTransferInput{TransferID: sent, Reason: "lost"}
	for _, risk := range [][]api.Option{nil, {api.AcceptRisk()}} {
		_, err := api.CloseTransfer.Call(t.Context(), a.Node, loss, risk...)
		require.True(t, api.HasCode(err, api.LocationNotAllowed), "it is closed at its destination: %v", err)
	}
	require.Eventually(t, func() bool { return syncState(t, a.Node).Waiting == 0 }, 30*time.Second, 5*time.Millisecond)
	require.Equal(t, api.TransferInTransit, ledgertest.Do(s.world, api.GetTransfer, api.TransferInput{TransferID: sent}).Status)
	require.NoError(t, a.Node.Close())

	up.Locations = []string{"WH-1"}
	_, err := host.Attach(t.Context(), up)
	require.EqualError(t, err, other, "although the data is here")
	s.bound.Store(nil)
	a = attach(t, up)
	require.Equal(t, []string{"WH-1"}, syncState(t, a.Node).Locations, "it has another key now")
	require.NoError(t, a.Node.Close())
}

// Work waits while the service has replaced the key by one for another location.
func TestAttach_KeyOfAnotherLocation(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	shop := s.world.Location("SHOP-1")
	s.download(t, up)
	s.bound.Store(&shop)
	a := attach(t, up)
	s.adjust(t, a.Node, 2)
	awaitState(t, a.Node, api.SyncDenied)
	st := syncState(t, a.Node)
	require.Contains(t, st.Why.Message, "The key is only for SHOP-1.")
	require.EqualValues(t, []any{1, 0}, []any{int(st.Waiting), int(st.Refused)})
}

// attachEarly attaches before the service answers, and returns when the node has its data.
func (s *siteService) attachEarly(t *testing.T, up host.Upstream) *host.Attached {
	t.Helper()
	s.set(func(*api.Request) (*api.Response, error, bool) {
		return nil, api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "No answer."), true
	})
	a := attach(t, up)
	require.Len(t, a.Notes, 1)
	awaitState(t, a.Node, api.SyncOffline)
	s.set(func(*api.Request) (*api.Response, error, bool) { return nil, nil, false })
	require.Eventually(t, a.Node.Own().Ready, 30*time.Second, 5*time.Millisecond)
	return a
}

func TestAttach_BeforeTheServiceAnswers(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	a := s.attachEarly(t, up)
	require.Empty(t, syncState(t, a.Node).Locations)
	s.adjust(t, a.Node, 5)
	require.Eventually(t, func() bool { return s.onHand() == 35 }, 30*time.Second, 5*time.Millisecond)
}

// All locations that were named are not replaced by that of the key.
func TestAttach_BeforeTheServiceRejectsTheKey(t *testing.T) {
	t.Parallel()
	s, up := newSite(t)
	shop := s.world.Location("SHOP-1")
	s.bound.Store(&shop)
	s.set(func(*api.Request) (*api.Response, error, bool) {
		return nil, api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "No answer."), true
	})
	up.Locations = []string{host.AllLocations}
	a := attach(t, up)
	s.set(func(*api.Request) (*api.Response, error, bool) { return nil, nil, false })
	awaitState(t, a.Node, api.SyncDenied)
	require.Contains(t, syncState(t, a.Node).Why.Message, "The key is only for SHOP-1.")
}
