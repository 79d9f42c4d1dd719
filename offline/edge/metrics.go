package edge

import (
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"bincard/offline"
	"bincard/server/api"
)

// A collector reports the sync status of an edge.
type collector struct {
	node *offline.Node
	now  func() time.Time

	waiting, sent, refused, held, oldest, link, age, alarm, stuck *prometheus.Desc
}

// NewCollector returns the metrics of an edge's node.
func NewCollector(n *offline.Node, now func() time.Time) prometheus.Collector {
	d := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("bincard_edge_"+name, help, labels, nil)
	}
	return &collector{node: n, now: now,
		waiting: d("work_waiting", "Operations that have not synced yet."),
		sent:    d("work_sent", "Pending operations that were sent and have no response."),
		refused: d("work_refused", "Operations that failed and have not been resolved."),
		held:    d("work_held", "Operations that need a decision before they sync."),
		oldest:  d("work_oldest_seconds", "Age of the oldest operation that is pending, failed or needs a decision; 0 if there are none."),
		link:    d("line", "Connection to the service: 1 for its current state.", "state"),
		stuck:   d("work_stuck", "Pending operations that repeatedly get no answer although other requests do."),
		alarm:   d("alarm", "Conditions that need attention: 1 if active.", "alarm"),
		age:     d("replica_age_seconds", "Time since the local data was last current; -1 before the first sync.")}
}

// Describe implements prometheus.Collector.
func (m *collector) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(m, to) }

// Collect implements prometheus.Collector.
func (m *collector) Collect(to chan<- prometheus.Metric) {
	s, now := m.node.Sync(), m.now()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	since := func(t *time.Time, none float64) float64 {
		if t == nil {
			return none
		}
		return max(0, now.Sub(*t).Seconds())
	}
	gauge(m.waiting, float64(s.Waiting))
	gauge(m.sent, float64(s.Sent))
	gauge(m.refused, float64(s.Refused))
	gauge(m.held, float64(s.Held))
	gauge(m.oldest, since(s.Oldest, 0))
	gauge(m.age, since(s.Read, -1))
	gauge(m.stuck, float64(s.Stuck))
	for _, a := range api.SyncAlarm("").Values() {
		is := 0.0
		if slices.Contains(s.Alarms, api.SyncAlarm(a)) {
			is = 1
		}
		gauge(m.alarm, is, a)
	}
	for _, state := range api.SyncState("").Values() {
		is := 0.0
		if state == string(s.State) {
			is = 1
		}
		gauge(m.link, is, state)
	}
}
