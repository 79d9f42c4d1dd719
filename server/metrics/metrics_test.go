package metrics_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/metrics"
)

func TestText_OrdersMetricsAndEscapesLabels(t *testing.T) {
	t.Parallel()

	h := metrics.NewHistogram("wait_seconds", "Waits.", metrics.Powers(.5, 4, 2), "queue", "reads")
	for _, seconds := range []float64{.25, .5, 1, 7} {
		h.Observe(seconds)
	}
	page := metrics.Collect(h.Collect, func(p *metrics.Page) {
		p.Gauge("size", "Size.", 1e9, "kind", "log")
		p.Counter("files_total", "Files.", 3)
		p.Gauge("size", "Size.", 0.5, "kind", "a\"b\\c\nd", "state", "new")
	})

	require.Equal(t, `# HELP files_total Files.
# TYPE files_total counter
files_total 3
# HELP size Size.
# TYPE size gauge
size{kind="log"} 1e+09
size{kind="a\"b\\c\nd",state="new"} 0.5
# HELP wait_seconds Waits.
# TYPE wait_seconds histogram
wait_seconds_bucket{queue="reads",le="0.5"} 2
wait_seconds_bucket{queue="reads",le="2"} 3
wait_seconds_bucket{queue="reads",le="+Inf"} 4
wait_seconds_sum{queue="reads"} 8.75
wait_seconds_count{queue="reads"} 4
`, string(page.Text()))
}
