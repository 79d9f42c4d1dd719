// Package nodes is the list of the edges and offline terminals that sync with the service:
// when each last did, and how much of its work is still open.
package nodes

import (
	"context"
	"errors"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/paging"
	"bincard/views/session"
)

// Route is the route of the list.
const Route = "nodes"

// Register adds the screen.
func Register(r *tui.Registry, site *session.Site) {
	r.Add(Route, i18n.Text("Edges and offline terminals"), list(site))
}

const (
	// connectedFor is how long after its last read a node counts as connected. It reads
	// at least every 25 seconds.
	connectedFor = time.Minute
	// clockTolerance is how far a node's clock may be wrong without a word.
	clockTolerance = 2 * time.Minute
)

type node = api.NodeStatus

// list returns the factory of the list, by label.
func list(site *session.Site) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen) listscreen.Kind[*node] {
		t := s.T()

		return listscreen.Kind[*node]{
			Texts:      func() listscreen.Texts { return texts(t, s.Len()) },
			Key:        func(n *node) string { return n.ID.String() },
			Load:       listscreen.Fixed(listscreen.Load(func(ctx context.Context) ([]node, bool, error) { return load(ctx, site) })),
			Columns:    func(size tui.Size) []widget.Column[*node] { return columns(s.Env, size) },
			FilterText: func(n *node) string { return n.Label + " " + strings.Join(n.Locations, " ") },
			Detail:     func(n *node) string { return detail(s.Env, n) }, DetailHeight: detailHeight,
		}
	})
}

func load(ctx context.Context, site *session.Site) (rows []node, more bool, err error) {
	rows, more, err = paging.ReadAll(paging.ReadLimit, func(page api.Page) (api.List[node], error) {
		return session.Call(ctx, site, api.ListNodes, api.ListNodesInput{Page: page})
	})
	switch t := site.T(); {
	case session.IsUnsupported(err):
		err = errors.New(t.Get("Only the company's service lists its edges. Connect this terminal to it."))
	case api.HasCode(err, api.InsufficientScope):
		err = errors.New(t.Get("Only an administrator's key lists the edges. Ask whoever manages the keys."))
	}
	return rows, more, err
}

func texts(t *i18n.Translator, n int) listscreen.Texts {
	out := listscreen.Texts{Title: t.Get("Edges and offline terminals"), ShortTitle: t.Get("Edges"), Question: t.Get("Sites that sync with the service since it started"),
		ShortQuestion: t.Get("sites"), Noun: t.Get("programs"),
		Empty: t.Get("No edge or offline terminal has connected since the service started. To start one, run 'bincard edge' at a site, or a terminal with --offline.")}
	if n == 1 {
		out.Noun = t.Get("program")
	}
	return out
}
