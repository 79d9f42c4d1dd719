package status

import (
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// notice returns what the operator must know about a change of the sync status,
// or "".
func notice(t *i18n.Translator, before, now *api.Sync) string {
	if now == nil {
		return ""
	}
	if before == nil {
		before = &api.Sync{}
	}

	fresh := func(a api.SyncAlarm) bool {
		return slices.Contains(now.Alarms, a) && !slices.Contains(before.Alarms, a)
	}
	switch more := now.Refused + now.Held - before.Refused - before.Held; {
	case fresh(api.AlarmDamage):
		return t.Get("Some saved work cannot be read. See Sync.")
	case fresh(api.AlarmCopy):
		return session.AlarmText(t, now, api.AlarmCopy, time.Time{})
	case fresh(api.AlarmKey):
		return t.Get("The service rejected the key. Work is saved but not sent.")
	case more > 0:
		return t.Get("Decisions needed in Sync: %s.", t.Count(more))
	case fresh(api.AlarmDisk):
		return session.AlarmText(t, now, api.AlarmDisk, time.Time{})
	case fresh(api.AlarmForeign):
		return session.AlarmText(t, now, api.AlarmForeign, time.Time{})
	case fresh(api.AlarmStuck):
		return session.AlarmText(t, now, api.AlarmStuck, time.Time{})
	case now.State == api.SyncQuota && before.State != api.SyncQuota:
		return t.Get("Monthly quota used up. Work is saved and syncs later.")
	case fresh(api.AlarmLate):
		return t.Get("Work has been waiting to sync for a long time. See Sync.")
	}

	return ""
}
