package connect

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"bincard/apiclient"
	"bincard/server"
	"bincard/server/admin"
	"bincard/server/api"
	"bincard/server/archive"
	"bincard/server/local"
)

const (
	// requestTimeout limits a request to the owner.
	requestTimeout = 30 * time.Second
	// checkTimeout limits the check of the owner.
	checkTimeout = 5 * time.Second
)

// SharedOptions are the options of OpenShared.
type SharedOptions struct {
	server.Config
	Verifier  archive.Verifier // of copies, for the administration
	UserAgent string
	Logger    *slog.Logger
}

// A SharedLedger is the ledger in a directory, in this process or in another one of this
// machine.
type SharedLedger struct {
	options SharedOptions
	member  *local.Member[*owner] // nil with a database
	server  *server.Server        // nil with a directory
	admin   *admin.Client         // of the owner
	clients []*apiclient.Client
}

// OpenShared connects to the process that shares a directory, or opens the directory and
// shares it. The error is a *store.LockedError if another process has it open for
// itself, and a *local.RejectedError if that process is a service or of another version.
func OpenShared(ctx context.Context, o SharedOptions) (*SharedLedger, error) {
	if o.Database != "" {
		s, err := server.Open(o.Config)
		if err != nil {
			return nil, err
		}
		return &SharedLedger{options: o, server: s}, nil
	}

	l := &SharedLedger{options: o, admin: admin.NewClient(o.Dir)}
	var err error
	l.member, err = local.Join(ctx, local.Opener[*owner]{Dir: o.Dir, IsLocked: admin.IsLocked, Check: l.checkOwner,
		Open: func(context.Context) (*owner, error) { return o.own() }})
	if err != nil {
		l.admin.Close()
		return nil, err
	}

	return l, nil
}

// checkOwner checks that the process that has the directory open shares it.
func (l *SharedLedger) checkOwner(ctx context.Context) error {
	asked, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	owner, err := l.admin.Owner(asked)
	switch {
	case asked.Err() != nil && ctx.Err() == nil:
		return local.Disconnected(ctx, asked.Err())
	case err != nil || owner.Shared:
		return err
	case owner.URL == "":
		return errors.New(
			api.Textf(
				"'bincard serve' has the data in %s open. Stop it, or connect to it with --url, --org and a key in BINCARD_KEY",
				l.options.Dir,
			),
		)
	}

	return errors.New(
		api.Textf(
			"'bincard serve' has the data in %s open. Stop it, or connect to it with --url %s --org ID and a key in BINCARD_KEY",
			l.options.Dir,
			owner.URL,
		),
	)
}

// Organizations lists the organizations, oldest first.
func (l *SharedLedger) Organizations(ctx context.Context) (list []api.Organization, err error) {
	err = l.do(ctx,
		func(s *server.Server) (err error) { list, err = s.Ledger.Organizations(ctx); return err },
		func() (err error) { list, err = l.admin.Organizations(ctx); return err })
	return list, explain(err)
}

// do runs own if this process has the ledger open, else remote.
func (l *SharedLedger) do(ctx context.Context, own func(*server.Server) error, remote func() error) error {
	if l.server != nil {
		return own(l.server)
	}
	return l.member.Do(ctx, func(o *owner) error { return own(o.server) }, remote)
}

// Service returns the ledger's operations for an operator.
func (l *SharedLedger) Service(p Person) (api.Service, error) {
	secret, err := p.secret()
	if err != nil {
		return nil, err
	}
	if l.server != nil {
		return &service{ledger: l, caller: p.caller()}, nil
	}

	client, err := apiclient.New(
		apiclient.Config{
			URL:          local.URL,
			Key:          secret,
			Organization: p.Organization.String(),
			AllowPlain:   true,
			Timeout:      requestTimeout, // it is a local socket
			UserAgent:    l.options.UserAgent,
			Now:          l.options.Now,
			Transport:    local.Transport(l.options.Dir),
		},
	)
	if err != nil {
		return nil, err
	}

	l.clients = append(l.clients, client)

	return &service{l, p.caller(), client}, nil
}

// Close leaves the ledger, to the next process if this one owns it.
func (l *SharedLedger) Close() error {
	if l.server != nil {
		return l.server.Close()
	}

	err := l.member.Close()
	l.admin.Close()
	for _, c := range l.clients {
		c.Close()
	}

	return err
}

// A service is an operator's api.Service.
type service struct {
	ledger *SharedLedger
	caller *api.Caller
	client *apiclient.Client // nil with a database
}

// Do performs the operation in the process that has the ledger open.
func (s *service) Do(ctx context.Context, req *api.Request) (res *api.Response, err error) {
	err = s.ledger.do(ctx,
		func(srv *server.Server) (err error) {
			r := *req
			r.Caller = s.caller
			res, err = srv.Ledger.Do(ctx, &r)
			return err
		},
		func() (err error) { res, err = s.client.Do(ctx, req); return err })

	return res, explain(err)
}

// explain describes the loss of the owner.
func explain(err error) error {
	var lost *local.LostError
	if !errors.As(err, &lost) {
		return err
	}

	e := api.AsError(lost.Request)
	out := &api.Error{Code: api.Unavailable, Details: e.Details, RequestID: e.RequestID}
	if lost.Cause != nil {
		out.Message = api.Textf(
			"The program that had the ledger open has stopped and none has replaced it: %v. Saved entries are on disk, and repeating them is safe.",
			lost.Cause,
		)
		return out
	}

	out.Message = api.Textf(
		"The program that has the ledger open does not answer. Saved entries are on disk, and repeating them is safe.")
	out.Err = e

	return out
}
