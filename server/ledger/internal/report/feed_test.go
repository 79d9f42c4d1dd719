package report_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
)

// A pollWatch is a ledger whose timers report each wait and fire when the test says so.
type pollWatch struct {
	*ledger.Ledger
	w     *ledgertest.World
	waits chan time.Duration
	fire  chan time.Time
}

func newPollWatch(t *testing.T, w *ledgertest.World) *pollWatch {
	v := &pollWatch{w: w, waits: make(chan time.Duration, 16), fire: make(chan time.Time)}
	v.Ledger = ledger.New(w.Store, ledger.Options{Now: w.Clock.Now, Log: slog.New(slog.DiscardHandler),
		After: func(d time.Duration) <-chan time.Time {
			v.waits <- d
			return v.fire
		}})
	t.Cleanup(v.Close)
	return v
}

type pollResult struct {
	got api.Changes
	err error
}

// poll starts a request for the changes after the newest one, and returns once it waits.
func (v *pollWatch) poll(t *testing.T, ctx context.Context, caller api.Caller) chan pollResult {
	t.Helper()
	svc, out := api.As(v.Ledger, caller, ""), make(chan pollResult, 1)
	latest := ledgertest.Call(t, svc, api.ListChanges, api.ListChangesInput{})
	<-v.waits // of the first request, which does not wait
	wait := int64(25)
	go func() {
		got, err := api.ListChanges.Call(ctx, svc, api.ListChangesInput{After: &latest.Latest, Wait: &wait})
		out <- pollResult{got, err}
	}()
	require.Equal(t, 25*time.Second, <-v.waits)
	return out
}

func (v *pollWatch) caller() api.Caller {
	return api.Caller{Organization: v.w.Org.ID, Environment: api.Live, Scopes: append([]api.Scope{api.Admin}, api.Scopes...),
		Actor: api.Actor{Type: api.APIKey, ID: "key", Label: "Key"}}
}

func TestListChanges_ReturnsOnChange(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	v := newPollWatch(t, w)
	first, second := v.poll(t, t.Context(), v.caller()), v.poll(t, t.Context(), v.caller())
	other := v.caller()
	other.Environment = api.Test
	elsewhere := v.poll(t, t.Context(), other)
	ledgertest.Call(t, api.As(v.Ledger, v.caller(), ""), api.CreateLocation, api.CreateLocationInput{Code: "A", Name: "A", Type: api.Shop}, api.Key("k-1"))
	for _, c := range []chan pollResult{first, second} {
		a := <-c
		require.NoError(t, a.err)
		require.Len(t, a.got.Items, 1)
		require.Equal(t, "k-1", a.got.Items[0].Key)
	}
	require.Empty(t, elsewhere, "a change in another environment does not count")
	v.fire <- w.Clock.Now()
	a := <-elsewhere
	require.NoError(t, a.err)
	require.Empty(t, a.got.Items)
}

func TestListChanges_KeyRevokedWhileWaiting(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	v := newPollWatch(t, w)
	secret, key, err := v.CreateKey(t.Context(), account.KeyInput{Organization: w.Org.ID, Environment: api.Live, Scopes: api.Scopes})
	require.NoError(t, err)
	caller, err := v.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	revoked, stays := v.poll(t, t.Context(), *caller), v.poll(t, t.Context(), v.caller())
	ledgertest.Call(t, api.As(v.Ledger, v.caller(), ""), api.RevokeKey, api.RevokeKeyInput{KeyID: key.ID})
	require.True(t, api.HasCode((<-revoked).err, api.Unauthorized))
	require.NoError(t, (<-stays).err)
	_, err = v.Authenticate(t.Context(), secret)
	require.True(t, api.HasCode(err, api.Unauthorized))
}

func TestListChanges_KeyExpiresWhileWaiting(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	v := newPollWatch(t, w)
	ends := w.Clock.Now().Add(time.Minute)
	secret, _, err := v.CreateKey(t.Context(), account.KeyInput{Organization: w.Org.ID, Environment: api.Live, Scopes: api.Scopes, ExpiresAt: &ends})
	require.NoError(t, err)
	caller, err := v.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	poll := v.poll(t, t.Context(), *caller)
	w.Clock.Set(ends)
	v.fire <- ends
	require.True(t, api.HasCode((<-poll).err, api.Unauthorized))
}

func TestListChanges_WaitEndsEarly(t *testing.T) {
	t.Parallel()
	v := newPollWatch(t, ledgertest.Open(t))
	ctx, cancel := context.WithCancel(t.Context())
	canceled := v.poll(t, ctx, v.caller())
	cancel()
	require.ErrorIs(t, (<-canceled).err, context.Canceled)

	caller, draining := v.caller(), make(chan struct{})
	out, wait := make(chan pollResult, 1), int64(25)
	go func() {
		res, err := v.Do(t.Context(), &api.Request{Spec: api.ListChanges.Spec, Caller: &caller, Draining: draining, Input: &api.ListChangesInput{Wait: &wait}})
		if err != nil {
			out <- pollResult{err: err}
			return
		}
		out <- pollResult{got: *res.Output.(*api.Changes)}
	}()
	<-v.waits
	close(draining)
	require.NoError(t, (<-out).err)

	closed := v.poll(t, t.Context(), v.caller())
	v.Close()
	require.NoError(t, (<-closed).err)
}

func TestListChanges_ReturnsOnExpiry(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	v := newPollWatch(t, w)
	svc := api.As(v.Ledger, v.caller(), "")
	p, at := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	w.Stock(p.ID, at.ID, 5)
	due := w.Clock.Now().Add(time.Hour)
	ledgertest.Call(t, svc, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: at.ID}, Quantity: 2, ExpiresAt: &due})
	poll := v.poll(t, t.Context(), v.caller())
	w.Clock.Set(due)
	ledgertest.Call(t, svc, api.ListBalances, api.ListBalancesInput{})
	a := <-poll
	require.NoError(t, a.err)
	require.Len(t, a.got.Items, 1)
	require.Equal(t, "expireReservation", a.got.Items[0].Operation)
}

func TestEpoch_ChangesOnRestore(t *testing.T) {
	t.Parallel()
	w := ledgertest.OpenDir(t, t.TempDir())
	w.Location("WH-1")
	before := ledgertest.Do(w, api.ListChanges, api.ListChangesInput{})
	require.Equal(t, before.Epoch, ledgertest.Do(w, api.GetCapabilities, api.CapabilitiesInput{}).Epoch)
	w = w.Reopen()
	require.Equal(t, before.Epoch, ledgertest.Do(w, api.ListChanges, api.ListChangesInput{}).Epoch, "a restart is not a restore")
	page := int64(1)
	cursor := ledgertest.Do(w, api.GetSnapshot, api.SnapshotInput{Limit: &page}).NextCursor
	require.NoError(t, w.Ledger.NewEpoch(t.Context()))
	after := ledgertest.Do(w, api.ListChanges, api.ListChangesInput{After: &before.Latest})
	require.NotEqual(t, before.Epoch, after.Epoch)
	ledgertest.Refused(w, api.ChangesGone, api.ListChanges, api.ListChangesInput{After: &before.Latest, Epoch: before.Epoch})
	ledgertest.Refused(w, api.InvalidCursor, api.GetSnapshot, api.SnapshotInput{Cursor: *cursor})
}

// The checksum of a place is of the row in the store and of no use elsewhere.
func TestFeed_LacksChecksumsOfPlaces(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	page := ledgertest.Do(w, api.GetSnapshot, api.SnapshotInput{})
	require.Len(t, page.Documents, 2, "the default owner and channel")
	for _, doc := range page.Documents {
		require.NotContains(t, string(doc.Data), `"sum"`, doc.Kind)
		require.Contains(t, string(doc.Data), `"code"`, doc.Kind)
	}
	w.Verify()
}
