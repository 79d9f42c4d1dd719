package metrics

import (
	"math"
	"slices"
	"strconv"
	"sync/atomic"
)

// A Histogram counts observed values in buckets.
type Histogram struct {
	name, help string
	labels     []string
	bounds     []float64       // the highest value of each bucket but the last, which has none
	counts     []atomic.Uint64 // by bucket
	sum        atomic.Uint64   // the bits of a float64
}

// NewHistogram returns an empty histogram; for the labels see Page.Gauge.
func NewHistogram(name, help string, bounds []float64, labels ...string) *Histogram {
	return &Histogram{
		name:   name,
		help:   help,
		labels: labels,
		bounds: bounds,
		counts: make([]atomic.Uint64, len(bounds)+1),
	}
}

// Powers returns n bounds, each factor times the one before.
func Powers(first, factor float64, n int) []float64 {
	bounds := make([]float64, n)
	for i := range bounds {
		bounds[i] = first
		first *= factor
	}
	return bounds
}

// Observe counts a value.
func (h *Histogram) Observe(value float64) {
	bucket, _ := slices.BinarySearch(h.bounds, value)
	h.counts[bucket].Add(1)
	for {
		old := h.sum.Load()
		if h.sum.CompareAndSwap(old, math.Float64bits(math.Float64frombits(old)+value)) {
			return
		}
	}
}

// Collect is a Collector.
func (h *Histogram) Collect(p *Page) {
	m := p.of(h.name, "histogram", h.help)
	total := 0.0
	for i := range h.counts {
		bound := "+Inf"
		if i < len(h.bounds) {
			bound = strconv.FormatFloat(h.bounds[i], 'g', -1, 64)
		}

		total += float64(h.counts[i].Load())
		m.add(h.name+"_bucket", total, slices.Concat(h.labels, []string{"le", bound})...)
	}

	m.add(h.name+"_sum", math.Float64frombits(h.sum.Load()), h.labels...)
	m.add(h.name+"_count", total, h.labels...)
}
