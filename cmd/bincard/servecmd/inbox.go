package servecmd

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/server"
	"bincard/server/api"
	"bincard/server/inbox"
)

// serveInboxes are the directories from which a service imports files.
type serveInboxes struct {
	flags []string
	every time.Duration
	list  []inboxPlace
}

// An inboxPlace is a directory, and what its files are imported into. The organization is
// zero if it is the only one.
type inboxPlace struct {
	organization api.ID
	environment  api.Environment
	dir          string
}

// addFlags adds the flags. check returns an error if one is invalid.
func (s *serveInboxes) addFlags(cmd *cobra.Command) (check func() error) {
	cmd.Flags().StringArrayVar(
		&s.flags,
		"inbox",
		nil,
		"a `DIR` whose files are imported: see 'bincard help files'; ORGANIZATION-ID/live=DIR or ORGANIZATION-ID/test=DIR if there are several organizations or for test; may be repeated",
	)

	cmd.Flags().DurationVar(
		&s.every,
		"inbox-every",
		5*time.Second,
		"how often to look into the inboxes; a file is imported when it has not changed since the look before",
	)

	return s.parse
}

func (s *serveInboxes) parse() error {
	if s.every < 100*time.Millisecond {
		return cli.UsageErrorf("--inbox-every must be at least 100ms, not %s", s.every)
	}

	dirs := map[string]bool{}
	for _, flag := range s.flags {
		place := inboxPlace{environment: api.Live, dir: flag}
		if into, dir, named := strings.Cut(flag, "="); named {
			id, env, _ := strings.Cut(into, "/")
			organization, err := uuid.Parse(id)
			if place = (inboxPlace{organization, api.Environment(env), dir}); err != nil ||
				env != string(api.Live) && env != string(api.Test) {
				return cli.UsageErrorf(
					"--inbox must be DIR, ORGANIZATION-ID/live=DIR or ORGANIZATION-ID/test=DIR, not %q",
					flag,
				)
			}
		}

		abs, err := filepath.Abs(place.dir)
		if err != nil || place.dir == "" || dirs[abs] {
			return cli.UsageErrorf("--inbox needs a directory of its own, not %q", place.dir)
		}

		place.dir, dirs[abs] = abs, true
		s.list = append(s.list, place)
	}

	return nil
}

// start imports the files in the inboxes until ctx ends or stop is called. stop waits for
// what is in progress, and may be called twice.
func (s *serveInboxes) start(ctx context.Context, srv *server.Server, log *slog.Logger) (stop func(), err error) {
	if len(s.list) == 0 {
		return func() {}, nil
	}

	organizations, err := srv.Ledger.Organizations(ctx)
	if err != nil {
		return nil, err
	}

	var all []*inbox.Inbox
	for _, place := range s.list {
		if place.organization == api.NoID && len(organizations) == 1 {
			place.organization = organizations[0].ID
		}

		known := false
		for _, o := range organizations {
			known = known || o.ID == place.organization
		}

		switch {
		case place.organization == api.NoID:
			return nil, fmt.Errorf(
				"there are %d organizations; name the one of the inbox: --inbox ORGANIZATION-ID/live=%s",
				len(organizations), place.dir)
		case !known:
			return nil, fmt.Errorf("--inbox: there is no organization %s", place.organization)
		}

		svc := api.As(
			srv.Ledger,
			api.Caller{Organization: place.organization, Environment: place.environment, Scopes: api.Scopes,
				Actor: api.Actor{Type: api.SystemJob, Label: "inbox"}},
			"",
		)

		x, err := inbox.New(place.dir, svc, srv.Now, log)
		if err != nil {
			return nil, fmt.Errorf("--inbox: %w", err)
		}

		all = append(all, x)
	}

	srv.AddMetrics(inbox.NewMeters(all).Collect)
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	for _, x := range all {
		running.Go(func() { x.Run(ctx, s.every) })
	}

	return func() { cancel(); running.Wait() }, nil
}
