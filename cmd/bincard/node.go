package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"bincard/apiclient"
	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/local"
)

// accessFile keeps who the key was when the service last said so, for a start
// without a connection. The key is not in it.
const accessFile = "access.json"

// firstWords is how long the start waits for the service to say who one is.
const firstWords = 3 * time.Second

// firstRead is how long the first screen waits for what the service has.
const firstRead = 30 * time.Second

// nodeDir is where the work on a service is kept that it has not confirmed.
func (c config) nodeDir(env api.Environment) string {
	name := c.URL + "@" + c.Organization + "@" + string(env)
	sum := sha256.Sum256([]byte(name))
	return filepath.Join(dataHome(), "offline", fmt.Sprintf("%s-%x", sanitize(name), sum[:4]))
}

// withNode puts a node before a remote service, whichever it is: this program's
// own, or that of the one that keeps the work already. Where what answers keeps
// the work itself the notes say so, and the link stays.
func withNode(ctx context.Context, cfg config, l *link) (err error) {
	org, err := uuid.Parse(cfg.Organization)
	if err != nil {
		return fmt.Errorf("working without a connection needs the organization's id, not %q", cfg.Organization)
	}
	if l.environment == "" {
		if l.environment, err = environmentAt(ctx, cfg, l.service); err != nil {
			return err
		}
	}
	dir := cfg.nodeDir(l.environment)
	if kept(ctx, dir) {
		return l.share(ctx, cfg, dir, nil)
	}
	access, missing, err := recognized(ctx, l.service, dir, org, l.environment)
	if err != nil {
		return err
	}
	_, began := os.Stat(filepath.Join(dir, "bases", "current"))
	var able api.Capabilities
	if began != nil && missing == nil {
		able, missing = served(ctx, l.service)
	}
	switch {
	case slices.Contains(able.Operations, api.ListWork.ID):
		l.notes = append(l.notes, keptThere)
		return nil
	case missing == nil:
	case foreign(missing): // it has the documented operations alone, and they will do
		missing = nil
	case began != nil:
		l.notes = append(l.notes, "The service was not reached, and nothing of it is known here yet. Working without a connection begins with one connection: as soon as there is one, it is read.")
	}
	if err := l.share(ctx, cfg, dir, &access); err != nil {
		return err
	}
	if began != nil && missing == nil {
		fmt.Fprintln(os.Stderr, "Reading what the service has, to work without it ...")
		ctx, cancel := context.WithTimeout(ctx, firstRead)
		defer cancel()
		l.ready(ctx)
	}
	return nil
}

// kept tells whether a program of this machine keeps the work in a directory,
// and can be come to.
func kept(ctx context.Context, dir string) bool {
	c, err := local.Reach(ctx, dir)
	if err == nil {
		c.Close()
	}
	return err == nil
}

// share puts the node in dir before the service: this program owns it, or comes
// to the one that does. access is who the key is, as far as it was asked; a
// link without a service cannot own it.
func (l *link) share(ctx context.Context, cfg config, dir string, access *api.Access) error {
	var open func(context.Context) (*worknode, error)
	if upstream := l.service; upstream != nil {
		open = func(ctx context.Context) (*worknode, error) {
			who := access
			if known, ok := keptAccess(dir); ok && who == nil {
				who = &known
			}
			if who == nil {
				return nil, fmt.Errorf("%s cannot be read: start this program again with a connection, which writes it anew", filepath.Join(dir, accessFile))
			}
			w, err := openNode(ctx, cfg, dir, *who, upstream)
			if err != nil {
				return nil, err
			}
			for _, note := range w.notes {
				slog.Warn(note)
			}
			if _, known := keptAccess(dir); !known { // for who takes its place
				if err := keepAccess(dir, *who); err != nil {
					slog.Warn("who the key is cannot be kept", "error", err)
				}
			}
			w.run(ctx)
			w.open(w.Node, nil)
			return w, nil
		}
	}
	s, err := join(ctx, dir, cfg.Organization, open)
	if err != nil {
		return err
	}
	l.node, l.service, l.close = s, s, s.end
	if known, ok := keptAccess(dir); ok {
		l.company = known.Organization.Name
	} else if access != nil {
		l.company = access.Organization.Name
	}
	if n := s.owner(); n != nil {
		l.notes = append(l.notes, n.notes...)
	}
	return nil
}

// ready waits until there is something to show, which is at once but for a node
// that has not read anything yet.
func (l *link) ready(ctx context.Context) {
	if l.node != nil && l.node.owner() != nil {
		l.node.owner().await(ctx)
	}
}

// await waits until the node has read what the service has.
func (w *worknode) await(ctx context.Context) {
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for !w.Ready() && ctx.Err() == nil {
		select {
		case <-look.C:
		case <-ctx.Done():
		}
	}
}

const keptThere = "What answers here is an edge: it keeps the work itself while its service cannot be reached. --offline is not needed before it, and nothing is kept on this machine."

// recognized is who the key is: as the service says now, else as it said when
// it was last asked. missing is why the service did not say.
func recognized(ctx context.Context, svc api.Service, dir string, org api.ID, env api.Environment) (access api.Access, missing, err error) {
	ctx, cancel := context.WithTimeout(ctx, firstWords)
	defer cancel()
	access, missing = api.GetAccess.Call(ctx, svc, api.GetAccessInput{})
	if missing == nil {
		if access.Organization.ID != org || access.Environment != env {
			return access, nil, fmt.Errorf("the key is of the organization %s (%s), not of %s (%s): use the key that belongs to it",
				access.Organization.Name, access.Environment, org, env)
		}
		return access, nil, keepAccess(dir, access)
	}
	stranger := api.Access{Organization: api.Organization{ID: org}, Environment: env, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.APIKey, Label: "this terminal"}}
	if foreign(missing) { // or it is the organization that is not there
		one := int64(1)
		_, err := api.ListInbounds.Call(ctx, svc, api.ListInboundsInput{Limit: &one})
		if err == nil {
			return stranger, missing, keepAccess(dir, stranger)
		}
		if !foreign(err) {
			return stranger, missing, nil
		}
	}
	if foreign(missing) || api.HasCode(missing, api.Unauthorized) {
		return access, nil, fmt.Errorf("the service does not take this key for the organization %s: use the key that belongs to it (%s)", org, api.AsError(missing).Message)
	}
	if access, ok := keptAccess(dir); ok {
		return access, missing, nil
	}
	return stranger, missing, nil
}

// keepAccess keeps who the key is, for a start without a connection.
func keepAccess(dir string, access api.Access) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("cannot make the directory %s: %w", dir, err)
	}
	text, err := json.Marshal(access)
	if err != nil {
		return err
	}
	return wholeFile(filepath.Join(dir, accessFile), 0o600, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// environmentAt is of which environment a key is that does not say it: as the
// settings say, else as what the service answers to it is.
func environmentAt(ctx context.Context, cfg config, svc api.Service) (api.Environment, error) {
	switch env := api.Environment(cfg.Environment); env {
	case api.Live, api.Test:
		return env, nil
	}
	ctx, cancel := context.WithTimeout(ctx, firstWords)
	defer cancel()
	one := int64(1)
	list, err := api.ListInbounds.Call(ctx, svc, api.ListInboundsInput{Limit: &one})
	if err == nil && len(list.Items) > 0 && list.Items[0].Environment != "" {
		return list.Items[0].Environment, nil
	}
	return "", misuse("the key does not say of which environment it is; say it with --env live or --env test")
}

// keptAccess is who the key was when the service last said so.
func keptAccess(dir string) (access api.Access, ok bool) {
	text, err := os.ReadFile(filepath.Join(dir, accessFile))
	ok = err == nil && json.Unmarshal(text, &access) == nil
	return access, ok
}

// served is what the service can do, or why a node cannot stand for it.
func served(ctx context.Context, svc api.Service) (api.Capabilities, error) {
	ctx, cancel := context.WithTimeout(ctx, firstWords)
	defer cancel()
	return api.GetCapabilities.Call(ctx, svc, api.CapabilitiesInput{})
}

// foreign tells of an error whether the service does not know what was asked.
func foreign(err error) bool {
	return api.HasCode(err, api.NotFound) || api.HasCode(err, api.NotImplemented) || api.HasCode(err, api.MethodNotAllowed)
}

// A worknode is a node with its directory, until its end.
type worknode struct {
	*offline.Node
	dir    string
	caller api.Caller
	log    *slog.Logger
	notes  []string
	end    func() error
}

func openNode(ctx context.Context, cfg config, dir string, access api.Access, upstream api.Service) (*worknode, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot make the directory %s: %w", dir, err)
	}
	release, err := offline.Hold(dir)
	if err != nil {
		return nil, err
	}
	log := slog.Default()
	bases, err := offline.OpenBases(filepath.Join(dir, "bases"), log)
	if err != nil {
		return nil, errors.Join(err, release())
	}
	w := &worknode{dir: dir, log: log, caller: api.Caller{Organization: access.Organization.ID, Environment: access.Environment,
		Actor: access.Actor, Scopes: access.Scopes, KeyID: access.KeyID, KeyLabel: access.Actor.Label}}
	owner := outbox.Begin{Service: cfg.URL, Organization: access.Organization.ID.String(), Environment: string(access.Environment)}
	if cfg.URL == "" {
		owner = outbox.Begin{} // whatever is kept there
	}
	n, trouble, err := offline.Open(ctx, offline.Config{
		Upstream: upstream,
		NotSent:  func(err error) bool { return api.AsError(err).Details["outcome"] == apiclient.NotSent },
		Bases:    bases,
		Folder:   journal.Dir(dir),
		Owner:    owner,
		Caller:   w.caller,
		Log:      log,
	})
	if err != nil {
		return nil, errors.Join(err, bases.Close(), release())
	}
	w.Node, w.notes = n, troubles(trouble, dir)
	w.end = sync.OnceValue(func() error { return errors.Join(n.Close(), bases.Close(), release()) })
	return w, nil
}

// run has the node send and read by itself, until its end.
func (w *worknode) run(ctx context.Context) {
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	var ended sync.WaitGroup
	ended.Go(func() { w.Node.Run(run) })
	w.before(func() { stop(); ended.Wait() })
}

// open lets the other programs of this machine come to svc, which stands before
// the node, until its end.
func (w *worknode) open(svc api.Service, more http.Handler) {
	c, err := openCounter(w.dir, svc, w.caller, more, w.log)
	if err != nil {
		w.log.Warn("other programs of this machine cannot reach this one", "data", w.dir, "error", err)
		return
	}
	w.before(c.close)
}

// before has fn done at the end, before all else that is done there.
func (w *worknode) before(fn func()) {
	end := w.end
	w.end = sync.OnceValue(func() error { fn(); return end() })
}

// troubles is what was found in the journal, in words.
func troubles(t *offline.Trouble, dir string) (notes []string) {
	if t == nil {
		return nil
	}
	file := filepath.Join(dir, offline.JournalName)
	if len(t.Damage) > 0 {
		var where []string
		for _, d := range t.Damage {
			where = append(where, d.String())
		}
		notes = append(notes, fmt.Sprintf("A part of the work that was kept without a connection is damaged on the disk: %s of %s. What could be read goes on. Compare the last work with the stock, and have the disk looked at.",
			strings.Join(where, ", "), file))
	}
	if t.Cut > 0 {
		notes = append(notes, fmt.Sprintf("The last start ended while something was being saved: the last %d bytes of %s were cut off. They were not told saved.", t.Cut, file))
	}
	return notes
}
