package session

import (
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// AlarmText says in one sentence what an alarm of a node is about.
func AlarmText(t *i18n.Translator, st *api.Sync, alarm api.SyncAlarm, now time.Time) string {
	switch alarm {
	case api.AlarmDecision:
		return t.Get("Decisions needed in Sync: %s.", t.Count(st.Refused+st.Held))
	case api.AlarmStuck:
		return t.Get("Work that gets no answer: %s.", t.Count(st.Stuck))
	}

	if text := alarmTexts[alarm]; text != "" {
		return t.Get(text)
	}
	if st.Oldest != nil {
		return t.Get("Work from %s has not synced yet.", t.TimeOrDay(*st.Oldest, now))
	}

	return t.Get("Some work has been waiting to sync for a long time.")
}

// alarmTexts are the alarms without numbers.
var alarmTexts = i18n.Texts[api.SyncAlarm]{
	api.AlarmDisk:    "The disk does not accept new work.",
	api.AlarmMirror:  "New work has no second copy. Check the mirror's disk.",
	api.AlarmDamage:  "Some saved work cannot be read.",
	api.AlarmCopy:    "This data directory is in use twice, so nothing is sent.",
	api.AlarmKey:     "The service rejected the key, so nothing is sent.",
	api.AlarmForeign: "Something else is answering for the service.",
	api.AlarmQuota:   "Monthly quota used up. Work is saved and syncs later.",
	api.AlarmClock:   "A clock differs from the service's.",
}
