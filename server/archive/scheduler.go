package archive

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bincard/server"
)

// A Scheduler backs a live ledger up periodically.
type Scheduler struct {
	Server *server.Server
	// Dir is the directory of the backups; it is created if it does not exist.
	Dir string
	// Every is the time between two backups.
	Every time.Duration
	// Keep is the number of backups to keep, the newest; 0 means all.
	Keep int
	Log  *slog.Logger
	// Now returns the time; nil means time.Now.
	Now func() time.Time
	// OnDone is called with the result of each backup, and OnFound with the
	// time of one that an earlier run made; either may be nil.
	OnDone  func(start time.Time, err error)
	OnFound func(time.Time)
}

// A backup is named after the time at which it was started, in UTC.
const (
	filePrefix = "bincard-"
	timeFormat = "20060102T150405Z"
	extension  = ".db"
)

// Run makes a backup whenever one is due until ctx ends. The first is due
// after the newest existing one, so that restarts neither skip nor repeat a
// backup. A failed backup is logged and retried after a tenth of the interval.
func (k *Scheduler) Run(ctx context.Context) {
	now := k.Now
	if now == nil {
		now = time.Now
	}

	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}

		start := now()
		wait, err := k.RunOnce(start)
		if err != nil {
			k.Log.Error("backup failed", "dir", k.Dir, "error", err)
			wait = k.Every / 10
			k.done(start, err)
		}

		timer.Reset(max(wait, time.Second))
	}
}

// RunOnce makes a backup if one is due, removes old ones, and returns the time
// until the next one.
func (k *Scheduler) RunOnce(now time.Time) (wait time.Duration, err error) {
	if err := os.MkdirAll(k.Dir, 0o700); err != nil {
		return 0, fmt.Errorf("cannot create %s: %w", k.Dir, err)
	}

	k.removePartial()
	if list, err := k.copies(); err != nil {
		return 0, err
	} else if len(list) > 0 {
		// A backup from the future was made with a wrong clock and is ignored.
		if wait := list[len(list)-1].Add(k.Every).Sub(now); wait > 0 && wait <= k.Every {
			if k.OnFound != nil {
				k.OnFound(list[len(list)-1])
			}
			return wait, nil
		}
	}

	name := filepath.Join(k.Dir, filePrefix+now.UTC().Format(timeFormat)+extension)
	start := time.Now()
	k.Server.LogHeads(context.Background(), k.Log)
	size, err := WriteLive(k.Server, name)
	if err != nil {
		return 0, err
	}

	k.Log.Info("backup written", "file", name, "bytes", size, "seconds", time.Since(start).Seconds())
	if err := k.prune(); err != nil {
		return 0, err
	}

	k.done(now, nil)

	return k.Every, nil
}

func (k *Scheduler) done(start time.Time, err error) {
	if k.OnDone != nil {
		k.OnDone(start, err)
	}
}

// copies returns the times of the existing backups, oldest first.
func (k *Scheduler) copies() (list []time.Time, err error) {
	entries, err := os.ReadDir(k.Dir)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", k.Dir, err)
	}

	for _, e := range entries {
		text, ok := strings.CutPrefix(strings.TrimSuffix(e.Name(), extension), filePrefix)
		if at, err := time.Parse(timeFormat, text); ok && err == nil && strings.HasSuffix(e.Name(), extension) {
			list = append(list, at)
		}
	}

	slices.SortFunc(list, time.Time.Compare)

	return list, nil
}

// prune removes the oldest backups. It runs after a new one was made, so that
// a failure does not remove old ones.
func (k *Scheduler) prune() error {
	list, err := k.copies()
	if err != nil || k.Keep <= 0 || len(list) <= k.Keep {
		return err
	}
	for _, at := range list[:len(list)-k.Keep] {
		if err := os.Remove(filepath.Join(k.Dir, filePrefix+at.Format(timeFormat)+extension)); err != nil {
			return fmt.Errorf("cannot remove an old backup: %w", err)
		}
	}

	return nil
}

// removePartial removes unfinished backups.
func (k *Scheduler) removePartial() {
	files, _ := filepath.Glob(filepath.Join(k.Dir, "."+filePrefix+"*"+partSuffix))
	for _, name := range files {
		_ = os.Remove(name)
	}
}
