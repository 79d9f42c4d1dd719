package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"bincard/server/store"
)

// Health keeps how the last copy and the last proof of a ledger that runs
// ended, for who looks after it. Its zero value knows of none.
type Health struct {
	now                  func() time.Time // time.Now where nil
	mu                   sync.Mutex
	backup, verification outcome
}

// An outcome is how something ended that is done again and again.
type outcome struct {
	ended    time.Time // zero where it never has
	took     time.Duration
	err      error
	problems int
	success  time.Time // when it last went well
}

// BackedUp notes how a copy ended that began then.
func (h *Health) BackedUp(began time.Time, err error) { h.note(&h.backup, began, 0, err) }

// BackedUpBefore notes a copy that an earlier run made.
func (h *Health) BackedUpBefore(at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if at.After(h.backup.success) {
		h.backup.success = at
	}
}

// Verified notes how a proof ended that began then: how many problems it found,
// or why it could not be done.
func (h *Health) Verified(began time.Time, problems int, err error) {
	h.note(&h.verification, began, problems, err)
}

func (h *Health) note(o *outcome, began time.Time, problems int, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := *o
	now := clock(h.now)
	*o = outcome{ended: now, took: now.Sub(began), err: err, problems: problems, success: before.success}
	switch {
	case err != nil:
		o.problems = before.problems // what is not known anew is as it was
	case problems == 0:
		o.success = o.ended
	}
}

// state tells what is wrong in words that name no organization: what keeps the
// service from being relied on, and what somebody ought to look at.
func (h *Health) state() (warnings []string, failed error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	const at = "2006-01-02 15:04 MST"
	if n := h.verification.problems; n > 0 {
		failed = fmt.Errorf("the ledger did not add up when it was proven last: %d found. 'bincard verify' names them; keep a copy of the data directory before anything else", n)
	}
	if h.verification.err != nil {
		warnings = append(warnings, fmt.Sprintf("the proof of %s could not be done; the log says why", h.verification.ended.UTC().Format(at)))
	}
	if h.backup.err != nil {
		last := "none has been made yet"
		if !h.backup.success.IsZero() {
			last = "the last one is of " + h.backup.success.UTC().Format(at)
		}
		warnings = append(warnings, fmt.Sprintf("the backup of %s failed, and %s; the log says why", h.backup.ended.UTC().Format(at), last))
	}
	return warnings, failed
}

// ready tells why requests should not be sent here, and what somebody ought to
// look at though they may. The words name no organization: anybody may read them.
func (s *Server) ready(ctx context.Context) (warnings []string, err error) {
	err = s.Store.View(ctx, store.Partition{}, func(store.Reader) error { return nil })
	switch {
	case errors.Is(err, store.ErrUncertain):
		return nil, fmt.Errorf("%w: a write could not be flushed, and what the disk holds is known only when the service is started again", errStopped)
	case errors.Is(err, store.ErrClosed):
		return nil, fmt.Errorf("%w: the service is ending", errStopped)
	case err != nil:
		cmp.Or(s.log, slog.Default()).Error("the store cannot be read", "error", err)
		return nil, errors.New("the store cannot be read; the log says why")
	}
	return s.Health.state()
}

var errStopped = errors.New("the store has stopped")

var (
	backupDescs       = newDescs("backup", "copy of the ledger")
	verificationDescs = newDescs("proof", "proof of the ledger")
	problemsDesc      = prometheus.NewDesc("bincard_proof_problems", "What did not add up in the last proof that was done.", nil, nil)
)

// descs are of what an outcome shows.
type descs struct{ success, took, ok *prometheus.Desc }

func newDescs(name, what string) descs {
	of := func(measure, help string) *prometheus.Desc {
		return prometheus.NewDesc("bincard_"+name+"_last_"+measure, help, nil, nil)
	}
	return descs{of("success_timestamp_seconds", "When the last "+what+" ended well."),
		of("duration_seconds", "How long the last "+what+" took."),
		of("ok", "1 where the last "+what+" went well, 0 where not.")}
}

// Describe names the metrics of both.
func (h *Health) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []descs{backupDescs, verificationDescs} {
		ch <- d.success
		ch <- d.took
		ch <- d.ok
	}
	ch <- problemsDesc
}

// Collect shows what is known; what was never done is not there.
func (h *Health) Collect(ch chan<- prometheus.Metric) {
	h.mu.Lock()
	defer h.mu.Unlock()
	gauge := func(d *prometheus.Desc, v float64) { ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v) }
	show := func(o outcome, d descs) {
		if !o.success.IsZero() {
			gauge(d.success, float64(o.success.Unix()))
		}
		if !o.ended.IsZero() {
			gauge(d.took, o.took.Seconds())
			gauge(d.ok, map[bool]float64{true: 1}[o.err == nil && o.problems == 0])
		}
	}
	show(h.backup, backupDescs)
	show(h.verification, verificationDescs)
	if !h.verification.ended.IsZero() {
		gauge(problemsDesc, float64(h.verification.problems))
	}
}
