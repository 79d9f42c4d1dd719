package main

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"bincard/server"
	"bincard/server/archive"
	"bincard/server/local"
)

// A maintenance configures the backups and verifications of a running service.
type maintenance struct {
	backupDir   string
	backupEvery time.Duration
	backupKeep  int
	verifyEvery time.Duration
}

func (c *maintenance) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.backupDir, "backup-dir", "", "the directory for backups made while the service runs")
	cmd.Flags().DurationVar(&c.backupEvery, "backup-every", 24*time.Hour, "the time between backups")
	cmd.Flags().IntVar(&c.backupKeep, "backup-keep", 14, "the number of backups to keep; 0 for all")
	cmd.Flags().DurationVar(&c.verifyEvery, "verify-every", 0, "how often to verify the ledger while the service runs; 0 for never")
}

func (c *maintenance) check() error {
	switch {
	case c.backupEvery < time.Second:
		return usageErrorf("--backup-every must be at least 1s, not %s", c.backupEvery)
	case c.backupKeep < 0:
		return usageErrorf("--backup-keep must be 0 or more, not %d", c.backupKeep)
	case c.verifyEvery != 0 && c.verifyEvery < time.Second:
		return usageErrorf("--verify-every must be at least 1s, or 0, not %s", c.verifyEvery)
	}
	return nil
}

// start takes care until ctx ends or the result is called, which waits for what
// is under way. It may be called twice.
func (c *maintenance) start(ctx context.Context, s *server.Server, desk local.Admin, log *slog.Logger) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	if c.backupDir != "" {
		k := &archive.Scheduler{Store: s.Store, Dir: c.backupDir, Every: c.backupEvery, Keep: c.backupKeep, Log: log, Now: clockNow,
			OnDone: s.Health.BackedUp, OnFound: s.Health.BackedUpBefore}
		all.Go(func() { k.Run(ctx) })
	}
	if c.verifyEvery > 0 {
		all.Go(func() { c.runVerify(ctx, desk) })
	}
	return func() { cancel(); all.Wait() }
}

// runVerify proves the ledger again and again.
func (c *maintenance) runVerify(ctx context.Context, desk local.Admin) {
	tick := time.NewTicker(c.verifyEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		_, _ = desk.Verify(ctx, true, nil) // the desk logs and keeps how it ended
	}
}
