package offline

import (
	"strings"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// offlineAfter is how long after the last answer the service counts as
// offline if no request failed: requests to it wait less than this.
const offlineAfter = time.Minute

// A Status is the sync status in the header of every screen.
type Status struct {
	outbox.Counts
	Link outbox.Link
	// SyncedAt is when the local data was last known to match the service's.
	SyncedAt time.Time
}

// Status returns the node's sync status.
func (r *reader) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Status{Counts: r.queue.Counts(), Link: r.queue.Link(r.now()), SyncedAt: r.local.SyncedAt}
}

// Sync returns the sync status, as api.GetSync does.
func (r *reader) Sync() *api.Sync { return r.SyncForDevice("") }

// SyncForDevice returns the sync status with the counts of one device, all if
// empty.
func (r *reader) SyncForDevice(device string) *api.Sync {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	link, c := r.queue.Link(now), r.queue.CountsOf(device)
	s := &api.Sync{Service: r.cfg.Owner.Service, Heard: timePtr(link.LastAnswer), Next: timePtr(link.Next),
		Read: timePtr(r.local.SyncedAt), Waiting: int64(c.Waiting), Sent: int64(c.Sent), Refused: int64(c.Refused),
		Held: int64(c.Held), Stuck: int64(c.Stuck), Oldest: timePtr(c.Oldest),
		Alarms: []api.SyncAlarm{}, Troubles: []string{}, Locations: r.here.codes()}
	switch state := syncState(&link, now); state {
	case api.SyncDenied:
		s.State, s.Since, s.Why = state, timePtr(link.DeniedSince), workRefusal(link.Denied)
	case api.SyncQuota:
		s.State, s.Since, s.Next = state, timePtr(link.QuotaSince), timePtr(link.QuotaUntil)
	case api.SyncForeign:
		s.State, s.Since, s.Why = state, timePtr(link.ForeignSince), foreignAnswer(link.Foreign)
	case api.SyncOffline:
		s.State, s.Since = state, timePtr(link.LastAnswer)
	default:
		s.State, s.Since = state, timePtr(link.UpSince)
	}

	r.addAlarms(s, now)

	return s
}

func syncState(link *outbox.Link, now time.Time) api.SyncState {
	switch {
	case link.Foreign != nil:
		return api.SyncForeign
	case link.Denied != nil:
		return api.SyncDenied
	case link.LastAnswer.IsZero() || !link.Up || now.Sub(link.LastAnswer) > offlineAfter:
		return api.SyncOffline
	case link.QuotaExceeded:
		return api.SyncQuota
	}

	return api.SyncOnline
}

func workRefusal(r *outbox.Refusal) *api.WorkRefusal {
	if r == nil {
		return nil
	}
	return &api.WorkRefusal{Code: r.Code, Message: r.Message, Details: r.Details}
}

// A lease is what the service answers about copies of the node's directory that are in use
// at the same time. Two copies would send equal work with equal keys and numbers, which the
// service takes for one, so neither sends anything until a person decides.
type lease struct {
	session api.ID   // of this run
	other   api.ID   // the last run of this node that the service named
	copies  []string // the labels of those that are in use; none if this is the only one
}

// addReport adds a report on this node to a read of the service's changes. mu is held.
func (p *puller) addReport(req *api.Request) {
	if req == nil || req.Spec != api.ListChanges.Spec || p.cfg.Label == "" {
		return
	}
	c := p.queue.CountsOf("")
	req.Node = &api.NodeReport{ID: p.queue.Header.Client, Label: p.cfg.Label, Kind: p.cfg.Kind, Version: p.cfg.Version,
		Pending: int64(c.Waiting), Failed: int64(c.Refused + c.Held), Oldest: timePtr(c.Oldest),
		Locations: p.here.codes(), ClockOffset: p.clockOffset().Milliseconds(),
		Session: p.lease.session, OtherSession: p.lease.other}
}

// update records the answer to a report of the node, if the node still has the reported id.
func (l *lease) update(report *api.NodeReport, res *api.Response, id api.ID) {
	out, ok := res.Output.(*api.Changes)
	if !ok || report == nil || report.ID != id {
		return
	}
	l.copies = out.Copies
	if out.OtherSession != api.NoID {
		l.other = out.OtherSession
	}
}

// trouble says what a person can do about a copy.
func (l *lease) trouble() string {
	return api.Textf(
		"This data directory is in use twice (%s), so nothing is sent. Stop using the copy, or acknowledge it to give this directory an id of its own.",
		strings.Join(l.copies, ", "),
	)
}
