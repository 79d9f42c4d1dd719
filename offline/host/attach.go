package host

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"bincard/server/api"
)

// firstReadTimeout is how long a start waits for the first download of the
// service's data.
const firstReadTimeout = 30 * time.Second

// edgeNote is for a person who wants to work offline at an edge.
var edgeNote = api.Text(
	"This service is an edge, which saves offline entries itself. --offline is not needed, and nothing is saved on this machine.",
)

// An Attached is the result of Attach.
type Attached struct {
	Node    *Shared // nil if the service saves offline work itself
	Company string  // the organization's name; empty if unknown
	Notes   []string
}

// Attach joins the node in front of a service, creating it if needed. After the
// first start with a connection it needs none.
func Attach(ctx context.Context, up Upstream) (*Attached, error) {
	if up.Service == nil || Running(ctx, up.Dir) {
		return up.join(ctx, nil)
	}

	access, missing, err := up.startAccess(ctx)
	if err != nil {
		return nil, err
	}

	var able api.Capabilities
	first := !hasReplica(up.Dir)
	if first && missing == nil { // an edge or a node that has data starts without the service
		able, missing = up.capabilities(ctx)
	}

	var notes []string
	switch {
	case slices.Contains(able.Operations, api.ListWork.Spec.ID):
		return &Attached{Notes: []string{edgeNote}}, nil
	case missing == nil:
	case isUnsupported(missing): // it has the documented operations only, which is enough
		missing = nil
	case first:
		notes = append(notes, api.Text(
			"The service cannot be reached and there is no local data yet. Offline work starts after the first connection.",
		))
	}

	a, err := up.join(ctx, &access)
	if err != nil {
		return nil, err
	}

	a.Notes = append(notes, a.Notes...)
	if first && missing == nil {
		if up.OnDownload != nil {
			up.OnDownload()
		}
		ctx, cancel := context.WithTimeout(ctx, firstReadTimeout)
		defer cancel()
		a.Node.AwaitReady(ctx)
	}

	return a, nil
}

// capabilities returns the service's capabilities.
func (up *Upstream) capabilities(ctx context.Context) (api.Capabilities, error) {
	ctx, cancel := context.WithTimeout(ctx, AccessTimeout)
	defer cancel()
	return api.GetCapabilities.Call(ctx, up.Service, api.CapabilitiesInput{})
}

// join joins the node as owner or client. access is the key's, if it was resolved.
func (up *Upstream) join(ctx context.Context, access *api.Access) (*Attached, error) {
	o := Options{Dir: up.Dir, Organization: up.Organization, UserAgent: up.UserAgent, Now: up.Now}
	if up.Service != nil {
		o.Open = func(ctx context.Context) (*Node, error) { return up.own(ctx, access) }
	}

	s, err := Join(ctx, o)
	if err != nil {
		return nil, err
	}

	a := &Attached{Node: s}
	if saved, ok := LoadAccess(up.Dir); ok {
		a.Company = saved.Organization.Name
	} else if access != nil {
		a.Company = access.Organization.Name
	}

	if n := s.Own(); n != nil {
		a.Notes = n.Notes()
	} else if note := up.locationsNote(); note != "" {
		a.Notes = []string{note}
	}

	return a, nil
}

// own opens the node, and syncs and serves it.
func (up *Upstream) own(ctx context.Context, access *api.Access) (*Node, error) {
	saved, known := LoadAccess(up.Dir)
	if access == nil {
		if !known {
			return nil, errors.New(api.Textf("cannot read %s: start this program once with a connection to recreate it",
				filepath.Join(up.Dir, accessFile)))
		}
		access = &saved
	}

	n, err := up.open(ctx, *access, api.NodeTerminal)
	if err != nil {
		return nil, err
	}
	for _, note := range n.Notes() {
		slog.Warn(note)
	}
	if !known { // for the next owner
		if err := saveAccess(up.Dir, *access); err != nil {
			slog.Warn("cannot save the key's access", "error", err)
		}
	}

	n.Start(ctx)
	n.Serve(n, nil)

	return n, nil
}

// JoinStored joins the node in a directory only to resolve what it has saved: if
// this process becomes the owner, it sends nothing. clock is this machine's.
func JoinStored(ctx context.Context, dir string, clock Clock, userAgent string) (*Shared, error) {
	access, ok := LoadAccess(dir)
	if !ok {
		return nil, errors.New(
			api.Textf("cannot read %s: start the program that uses it once with a connection to recreate it",
				filepath.Join(dir, accessFile)),
		)
	}

	return Join(ctx, Options{Dir: dir, Organization: access.Organization.ID, UserAgent: userAgent, Now: clock.Now,
		Open: func(ctx context.Context) (*Node, error) {
			return Open(ctx, Config{Dir: dir, Access: access, Clock: clock})
		}})
}
