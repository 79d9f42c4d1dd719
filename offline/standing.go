package offline

import (
	"fmt"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
)

const (
	// unheard is after how long without an answer a line is down that was not
	// told so: the service is asked all the time, and waits less than this.
	unheard = time.Minute
	// lateOnline and lateOffline are how long work may be kept before somebody
	// must look at it.
	lateOnline  = time.Hour
	lateOffline = 24 * time.Hour
)

// Sync tells how the node stands, as api.GetSync does.
func (n *Node) Sync() *api.Sync { return n.SyncOf("") }

// SyncOf is Sync with the work alone that came by the key with a label; all of
// it where that is empty.
func (n *Node) SyncOf(device string) *api.Sync {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.now()
	line, c := n.box.Line(now), n.box.CountsOf(device)
	s := &api.Sync{Service: n.cfg.Owner.Service, Heard: instant(line.Heard), Next: instant(line.Next), Read: instant(n.pull.heard),
		Waiting: int64(c.Waiting), Sent: int64(c.Sent), Refused: int64(c.Refused), Held: int64(c.Held), Oldest: instant(c.Oldest),
		Alarms: []api.SyncAlarm{}, Troubles: []string{}}
	switch state := stateOf(&line, now); state {
	case api.SyncBarred:
		s.State, s.Since, s.Why = state, instant(line.Shut), refusal(line.Barred)
		s.Alarms = append(s.Alarms, api.AlarmKey)
	case api.SyncQuota:
		s.State, s.Since, s.Next = state, instant(line.Dry), instant(line.Quota)
	case api.SyncOffline:
		s.State, s.Since = state, instant(line.Heard)
	default:
		s.State, s.Since = state, instant(line.Risen)
	}
	if c.Refused+c.Held > 0 {
		s.Alarms = append(s.Alarms, api.AlarmDecide)
	}
	patience := lateOnline
	if s.State == api.SyncOffline {
		patience = lateOffline
	}
	if !c.Oldest.IsZero() && now.Sub(c.Oldest) > patience {
		s.Alarms = append(s.Alarms, api.AlarmLate)
	}
	if n.trouble != nil && len(n.trouble.Damage) > 0 {
		s.Alarms = append(s.Alarms, api.AlarmDamage)
		for _, d := range n.trouble.Damage {
			s.Troubles = append(s.Troubles, fmt.Sprintf("%s: %s. Compare the last work with the stock, and have the disk looked at.", JournalName, d))
		}
	}
	return s
}

func stateOf(line *outbox.Line, now time.Time) api.SyncState {
	switch {
	case line.Barred != nil:
		return api.SyncBarred
	case line.Heard.IsZero() || !line.Up || now.Sub(line.Heard) > unheard:
		return api.SyncOffline
	case line.Exhausted:
		return api.SyncQuota
	}
	return api.SyncOnline
}

func instant(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func refusal(r *outbox.Refusal) *api.WorkRefusal {
	if r == nil {
		return nil
	}
	return &api.WorkRefusal{Code: r.Code, Message: r.Message, Details: r.Details}
}
