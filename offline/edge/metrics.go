package edge

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"bincard/offline"
	"bincard/server/api"
)

// collector tell how an edge stands, whenever somebody looks.
type collector struct {
	node *offline.Node
	now  func() time.Time

	waiting, sent, refused, held, oldest, link, age *prometheus.Desc
}

// NewCollector are the metrics of a node that keeps work for its site.
func NewCollector(n *offline.Node, now func() time.Time) prometheus.Collector {
	d := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("bincard_edge_"+name, help, labels, nil)
	}
	return &collector{node: n, now: now,
		waiting: d("work_waiting", "Operations that are not in the service yet."),
		sent:    d("work_sent", "Operations of those that wait that were sent and have no answer."),
		refused: d("work_refused", "Operations that the service refused and nobody has settled."),
		held:    d("work_held", "Operations that a person must decide about before they are sent."),
		oldest:  d("work_oldest_seconds", "Age of the oldest operation that waits, was refused or is held; 0 where there is none."),
		link:    d("line", "The way to the service: 1 for the state that it is in.", "state"),
		age:     d("replica_age_seconds", "Time since what shows was last known to be what the service has; -1 before it ever was.")}
}

// Describe and Collect are of prometheus.Collector.
func (m *collector) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(m, to) }

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
	for _, state := range api.SyncState("").Values() {
		is := 0.0
		if state == string(s.State) {
			is = 1
		}
		gauge(m.link, is, state)
	}
}
