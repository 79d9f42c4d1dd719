package offline

import (
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
)

const (
	// offlineAfter is how long after the last answer the service counts as
	// offline if no request failed: requests to it wait less than this.
	offlineAfter = time.Minute
)

// Sync returns the sync status, as api.GetSync does.
func (n *Node) Sync() *api.Sync { return n.SyncForDevice("") }

// SyncForDevice returns the sync status with the counts of one device, all if
// empty.
func (n *Node) SyncForDevice(device string) *api.Sync {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.now()
	link, c := n.queue.Link(now), n.queue.CountsOf(device)
	s := &api.Sync{Service: n.cfg.Owner.Service, Heard: timePtr(link.LastAnswer), Next: timePtr(link.Next), Read: timePtr(n.pull.local.SyncedAt),
		Waiting: int64(c.Waiting), Sent: int64(c.Sent), Refused: int64(c.Refused), Held: int64(c.Held), Oldest: timePtr(c.Oldest),
		Alarms: []api.SyncAlarm{}, Troubles: []string{}, Locations: n.locationCodes()}
	s.Stuck = int64(c.Stuck)
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
	n.addAlarms(s, now)
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

func timePtr(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func workRefusal(r *outbox.Refusal) *api.WorkRefusal {
	if r == nil {
		return nil
	}
	return &api.WorkRefusal{Code: r.Code, Message: r.Message, Details: r.Details}
}
