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

	"bincard/server/store/boltstore"
)

// A Scheduler copies a live store again and again.
type Scheduler struct {
	Store *boltstore.Store
	// Dir is where the copies go; it is made where it is not there.
	Dir string
	// Every is how long after a copy the next one is made.
	Every time.Duration
	// Keep is how many copies stay, the newest; 0 is all.
	Keep int
	Log  *slog.Logger
	// Now is the clock; time.Now where nil.
	Now func() time.Time
	// OnDone hears how each copy ended, and Found of one that an earlier run made;
	// either may be nil.
	OnDone  func(began time.Time, err error)
	OnFound func(time.Time)
}

// name is that of a copy: the instant at which it was begun, in UTC.
const (
	filePrefix = "bincard-"
	timeFormat = "20060102T150405Z"
	extension  = ".db"
)

// Run makes a copy whenever one is due until ctx ends. The first one is due
// after the newest that is there, so that restarts neither skip nor repeat one.
// A copy that fails is logged and tried again after a tenth of the time.
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
		began := now()
		wait, err := k.RunOnce(began)
		if err != nil {
			k.Log.Error("backup failed", "dir", k.Dir, "error", err)
			wait = k.Every / 10
			k.done(began, err)
		}
		timer.Reset(max(wait, time.Second))
	}
}

// RunOnce makes a copy when one is due at now, removes those too many, and tells
// how long it is until the next one.
func (k *Scheduler) RunOnce(now time.Time) (wait time.Duration, err error) {
	if err := os.MkdirAll(k.Dir, 0o700); err != nil {
		return 0, fmt.Errorf("cannot create %s: %w", k.Dir, err)
	}
	k.removePartial()
	if list, err := k.copies(); err != nil {
		return 0, err
	} else if len(list) > 0 {
		// A copy of the future is one of a clock that was wrong: it puts nothing off.
		if wait := list[len(list)-1].Add(k.Every).Sub(now); wait > 0 && wait <= k.Every {
			if k.OnFound != nil {
				k.OnFound(list[len(list)-1])
			}
			return wait, nil
		}
	}
	name := filepath.Join(k.Dir, filePrefix+now.UTC().Format(timeFormat)+extension)
	began := time.Now()
	size, err := Write(k.Store, name)
	if err != nil {
		return 0, err
	}
	k.Log.Info("backup written", "file", name, "bytes", size, "seconds", time.Since(began).Seconds())
	if err := k.prune(); err != nil {
		return 0, err
	}
	k.done(now, nil)
	return k.Every, nil
}

func (k *Scheduler) done(began time.Time, err error) {
	if k.OnDone != nil {
		k.OnDone(began, err)
	}
}

// copies are the instants of those that are there, oldest first.
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

// prune removes the oldest copies beyond those to keep. It runs after a copy
// was made, so one that cannot be made costs none of the old ones.
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

// removePartial removes what an interrupted copy left.
func (k *Scheduler) removePartial() {
	left, _ := filepath.Glob(filepath.Join(k.Dir, "."+filePrefix+"*"+partSuffix))
	for _, name := range left {
		_ = os.Remove(name)
	}
}
