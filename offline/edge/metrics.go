package edge

import (
	"slices"
	"time"

	"bincard/offline"
	"bincard/server/api"
	"bincard/server/metrics"
)

// NewCollector returns the metrics of an edge's node.
func NewCollector(n *offline.Node, now func() time.Time) metrics.Collector {
	return func(p *metrics.Page) {
		s := n.Sync()
		gauge := func(name, help string, value float64, labels ...string) {
			p.Gauge("bincard_edge_"+name, help, value, labels...)
		}
		since := func(t *time.Time, none float64) float64 {
			if t == nil {
				return none
			}
			return max(0, now().Sub(*t).Seconds())
		}

		gauge("work_waiting", "Operations that have not synced yet.", float64(s.Waiting))
		gauge("work_sent", "Pending operations that were sent and have no response.", float64(s.Sent))
		gauge("work_refused", "Operations that failed and have not been resolved.", float64(s.Refused))
		gauge("work_held", "Operations that need a decision before they sync.", float64(s.Held))
		gauge("work_oldest_seconds",
			"Age of the oldest operation that is pending, failed or needs a decision; 0 if there are none.",
			since(s.Oldest, 0))
		gauge("replica_age_seconds", "Time since the local data was last current; -1 before the first sync.",
			since(s.Read, -1))
		gauge("work_stuck", "Pending operations that repeatedly get no answer although other requests do.",
			float64(s.Stuck))

		for _, a := range api.SyncAlarm("").Values() {
			gauge("alarm", "Conditions that need attention: 1 if active.",
				oneIf(slices.Contains(s.Alarms, api.SyncAlarm(a))), "alarm", a)
		}
		for _, state := range api.SyncState("").Values() {
			gauge("line", "Connection to the service: 1 for its current state.", oneIf(state == string(s.State)),
				"state", state)
		}
	}
}

func oneIf(active bool) float64 {
	if active {
		return 1
	}
	return 0
}
