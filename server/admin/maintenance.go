package admin

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"bincard/server"
	"bincard/server/archive"
)

// Maintenance configures the backups and verifications of a running service.
type Maintenance struct {
	BackupDir   string // no backups if empty
	BackupEvery time.Duration
	BackupKeep  int           // the number of backups to keep; 0 for all
	VerifyEvery time.Duration // no verifications if 0
}

// Start backs up and verifies s until ctx ends or stop is called. stop waits for
// what is in progress, and may be called twice.
func (m *Maintenance) Start(ctx context.Context, s *server.Server, admin Admin, log *slog.Logger) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	if m.BackupDir != "" {
		k := &archive.Scheduler{
			Server:  s,
			Dir:     m.BackupDir,
			Every:   m.BackupEvery,
			Keep:    m.BackupKeep,
			Log:     log,
			Now:     s.Now,
			OnDone:  s.Health.BackedUp,
			OnFound: s.Health.BackedUpBefore,
		}

		all.Go(func() { k.Run(ctx) })
	}

	if m.VerifyEvery > 0 {
		all.Go(func() { verifyEvery(ctx, m.VerifyEvery, admin) })
	}

	return func() { cancel(); all.Wait() }
}

func verifyEvery(ctx context.Context, every time.Duration, admin Admin) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}

		_, _ = admin.Verify(ctx, true, nil) // it logs the result
	}
}
