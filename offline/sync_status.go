package offline

import (
	"fmt"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
)

const (
	// offlineAfter is after how long without an answer a line is down that was not
	// told so: the service is asked all the time, and waits less than this.
	offlineAfter = time.Minute
	// lateOnline and lateOffline are how long work may be kept before somebody
	// must look at it.
	lateOnline  = time.Hour
	lateOffline = 24 * time.Hour
)

// Sync tells how the node stands, as api.GetSync does.
func (n *Node) Sync() *api.Sync { return n.SyncForDevice("") }

// SyncForDevice is Sync with the work alone that came by the key with a label; all of
// it where that is empty.
func (n *Node) SyncForDevice(device string) *api.Sync {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.now()
	line, c := n.queue.Link(now), n.queue.CountsOf(device)
	s := &api.Sync{Service: n.cfg.Owner.Service, Heard: timePtr(line.LastAnswer), Next: timePtr(line.Next), Read: timePtr(n.pull.syncedAt),
		Waiting: int64(c.Waiting), Sent: int64(c.Sent), Refused: int64(c.Refused), Held: int64(c.Held), Oldest: timePtr(c.Oldest),
		Alarms: []api.SyncAlarm{}, Troubles: []string{}}
	switch state := syncState(&line, now); state {
	case api.SyncDenied:
		s.State, s.Since, s.Why = state, timePtr(line.DeniedSince), workRefusal(line.Denied)
		s.Alarms = append(s.Alarms, api.AlarmKey)
	case api.SyncQuota:
		s.State, s.Since, s.Next = state, timePtr(line.QuotaSince), timePtr(line.QuotaUntil)
	case api.SyncOffline:
		s.State, s.Since = state, timePtr(line.LastAnswer)
	default:
		s.State, s.Since = state, timePtr(line.UpSince)
	}
	if c.Refused+c.Held > 0 {
		s.Alarms = append(s.Alarms, api.AlarmDecision)
	}
	patience := lateOnline
	if s.State == api.SyncOffline {
		patience = lateOffline
	}
	if !c.Oldest.IsZero() && now.Sub(c.Oldest) > patience {
		s.Alarms = append(s.Alarms, api.AlarmLate)
	}
	if n.damage != nil && len(n.damage.Damage) > 0 {
		s.Alarms = append(s.Alarms, api.AlarmDamage)
		for _, d := range n.damage.Damage {
			s.Troubles = append(s.Troubles, fmt.Sprintf("%s: %s. Compare recent work with the stock, and have the disk checked.", JournalName, d))
		}
	}
	return s
}

func syncState(line *outbox.Link, now time.Time) api.SyncState {
	switch {
	case line.Denied != nil:
		return api.SyncDenied
	case line.LastAnswer.IsZero() || !line.Up || now.Sub(line.LastAnswer) > offlineAfter:
		return api.SyncOffline
	case line.QuotaExceeded:
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
