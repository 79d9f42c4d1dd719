package outbox

import (
	"context"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/session"
)

// NodesRoute is the route of the list.
const NodesRoute = "nodes"

// registerNodes adds the screen.
func registerNodes(r *tui.Registry, site *session.Site) {
	r.Add(NodesRoute, i18n.Text("Edges and offline terminals"), nodeList(site))
}

const (
	// connectedFor is how long after its last read a node counts as connected. It reads
	// at least every 25 seconds.
	connectedFor = time.Minute
	// clockTolerance is how far a node's clock may be wrong without a word.
	clockTolerance = 2 * time.Minute
)

type node = api.NodeStatus

// nodeList returns the factory of the list, by label.
func nodeList(site *session.Site) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen) listscreen.Kind[*node] {
		t := s.T

		return listscreen.Kind[*node]{
			Texts: func() listscreen.Texts { return nodeTexts(t, s.Len()) },
			Key:   func(n *node) string { return n.ID.String() },
			Load: listscreen.Fixed(
				listscreen.Load(func(ctx context.Context) ([]node, bool, error) { return loadNodes(ctx, site) })),
			Columns:      func(size tui.Size) []widget.Column[*node] { return nodeColumns(s.Env, size) },
			FilterText:   func(n *node) string { return n.Label + " " + strings.Join(n.Locations, " ") },
			Detail:       func(n *node) string { return nodeDetail(s.Env, n) },
			DetailHeight: nodeDetailHeight,
		}
	})
}

func loadNodes(ctx context.Context, site *session.Site) (rows []node, more bool, err error) {
	rows, more, err = listscreen.ReadAll(listscreen.ReadLimit, func(page api.Page) (api.List[node], error) {
		return session.Call(ctx, site, api.ListNodes, api.ListNodesInput{Page: page})
	})
	switch t := site.T(); {
	case session.IsUnsupported(err):
		err = t.NewError("Only the company's service lists its sites. Connect this terminal to it.")
	case api.HasCode(err, api.InsufficientScope):
		err = t.NewError("Only administrators can list the sites. Ask yours.")
	}

	return rows, more, err
}

func nodeTexts(t *i18n.Translator, n int) listscreen.Texts {
	out := listscreen.Texts{
		Title:         t.Get("Edges and offline terminals"),
		ShortTitle:    t.Get("Edges"),
		Question:      t.Get("Sites that have synced since the service started"),
		ShortQuestion: t.Get("sites"),
		Noun:          t.Get("programs"),
		Empty: t.Get(
			"No edge or offline terminal has connected since the service started. To start one, run 'bincard edge' at a site, or a terminal with --offline.",
		),
	}

	if n == 1 {
		out.Noun = t.Get("program")
	}

	return out
}
