package session

import (
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// AlarmText says in one sentence what an alarm of a node is about.
func AlarmText(t *i18n.Translator, st *api.Sync, alarm api.SyncAlarm, now time.Time) string {
	switch alarm {
	case api.AlarmDisk:
		return t.Get("The disk does not accept new work.")
	case api.AlarmMirror:
		return t.Get("New work has no second copy. Check the mirror's disk.")
	case api.AlarmDamage:
		return t.Get("Some saved work cannot be read.")
	case api.AlarmCopy:
		return t.Get("This data directory is in use twice, so nothing is sent.")
	case api.AlarmKey:
		return t.Get("The service rejected the key, so nothing is sent.")
	case api.AlarmForeign:
		return t.Get("Something else is answering for the service.")
	case api.AlarmDecision:
		return t.Get("Decisions needed in Sync: %s.", t.Count(st.Refused+st.Held))
	case api.AlarmStuck:
		return t.Get("Work that gets no answer: %s.", t.Count(st.Stuck))
	case api.AlarmQuota:
		return t.Get("Monthly quota used up. Work is saved and syncs later.")
	case api.AlarmClock:
		return t.Get("A clock differs from the service's.")
	}

	if st.Oldest != nil {
		return t.Get("Work from %s has not synced yet.", t.TimeOrDay(*st.Oldest, now))
	}

	return t.Get("Some work has been waiting to sync for a long time.")
}
