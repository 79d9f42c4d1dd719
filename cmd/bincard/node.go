package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/local"
)

// firstReadTimeout is how long the first screen waits for what the service has.
const firstReadTimeout = 30 * time.Second

// nodeDir is where the work on a service is kept that it has not confirmed.
func (c config) nodeDir(env api.Environment) string {
	name := c.URL + "@" + c.Organization + "@" + string(env)
	sum := sha256.Sum256([]byte(name))
	return filepath.Join(dataHome(), "offline", fmt.Sprintf("%s-%x", sanitize(name), sum[:4]))
}

// attachNode puts a node before a remote service, whichever it is: this program's
// own, or that of the one that keeps the work already. Where what answers keeps
// the work itself the notes say so, and the link stays.
func attachNode(ctx context.Context, cfg config, l *backend) (err error) {
	org, err := uuid.Parse(cfg.Organization)
	if err != nil {
		return fmt.Errorf("offline work needs the organization's ID, not %q", cfg.Organization)
	}
	if l.environment == "" {
		if l.environment, err = resolveEnvironment(ctx, cfg, l.service); err != nil {
			return err
		}
	}
	dir := cfg.nodeDir(l.environment)
	if nodeRunning(ctx, dir) {
		return l.useNode(ctx, cfg, dir, nil)
	}
	access, missing, err := resolveAccess(ctx, l.service, dir, org, l.environment)
	if err != nil {
		return err
	}
	_, began := os.Stat(filepath.Join(dir, "bases", "current"))
	var able api.Capabilities
	if began != nil && missing == nil {
		able, missing = capabilities(ctx, l.service)
	}
	switch {
	case slices.Contains(able.Operations, api.ListWork.ID):
		l.notes = append(l.notes, edgeNote)
		return nil
	case missing == nil:
	case isUnsupported(missing): // it has the documented operations alone, and they will do
		missing = nil
	case began != nil:
		l.notes = append(l.notes, "The service cannot be reached and there is no local data yet. Offline work starts after the first connection.")
	}
	if err := l.useNode(ctx, cfg, dir, &access); err != nil {
		return err
	}
	if began != nil && missing == nil {
		fmt.Fprintln(os.Stderr, "Downloading data for offline work ...")
		ctx, cancel := context.WithTimeout(ctx, firstReadTimeout)
		defer cancel()
		l.awaitData(ctx)
	}
	return nil
}

// nodeRunning tells whether a program of this machine keeps the work in a directory,
// and can be come to.
func nodeRunning(ctx context.Context, dir string) bool {
	c, err := local.Connect(ctx, dir)
	if err == nil {
		c.Close()
	}
	return err == nil
}

// useNode puts the node in dir before the service: this program owns it, or comes
// to the one that does. access is who the key is, as far as it was asked; a
// link without a service cannot own it.
func (l *backend) useNode(ctx context.Context, cfg config, dir string, access *api.Access) error {
	var open func(context.Context) (*nodeHandle, error)
	if upstream := l.service; upstream != nil {
		open = func(ctx context.Context) (*nodeHandle, error) {
			who := access
			if known, ok := loadAccess(dir); ok && who == nil {
				who = &known
			}
			if who == nil {
				return nil, fmt.Errorf("cannot read %s: start this program once with a connection to recreate it", filepath.Join(dir, accessFile))
			}
			w, err := openNode(ctx, cfg, dir, *who, upstream)
			if err != nil {
				return nil, err
			}
			for _, note := range w.notes {
				slog.Warn(note)
			}
			if _, known := loadAccess(dir); !known { // for who takes its place
				if err := saveAccess(dir, *who); err != nil {
					slog.Warn("cannot save the key's access", "error", err)
				}
			}
			w.run(ctx)
			w.serve(w.Node, nil)
			return w, nil
		}
	}
	s, err := joinNode(ctx, dir, cfg.Organization, open)
	if err != nil {
		return err
	}
	l.node, l.service, l.clock, l.close = s, s, s, s.close
	if known, ok := loadAccess(dir); ok {
		l.company = known.Organization.Name
	} else if access != nil {
		l.company = access.Organization.Name
	}
	if n := s.ownNode(); n != nil {
		l.notes = append(l.notes, n.notes...)
	}
	return nil
}

// awaitData waits until there is something to show, which is at once but for a node
// that has not read anything yet.
func (l *backend) awaitData(ctx context.Context) {
	if l.node != nil && l.node.ownNode() != nil {
		l.node.ownNode().awaitData(ctx)
	}
}

const edgeNote = "This service is an edge, which saves offline work itself. --offline is not needed, and nothing is saved on this machine."
