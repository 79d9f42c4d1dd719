package ledger

import (
	"context"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// maxTimer limits how long Run waits: the wall clock may be set, and a machine
// may sleep.
const maxTimer = time.Minute

// sharedTimer is as long where other processes write too: Run then looks for what they have
// created.
const sharedTimer = 10 * time.Second

// Run expires reservations when they fall due, until ctx is done. It must not be
// called concurrently.
func (s *scheduler) Run(ctx context.Context) error {
	if err := s.find(ctx); err != nil {
		return err
	}

	_, shared := s.l.store.(store.Shared)
	for found := s.l.instant(ctx); ctx.Err() == nil; {
		wait := s.expireAll(ctx)
		if shared {
			wait = min(wait, sharedTimer)
		}

		timeout := false
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-s.l.after(wait):
			timeout = true
		}

		if now := s.l.instant(ctx); shared && (timeout || now.Sub(found) >= sharedTimer) {
			found = now
			if err := s.find(ctx); err != nil {
				s.l.log.Error("cannot find the reservations of other processes", "error", err)
			}
		}
	}

	return nil
}

// find adds the partitions that the store has, and what other processes have reserved.
func (s *scheduler) find(ctx context.Context) error {
	parts, err := s.l.store.Partitions(ctx)
	if err == nil {
		err = store.Refresh(ctx, s.l.store, parts...)
	}
	if ctx.Err() != nil {
		return nil
	}
	for _, p := range parts {
		if p != (store.Partition{}) {
			s.schedule(p)
		}
	}

	return err
}

// expireAll expires what is due in all partitions and returns how long to wait
// for the next.
func (s *scheduler) expireAll(ctx context.Context) time.Duration {
	s.mu.RLock()
	parts := make([]store.Partition, 0, len(s.all))
	for p := range s.all {
		parts = append(parts, p)
	}

	s.mu.RUnlock()
	wait := maxTimer
	for _, p := range parts {
		now, err := s.Now(ctx, p)
		if ctx.Err() != nil {
			return 0
		}

		if err != nil {
			s.l.log.Error("reservations cannot expire", "organization", p.Organization, "environment", p.Environment,
				"error", err)
			wait = min(wait, time.Second)
			continue
		}

		next := api.Instant(time.UnixMilli(min(s.schedule(p).next.Load(), now.Add(maxTimer).UnixMilli())))
		wait = min(wait, max(0, next.Sub(now)))
	}

	return wait
}
