package admin

import (
	"context"
	"io"
	"log/slog"

	"bincard/server"
	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/archive"
	"bincard/server/ledger"
	"bincard/server/ledger/audit"
)

// An Admin administers the ledger in a directory.
type Admin interface {
	// Organizations lists the organizations, oldest first.
	Organizations(ctx context.Context) ([]api.Organization, error)
	// CreateOrganization creates an organization with a default owner and
	// channel.
	CreateOrganization(ctx context.Context, name string) (api.Organization, error)
	// Keys lists the keys of an organization, newest first, including revoked
	// ones.
	Keys(ctx context.Context, organization api.ID) ([]account.APIKey, error)
	// CreateKey creates a key and returns its secret, which is not stored.
	CreateKey(ctx context.Context, in account.KeyInput) (secret string, key account.APIKey, err error)
	// RevokeKey revokes a key at once, with its descendants if descendants is set.
	RevokeKey(ctx context.Context, organization, id api.ID, descendants bool) (account.Revocation, error)
	// SetPlan sets the limits of an organization in one environment.
	SetPlan(ctx context.Context, organization api.ID, env api.Environment, limits api.Limits) (api.Plan, error)
	// Rules returns the rules of an organization in one environment, and
	// SetRules sets them.
	Rules(ctx context.Context, organization api.ID, env api.Environment) (api.Rules, error)
	SetRules(ctx context.Context, organization api.ID, env api.Environment, in api.Rules) (api.Rules, error)
	// Backup writes a backup of the ledger to w. It is valid only if there is
	// no error.
	Backup(ctx context.Context, w io.Writer, progress archive.ProgressFunc) error
	// Verify verifies the ledger; with pages, also the pages of the file.
	Verify(ctx context.Context, pages bool, progress archive.ProgressFunc) (*audit.Result, error)
	// HeadsAt returns the journal entry with a sequence number of each
	// organization and environment that has one.
	HeadsAt(ctx context.Context, seq int64) ([]audit.Head, error)
}

// A DirectAdmin administers a ledger in a process that has it open. It runs
// one backup or verification at a time, and records the results in the
// server's Health.
type DirectAdmin struct {
	*ledger.Ledger
	server   *server.Server
	dir      string
	verifier archive.Verifier
	log      *slog.Logger
	busy     chan struct{}
}

var _ Admin = (*DirectAdmin)(nil)

// NewDirectAdmin returns the Admin of s, which has dir open, or the database with that
// name. It verifies copies with verifier, and logs the results of backups and
// verifications.
func NewDirectAdmin(s *server.Server, dir string, verifier archive.Verifier, log *slog.Logger) *DirectAdmin {
	return &DirectAdmin{
		Ledger:   s.Ledger,
		server:   s,
		dir:      dir,
		verifier: verifier,
		log:      log,
		busy:     make(chan struct{}, 1),
	}
}

// acquire waits until no other backup or verification is running.
func (o *DirectAdmin) acquire(ctx context.Context, progress archive.ProgressFunc) (done func(), err error) {
	done = func() { <-o.busy }
	select {
	case o.busy <- struct{}{}:
		return done, nil
	default:
		progress.Report(archive.Waiting, 0, 0)
	}

	select {
	case o.busy <- struct{}{}:
		return done, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Backup copies the live store.
func (o *DirectAdmin) Backup(ctx context.Context, w io.Writer, progress archive.ProgressFunc) error {
	done, err := o.acquire(ctx, progress)
	if err != nil {
		return err
	}

	defer done()
	start := o.server.Now()
	o.server.LogHeads(ctx, o.log)
	err = archive.Stream(ctx, o.server, w, progress)
	elapsed := slog.Float64("seconds", o.server.Now().Sub(start).Seconds())
	switch {
	case ctx.Err() != nil:
		o.log.Info("backup stopped", "data", o.dir, elapsed)
		return ctx.Err()
	case err != nil:
		o.log.Error("backup failed", "data", o.dir, elapsed, "error", err)
	default:
		o.log.Info("backup sent", "data", o.dir, elapsed)
	}

	o.server.Health.BackedUp(start, err)

	return err
}

// verify verifies a copy of the live store.
func (o *DirectAdmin) verify(ctx context.Context, progress archive.ProgressFunc) (*audit.Result, error) {
	if o.server.Store == nil {
		return archive.VerifyDatabase(ctx, o.server.Database, o.server.Now(), progress)
	}
	return archive.VerifyStore(ctx, o.server.Store, o.dir, o.verifier, progress)
}

// Verify verifies a copy of the live store, including its pages.
func (o *DirectAdmin) Verify(ctx context.Context, _ bool, progress archive.ProgressFunc) (*audit.Result, error) {
	done, err := o.acquire(ctx, progress)
	if err != nil {
		return nil, err
	}

	defer done()
	start := o.server.Now()
	o.server.LogHeads(ctx, o.log)
	proof, err := o.verify(ctx, progress)
	elapsed, health := slog.Float64("seconds", o.server.Now().Sub(start).Seconds()), o.server.Health
	switch {
	case ctx.Err() != nil:
		o.log.Info("verification stopped", "data", o.dir, elapsed)
		return nil, ctx.Err()
	case archive.IsDamage(err):
		health.Verified(start, 1, nil)
		o.log.Error("the ledger is damaged", "data", o.dir, elapsed, "error", err)
	case err != nil:
		health.Verified(start, 0, err)
		o.log.Error("cannot verify the ledger", "data", o.dir, elapsed, "error", err)
	default:
		health.Verified(start, len(proof.Faults), nil)
		if n := len(proof.Faults); n > 0 {
			o.log.Error("the ledger does not add up", "data", o.dir, elapsed, "problems", n, "first",
				proof.Faults[0].String())
		} else {
			o.log.Info("the ledger adds up", "data", o.dir, elapsed, "records", proof.Records)
		}
	}

	return proof, err
}
