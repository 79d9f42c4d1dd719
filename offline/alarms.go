package offline

import (
	"time"

	"bincard/server/api"
)

const (
	// lateOnline and lateOffline are how long an operation may be pending
	// before a person must see to it.
	lateOnline  = time.Hour
	lateOffline = 24 * time.Hour
	// clockTolerance is how far the clocks of the node and the service may
	// differ.
	clockTolerance = 2 * time.Minute
)

// alarms are the conditions that need a person, the most urgent first.
var alarms = []struct {
	alarm  api.SyncAlarm
	active func(n *Node, s *api.Sync, now time.Time) bool
}{
	{api.AlarmDisk, func(n *Node, _ *api.Sync, _ time.Time) bool { return n.queue.Failing() != nil }},
	{api.AlarmDamage, func(n *Node, _ *api.Sync, _ time.Time) bool { return n.hasDamage() }},
	{api.AlarmCopy, func(n *Node, _ *api.Sync, _ time.Time) bool { return n.lease.copies != nil }},
	{api.AlarmMirror, func(n *Node, _ *api.Sync, _ time.Time) bool { return n.queue.MirrorError() != nil }},
	{api.AlarmKey, func(_ *Node, s *api.Sync, _ time.Time) bool { return s.State == api.SyncDenied }},
	{api.AlarmForeign, func(_ *Node, s *api.Sync, _ time.Time) bool { return s.State == api.SyncForeign }},
	{api.AlarmDecision, func(_ *Node, s *api.Sync, _ time.Time) bool { return s.Refused+s.Held > 0 }},
	{api.AlarmStuck, func(_ *Node, s *api.Sync, _ time.Time) bool { return s.Stuck > 0 }},
	{api.AlarmQuota, func(_ *Node, s *api.Sync, _ time.Time) bool { return s.State == api.SyncQuota }},
	{api.AlarmLate, isLate},
	{api.AlarmClock, func(n *Node, _ *api.Sync, _ time.Time) bool { return n.clockOffset().Abs() > clockTolerance }},
}

// addAlarms adds the alarms, with what people must know beside their names.
// n.mu is held.
func (n *Node) addAlarms(s *api.Sync, now time.Time) {
	for _, a := range alarms {
		if a.active(n, s, now) {
			s.Alarms = append(s.Alarms, a.alarm)
		}
	}
	if n.queue.Failing() != nil {
		s.Troubles = append(s.Troubles, api.Text("The disk does not accept new work: it is full or failing. Free some space or check the disk."))
	}
	if n.lease.copies != nil {
		s.Troubles = append(s.Troubles, n.lease.trouble())
	}
	if err := n.queue.MirrorError(); err != nil {
		s.Troubles = append(s.Troubles, api.Textf("New work has no second copy: %v. It is copied when the mirror can be written again.", err))
	}
	if n.damage != nil {
		for _, d := range n.damage.Damage {
			s.Troubles = append(s.Troubles, api.Textf("%s: %v. This may be saved work. Compare recent work with the stock, have the disk checked, and acknowledge the damage.", JournalName, d))
		}
		if m := n.damage.Missing; m != nil {
			s.Troubles = append(s.Troubles, api.Textf("%s: %v. It was cut off, deleted or replaced by an older copy. Compare recent work with the stock, and acknowledge the damage.", JournalName, m))
		}
	}
}

func isLate(_ *Node, s *api.Sync, now time.Time) bool {
	patience := lateOnline
	if s.State == api.SyncOffline || s.State == api.SyncForeign {
		patience = lateOffline
	}
	return s.Oldest != nil && now.Sub(*s.Oldest) > patience
}

func (n *Node) clockOffset() time.Duration {
	if n.cfg.ClockOffset == nil {
		return 0
	}
	return n.cfg.ClockOffset()
}

// foreignAnswer describes what answers in the service's place.
func foreignAnswer(f *api.ForeignAnswer) *api.WorkRefusal {
	return &api.WorkRefusal{Code: api.Unavailable, Details: api.Details{"status": int64(f.Status), "text": f.Text},
		Message: api.Textf("Something else is answering for the service: status %d, %q. Check the network and the service's address.", f.Status, f.Text)}
}
