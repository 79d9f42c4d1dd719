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

// addAlarms adds the alarms, the conditions that need a person, with what people must know
// beside their names. The most urgent comes first. mu is held.
func (r *reader) addAlarms(s *api.Sync, now time.Time) {
	for _, a := range []struct {
		alarm  api.SyncAlarm
		active bool
	}{
		{api.AlarmDisk, r.queue.Failing() != nil},
		{api.AlarmDamage, r.note.hasDamage()},
		{api.AlarmCopy, r.lease.copies != nil},
		{api.AlarmMirror, r.queue.MirrorError() != nil},
		{api.AlarmKey, s.State == api.SyncDenied},
		{api.AlarmForeign, s.State == api.SyncForeign},
		{api.AlarmDecision, s.ToDecide() > 0},
		{api.AlarmStuck, s.Stuck > 0},
		{api.AlarmQuota, s.State == api.SyncQuota},
		{api.AlarmLate, isLate(s, now)},
		{api.AlarmClock, r.clockOffset().Abs() > clockTolerance},
	} {
		if a.active {
			s.Alarms = append(s.Alarms, a.alarm)
		}
	}

	if r.queue.Failing() != nil {
		s.Troubles = append(
			s.Troubles,
			api.Text("The disk does not accept new entries: it is full or failing. Free some space or check the disk."),
		)
	}

	if r.lease.copies != nil {
		s.Troubles = append(s.Troubles, r.lease.trouble())
	}

	if err := r.queue.MirrorError(); err != nil {
		s.Troubles = append(
			s.Troubles,
			api.Textf(
				"New entries have no second copy: %v. They are copied when the mirror can be written again.",
				err,
			),
		)
	}

	if r.note.damage != nil {
		for _, d := range r.note.damage.Damage {
			s.Troubles = append(
				s.Troubles,
				api.Textf(
					"%s: %v. These may be saved entries. Compare recent entries with the stock, have the disk checked, and acknowledge the damage.",
					JournalName,
					d,
				),
			)
		}

		if m := r.note.damage.Missing; m != nil {
			s.Troubles = append(
				s.Troubles,
				api.Textf(
					"%s: %v. It was cut off, deleted or replaced by an older copy. Compare recent entries with the stock, and acknowledge the damage.",
					JournalName,
					m,
				),
			)
		}
	}
}

func isLate(s *api.Sync, now time.Time) bool {
	patience := lateOnline
	if s.State == api.SyncOffline || s.State == api.SyncForeign {
		patience = lateOffline
	}
	return s.Oldest != nil && now.Sub(*s.Oldest) > patience
}

// foreignAnswer describes what answers in the service's place.
func foreignAnswer(f *api.ForeignAnswer) *api.WorkRefusal {
	return &api.WorkRefusal{
		Code:    api.Unavailable,
		Details: api.Details{"status": int64(f.Status), "text": f.Text},
		Message: api.Textf(
			"Something else is answering for the service: status %d, %q. Check the network and the service's address.",
			f.Status, f.Text),
	}
}
