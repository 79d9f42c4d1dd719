package e2e_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/budget"
)

// An audit compares what the nodes accepted with what the service has.
type audit struct {
	d       *busyDay
	changes map[string]*api.Change
	// least is the smallest available quantity that a balance ever had.
	least   map[[2]api.ID]int64
	work    map[*busySite]map[string]*api.Work
	applied int
	waiting map[string]int // by reason
	faults  []string
}

func (a *audit) fault(format string, args ...any) {
	a.faults = append(a.faults, fmt.Sprintf(format, args...))
}

// audit returns the state of all operations.
func (d *busyDay) audit() *audit {
	a := &audit{d: d, changes: map[string]*api.Change{}, least: map[[2]api.ID]int64{}, work: map[*busySite]map[string]*api.Work{}, waiting: map[string]int{}}
	all := d.changes()
	for i := range all {
		c := &all[i]
		if a.changes[c.Key] != nil {
			a.fault("%s is applied twice", c.Key)
		}
		a.changes[c.Key] = c
	}
	for _, c := range slices.Concat(d.past, all) {
		for _, b := range c.Balances {
			at := [2]api.ID{b.ProductID, b.LocationID}
			if least, ok := a.least[at]; !ok || b.Available < least {
				a.least[at] = b.Available
			}
		}
	}
	for _, s := range d.sites {
		a.work[s] = map[string]*api.Work{}
		for _, w := range s.unresolved(d.t) {
			a.work[s][w.Key] = &w
		}
	}
	for _, work := range d.accepted {
		a.check(work)
	}
	for _, work := range d.rejected {
		switch {
		case work.site.has(d.t, work.key): // the service rejected it, and it stays as failed work
			a.check(work)
		case a.appliedBy(work):
			a.fault("%s was rejected and is applied", work)
		}
	}
	return a
}

// unresolved returns the operations of the node that have not synced.
func (s *busySite) unresolved(t testing.TB) (all []api.Work) {
	limit := int64(500)
	for in := (api.ListWorkInput{Limit: &limit}); ; {
		page := s.listWork(t, in)
		all = append(all, page.Items...)
		if page.NextCursor == nil {
			return all
		}
		in.Cursor = *page.NextCursor
	}
}

// has reports whether the node has saved an operation.
func (s *busySite) has(t testing.TB, key string) bool {
	return len(s.listWork(t, api.ListWorkInput{Key: key}).Items) > 0
}

// listWork lists operations of the node, which may be slow while it rebuilds its data on a
// busy machine.
func (s *busySite) listWork(t testing.TB, in api.ListWorkInput) (page api.List[api.Work]) {
	eventually(t, func() bool {
		var err error
		page, err = api.ListWork.Call(t.Context(), s.svc, in)
		require.True(t, err == nil || api.HasCode(err, api.Unavailable), "%v", err)
		return err == nil
	}, func() string { return s.name + " does not answer" })
	return page
}

// appliedBy reports whether the service has an operation from the site that did it.
func (a *audit) appliedBy(work *acceptedWork) bool {
	c := a.changes[work.key]
	return c != nil && c.Actor.Label == work.site.name
}

// check requires that an accepted operation is applied, or waits for a person with the
// true reason.
func (a *audit) check(work *acceptedWork) {
	open := a.work[work.site][work.key]
	switch applied := a.appliedBy(work); {
	case applied && open != nil:
		a.fault("%s is applied and %s: %+v", work, open.State, open.Refusal)
	case applied:
		a.applied++
		c := a.changes[work.key]
		if c.Operation != work.operation || work.delta != 0 && c.Movements[0].Quantity != work.delta {
			a.fault("%s is applied as another operation: %s", work, c.Operation)
		}
	case open == nil:
		a.fault("%s is lost", work)
	case open.State == api.WorkRefused || open.State == api.WorkHeld:
		a.waiting[string(open.State)+" "+string(open.Refusal.Code)]++
		if !a.isTrue(work, open) {
			a.fault("%s is %s, which is not true: %s: %s", work, open.State, open.Refusal.Code, open.Refusal.Message)
		}
	case open.Wait == api.WaitDependency:
		a.waiting["depends on failed work"]++
		if !slices.ContainsFunc(slices.Collect(maps.Values(a.work[work.site])), func(w *api.Work) bool { return slices.Contains(w.Needing, work.key) }) {
			a.fault("%s depends on nothing", work)
		}
	default:
		a.fault("%s is %s and waits for %q", work, open.State, open.Wait)
	}
}

// isTrue reports whether the history of the service gives the reason of failed work.
func (a *audit) isTrue(work *acceptedWork, open *api.Work) bool {
	switch open.Refusal.Code {
	case api.IdempotencyKeyReused:
		if c := a.changes[work.key]; c != nil && c.Actor.Label != work.site.name {
			return true
		}
		return slices.ContainsFunc(a.d.past, func(c api.Change) bool { return c.Key == work.key && c.Actor.Label != work.site.name })
	case api.ReservationNotPending: // another site, which used the reservation's key too, was faster after the loss
		lost := slices.ContainsFunc(a.d.past, func(c api.Change) bool { return c.Key == work.key })
		return lost && slices.ContainsFunc(a.d.accepted, func(other *acceptedWork) bool {
			return other.operation == api.ReleaseReservation.ID && other.document == work.document && other.site != work.site && a.appliedBy(other)
		})
	case api.InsufficientStock:
		return a.least[[2]api.ID{work.product, work.location}] < work.takes
	case api.NothingPending: // of a transfer whose shipment failed
		return !slices.ContainsFunc(a.d.accepted, func(other *acceptedWork) bool {
			return other.operation == api.ShipTransfer.ID && other.document == work.document && a.appliedBy(other)
		})
	}
	return false
}

// settle opens the networks and waits until each operation is applied or waits for a person.
func (d *busyDay) settle() *audit {
	for _, s := range d.sites {
		s.network.setMode(modeOpen)
		s.network.waitLate()
	}
	var a *audit
	for end := time.Now().Add(waitTimeout); ; time.Sleep(10 * pollInterval) {
		for _, s := range d.sites {
			_, err := api.TrySync.Call(d.t.Context(), s.svc, api.SyncInput{})
			require.NoError(d.t, err)
		}
		if a = d.audit(); len(a.faults) == 0 {
			return a
		}
		if time.Now().After(end) {
			slices.Sort(a.faults)
			require.Failf(d.t, "operations are not in order", "%d faults:\n%s", len(a.faults), strings.Join(a.faults[:min(len(a.faults), 40)], "\n"))
		}
	}
}

// discardAll discards all failed operations, the latest first.
func (d *busyDay) discardAll(s *busySite) {
	eventually(d.t, func() bool {
		open := s.unresolved(d.t)
		slices.Reverse(open)
		for _, w := range open {
			_, _ = api.DiscardWork.Call(d.t.Context(), s.svc, api.DiscardWorkInput{Key: w.Key, Reason: "counted again"})
		}
		return len(s.unresolved(d.t)) == 0
	}, func() string { return fmt.Sprintf("%s keeps %+v", s.name, s.unresolved(d.t)) })
}

// finish requires that nothing is lost or doubled, that every node shows the service's
// stock, and that all data verifies.
func (d *busyDay) finish(started time.Time) {
	a := d.settle()
	worked := time.Since(started)
	svc := d.c.client(d.service.url, d.c.key)
	central := stock(d.t, svc)
	for _, s := range d.sites {
		d.discardAll(s)
		var local map[string]api.Quantities
		eventually(d.t, func() bool { local = stock(d.t, s.svc); return maps.Equal(local, central) },
			func() string { return fmt.Sprintf("%s shows %v, the service %v", s.name, local, central) })
	}
	again := d.changes()
	require.Len(d.t, again, len(a.changes), "the service has applied discarded work")
	var faults [fates]int64
	for _, s := range d.sites {
		s.end()
		d.verify(s.dir)
		for fate := range faults {
			faults[fate] += s.network.counts[fate].Load()
		}
	}
	d.service.end(syscall.SIGTERM)
	d.verify(d.c.dir)
	d.t.Logf("%d operations accepted, %d rejected at once, %d repeats of accepted work rejected", len(d.accepted), len(d.rejected), d.repeatsRejected.Load())
	d.t.Logf("%d kills of nodes and service, %d of commands; modes of networks (open faulty down portal silent hostile): %v", d.kills.Load(), d.programKills.Load(), d.modes)
	d.t.Logf("requests (lost, answer lost, doubled, delayed, cut, passed, swapped, page before, page after, late): %v", faults)
	d.t.Logf("%d applied once, waiting for a person: %v; lost 0, doubled 0; %v", a.applied, a.waiting, worked.Round(time.Second))
}

// TestSite_BusyDay runs six terminals at two edges, and an offline terminal, while
// processes are killed, networks fail in all ways and the service's data is put back to an
// earlier copy. BINCARD_CASES is the number of operations, and 5000 are a whole day.
func TestSite_BusyDay(t *testing.T) {
	t.Parallel()
	total := int64(budget.SiteBusyDay.Cases(t))
	started := time.Now()
	d := newBusyDay(t, total, budget.SeedFrom(t, 1))
	workers := append(d.startEdge(d.sites[0]), d.startEdge(d.sites[1])...)
	d.run(append(workers, d.startTerminal(d.sites[2])...), min(total/80, 30))
	d.finish(started)
}
