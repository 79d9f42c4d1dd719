package sync

import (
	"slices"

	"bincard/server/api"
	"bincard/tui/widget"
)

// StatusNotice is what somebody at work must hear of how the way to the service stands,
// once, when it becomes so; "" where nothing is new.
func StatusNotice(before, now *api.Sync) string {
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
		return newsDamage
	case fresh(api.AlarmKey):
		return newsKey
	case more == 1:
		return newsDecideOne
	case more > 1:
		return sprintf(newsDecide, widget.Count(more))
	case now.State == api.SyncQuota && before.State != api.SyncQuota:
		return newsQuota
	case fresh(api.AlarmLate):
		return newsLate
	}
	return ""
}
