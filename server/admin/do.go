package admin

import (
	"context"
	"errors"
	"fmt"
	"io"

	"bincard/server"
	"bincard/server/archive"
	"bincard/server/ledger"
	"bincard/server/ledger/audit"
	"bincard/server/local"
	"bincard/server/store"
)

// Do runs fn on the ledger in cfg.Dir: through the process that serves it, or
// else in this process, which opens it meanwhile. The ledger in cfg.Database is always
// opened in this process.
func Do(ctx context.Context, cfg server.Config, fn func(Admin) error) error {
	cfg.Passive = true
	if cfg.Database != "" {
		s, err := server.Open(cfg)
		if err != nil {
			return err
		}
		return errors.Join(fn(openedAdmin{s.Ledger, s}), s.Close())
	}

	opener := local.Opener[*server.Server]{Dir: cfg.Dir, IsLocked: IsLocked,
		Open: func(context.Context) (*server.Server, error) { return server.Open(cfg) }}
	s, owned, err := opener.Find(ctx)
	switch {
	case IsLocked(err):
		return fmt.Errorf("%w (it accepts no requests from other programs on this machine)", err)
	case err != nil:
		return err
	case owned:
		return errors.Join(fn(openedAdmin{s.Ledger, s}), s.Close())
	}

	c := NewClient(cfg.Dir)
	defer c.Close()

	return fn(c)
}

// IsLocked reports whether server.Open failed because another process has the
// directory open.
func IsLocked(err error) bool {
	var locked *store.LockedError
	return errors.As(err, &locked)
}

// An openedAdmin administers a ledger that this process opens only for that.
type openedAdmin struct {
	*ledger.Ledger
	server *server.Server
}

// Backup copies the store.
func (a openedAdmin) Backup(ctx context.Context, w io.Writer, progress archive.ProgressFunc) error {
	return archive.Stream(ctx, a.server, w, progress)
}

// Verify verifies the ledger, in place in a directory; with pages, the pages of its file
// first.
func (a openedAdmin) Verify(ctx context.Context, pages bool, progress archive.ProgressFunc) (*audit.Result, error) {
	if a.server.Database != nil {
		return archive.VerifyDatabase(ctx, a.server.Database, a.server.Now(), progress)
	}

	if pages {
		progress.Report(archive.Checking, 0, 0)
		if err := a.server.Store.Check(); err != nil {
			return nil, err
		}
	}

	return a.VerifyWithProgress(ctx, func(done, of int64) { progress.Report(archive.Verifying, done, of) })
}

// A failure is a local.Failure that may be damage of the ledger.
type failure struct {
	local.Failure
	Damaged bool `json:"unsound,omitzero"`
}

func failureOf(err error) *failure {
	return &failure{Failure: local.FailureOf(err), Damaged: archive.IsDamage(err)}
}

// err returns the error, as far as clients distinguish it.
func (f *failure) err() error {
	if f.Damaged {
		return &archive.DamageError{Words: f.Message}
	}
	return f.Err()
}
