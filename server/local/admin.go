package local

import (
	"context"
	"io"
	"log/slog"

	"bincard/server"
	"bincard/server/api"
	"bincard/server/archive"
	"bincard/server/ledger"
)

// An Admin is where an operator has things done to the ledger in a directory.
type Admin interface {
	// Organizations lists the organizations, oldest first.
	Organizations(ctx context.Context) ([]api.Organization, error)
	// CreateOrganization makes one with its default owner and channel.
	CreateOrganization(ctx context.Context, name string) (api.Organization, error)
	// Keys lists the keys of an organization, newest first, revoked ones too.
	Keys(ctx context.Context, organization api.ID) ([]ledger.APIKey, error)
	// CreateKey makes a key and answers its secret, this once.
	CreateKey(ctx context.Context, in ledger.KeyInput) (secret string, key ledger.APIKey, err error)
	// RevokeKey ends a key at once; one that is revoked stays so.
	RevokeKey(ctx context.Context, organization, id api.ID) (ledger.APIKey, error)
	// SetPlan sets what an organization may use in one environment.
	SetPlan(ctx context.Context, organization api.ID, env api.Environment, limits api.Limits) (api.Plan, error)
	// Rules are how an organization works in one environment, SetRules sets them.
	Rules(ctx context.Context, organization api.ID, env api.Environment) (api.Rules, error)
	SetRules(ctx context.Context, organization api.ID, env api.Environment, in api.Rules) (api.Rules, error)
	// Backup writes the ledger as it stands; what came to w is a copy only when
	// there is no error.
	Backup(ctx context.Context, w io.Writer, told archive.ProgressFunc) error
	// Verify proves the ledger as it stands; with pages, those of the file too.
	Verify(ctx context.Context, pages bool, told archive.ProgressFunc) (*ledger.VerifyResult, error)
}

// A DirectAdmin is the desk of the process that has the directory open. Copies and
// proofs take their turns, and their outcomes are kept in the server's Health.
type DirectAdmin struct {
	*ledger.Ledger
	server *server.Server
	dir    string
	prove  archive.Verifier
	log    *slog.Logger
	busy   chan struct{}
}

var _ Admin = (*DirectAdmin)(nil)

// NewDirectAdmin is the desk of s, which has dir open. A copy is proven by prove, and
// log is told how copies and proofs end.
func NewDirectAdmin(s *server.Server, dir string, prove archive.Verifier, log *slog.Logger) *DirectAdmin {
	return &DirectAdmin{Ledger: s.Ledger, server: s, dir: dir, prove: prove, log: log, busy: make(chan struct{}, 1)}
}

// acquire waits for the turn.
func (o *DirectAdmin) acquire(ctx context.Context, told archive.ProgressFunc) (done func(), err error) {
	done = func() { <-o.busy }
	select {
	case o.busy <- struct{}{}:
		return done, nil
	default:
		told.Report(archive.Waiting, 0, 0)
	}
	select {
	case o.busy <- struct{}{}:
		return done, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Backup copies the live store.
func (o *DirectAdmin) Backup(ctx context.Context, w io.Writer, told archive.ProgressFunc) error {
	done, err := o.acquire(ctx, told)
	if err != nil {
		return err
	}
	defer done()
	began := o.server.Now()
	err = archive.Stream(ctx, o.server.Store, w, told)
	took := slog.Float64("seconds", o.server.Now().Sub(began).Seconds())
	switch {
	case ctx.Err() != nil:
		o.log.Info("backup stopped", "data", o.dir, took)
		return ctx.Err()
	case err != nil:
		o.log.Error("backup failed", "data", o.dir, took, "error", err)
	default:
		o.log.Info("backup sent", "data", o.dir, took)
	}
	o.server.Health.BackedUp(began, err)
	return err
}

// Verify proves a copy of the live store, pages and all, beside this process.
func (o *DirectAdmin) Verify(ctx context.Context, _ bool, told archive.ProgressFunc) (*ledger.VerifyResult, error) {
	done, err := o.acquire(ctx, told)
	if err != nil {
		return nil, err
	}
	defer done()
	began := o.server.Now()
	proof, err := archive.VerifyStore(ctx, o.server.Store, o.dir, o.prove, told)
	took, health := slog.Float64("seconds", o.server.Now().Sub(began).Seconds()), o.server.Health
	switch {
	case ctx.Err() != nil:
		o.log.Info("verification stopped", "data", o.dir, took)
		return nil, ctx.Err()
	case archive.IsDamage(err):
		health.Verified(began, 1, nil)
		o.log.Error("the ledger is damaged", "data", o.dir, took, "error", err)
	case err != nil:
		health.Verified(began, 0, err)
		o.log.Error("cannot verify the ledger", "data", o.dir, took, "error", err)
	default:
		health.Verified(began, len(proof.Faults), nil)
		if n := len(proof.Faults); n > 0 {
			o.log.Error("the ledger does not add up", "data", o.dir, took, "problems", n, "first", proof.Faults[0].String())
		} else {
			o.log.Info("the ledger adds up", "data", o.dir, took, "records", proof.Records)
		}
	}
	return proof, err
}
