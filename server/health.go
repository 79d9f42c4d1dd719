package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"bincard/server/ledger/audit"
	"bincard/server/metrics"
	"bincard/server/store"
	"bincard/server/store/pgstore"
)

// Health records the results of the last backup and verification of a running
// ledger, for operators. The zero value has none.
type Health struct {
	now                  func() time.Time // nil means time.Now
	mu                   sync.Mutex
	backup, verification outcome
	heads                []audit.Head
}

// LogHeads logs the newest journal entries and shows them in the metrics, so that whoever
// keeps either can prove later that no entry before them was changed.
func (s *Server) LogHeads(ctx context.Context, log *slog.Logger) {
	heads, err := s.Ledger.Heads(ctx)
	if err != nil {
		log.Warn("cannot read the newest journal entries", "error", err)
		return
	}

	for _, h := range heads {
		log.Info(
			"newest journal entry",
			"organization",
			h.Organization,
			"environment",
			h.Environment,
			"head",
			h.String(),
		)
	}

	s.Health.mu.Lock()
	defer s.Health.mu.Unlock()
	s.Health.heads = heads
}

// An outcome is the last result of a recurring task.
type outcome struct {
	ended    time.Time // zero if never
	duration time.Duration
	err      error
	problems int
	success  time.Time // when it last succeeded
}

// BackedUp records the result of a backup started at start.
func (h *Health) BackedUp(start time.Time, err error) { h.note(&h.backup, start, 0, err) }

// BackedUpBefore records a backup made by an earlier run.
func (h *Health) BackedUpBefore(at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if at.After(h.backup.success) {
		h.backup.success = at
	}
}

// Verified records the result of a verification started at start: the number
// of problems found, or why it failed.
func (h *Health) Verified(start time.Time, problems int, err error) {
	h.note(&h.verification, start, problems, err)
}

func (h *Health) note(o *outcome, start time.Time, problems int, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := *o
	now := clock(h.now)
	*o = outcome{ended: now, duration: now.Sub(start), err: err, problems: problems, success: before.success}
	switch {
	case err != nil:
		o.problems = before.problems // keep the last known result
	case problems == 0:
		o.success = o.ended
	}
}

// state returns warnings and the error that makes the service unready. Both
// are public, and name no organization.
func (h *Health) state() (warnings []string, failed error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	const at = "2006-01-02 15:04 MST"
	if n := h.verification.problems; n > 0 {
		failed = fmt.Errorf(
			"the last verification found %d problems. Copy the data directory, then run 'bincard verify' to list them",
			n)
	}

	if h.verification.err != nil {
		warnings = append(warnings,
			fmt.Sprintf("the verification of %s failed; see the log", h.verification.ended.UTC().Format(at)))
	}

	if h.backup.err != nil {
		last := "none"
		if !h.backup.success.IsZero() {
			last = h.backup.success.UTC().Format(at)
		}
		warnings = append(warnings,
			fmt.Sprintf("the backup of %s failed; last backup: %s; see the log", h.backup.ended.UTC().Format(at), last))
	}

	return warnings, failed
}

// readyTimeout limits the check whether the store can be read.
const readyTimeout = 3 * time.Second

// ready returns why the service cannot accept requests, and otherwise warnings
// for operators. Both are public.
func (s *Server) ready(ctx context.Context) (warnings []string, err error) {
	limited, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	err = s.store.View(limited, store.Partition{}, func(store.Reader) error { return nil })
	switch {
	case err != nil && limited.Err() != nil && ctx.Err() == nil:
		cmp.Or(s.log, slog.Default()).Error("the database did not answer in time", "error", err)
		return nil, errors.New("the database did not answer in time")
	case errors.Is(err, store.ErrUncertain):
		return nil, fmt.Errorf("%w: a write may not be on disk; restart the service", errStopped)
	case errors.Is(err, store.ErrClosed):
		return nil, fmt.Errorf("%w: the service is shutting down", errStopped)
	case errors.Is(err, pgstore.ErrStandby):
		return nil, pgstore.ErrStandby
	case errors.Is(err, store.ErrUnavailable):
		cmp.Or(s.log, slog.Default()).Error("cannot reach the database", "error", err)
		return nil, errors.New("the database cannot be reached; see the log")
	case err != nil:
		cmp.Or(s.log, slog.Default()).Error("cannot read the store", "error", err)
		return nil, errors.New("the store cannot be read; see the log")
	}

	return s.Health.state()
}

// describeDatabase describes the database and its connections. It returns nil if that fails.
func (s *Server) describeDatabase(ctx context.Context) any {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	state, err := s.Database.State(ctx)
	if err != nil {
		cmp.Or(s.log, slog.Default()).Warn("cannot describe the database", "error", err)
		return nil
	}
	return state
}

var errStopped = errors.New("the store has stopped")

// Collect adds the results of backups and verifications. It omits what was never done.
func (h *Health) Collect(p *metrics.Page) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.backup.collect(p, "backup", "backup")
	h.verification.collect(p, "proof", "verification")
	if !h.verification.ended.IsZero() {
		p.Gauge("bincard_proof_problems", "Problems found by the last completed verification.",
			float64(h.verification.problems))
	}
	for _, head := range h.heads {
		p.Gauge("bincard_ledger_head",
			"Number of the newest journal entry at the last backup or verification, by its hash.", float64(head.Seq),
			"hash", head.Hash)
	}
}

func (o outcome) collect(p *metrics.Page, name, what string) {
	name = "bincard_" + name + "_last_"
	if !o.success.IsZero() {
		p.Gauge(name+"success_timestamp_seconds", "Time of the last successful "+what+".", float64(o.success.Unix()))
	}
	if o.ended.IsZero() {
		return
	}

	p.Gauge(name+"duration_seconds", "Duration of the last "+what+".", o.duration.Seconds())
	ok := 0.0
	if o.err == nil && o.problems == 0 {
		ok = 1
	}

	p.Gauge(name+"ok", "1 if the last "+what+" succeeded, 0 if not.", ok)
}
