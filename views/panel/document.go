package panel

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// refreshEvery is the interval at which documents are refreshed.
const refreshEvery = 30 * time.Second

type refreshMsg struct{}

// A DocumentScreen is the shared part of screens for one document, which the route
// names by ID or reference. It loads the document and its items, asks which one is
// meant if there are several, and refreshes it periodically. Panel counts the items.
type DocumentScreen[T any] struct {
	tui.Env
	Doc   *T // nil until loaded
	Items map[api.ID]count.Item
	Panel *CountPanel
	// ShowDoc returns Doc and its lines for the panel. It is called when the document
	// was loaded or changed.
	ShowDoc func() (CountDocument, []*count.Line)

	site    *session.Site
	kind    DocumentKind[T]
	change  documentChange
	errText string    // why the document could not be loaded
	version int       // number of SetDoc calls
	nextAt  time.Time // when the next document was read; zero if it was not
	ticking bool
}

// NewDocumentScreen returns the DocumentScreen for the document that the route of env
// names.
func NewDocumentScreen[T any](site *session.Site, env tui.Env, kind DocumentKind[T]) DocumentScreen[T] {
	return DocumentScreen[T]{Env: env, site: site, kind: kind, Panel: NewCountPanel(site, env)}
}

// documentMsg carries the documents found for a reference, and the items of the first.
type documentMsg[T any] struct {
	docs       []T
	items      map[api.ID]count.Item
	change     documentChange // of the first
	err        error
	background bool // periodic refresh, started at version
	version    int
}

// Start loads the document and then refreshes it periodically.
func (d *DocumentScreen[T]) Start() tea.Cmd {
	d.Panel.OpenDocument = d.openDocument
	d.Panel.Job.Reload = func() tea.Cmd { return d.fetch(true) }
	return tea.Batch(d.Refresh(), d.tick())
}

func (d *DocumentScreen[T]) tick() tea.Cmd {
	if d.ticking {
		return nil
	}
	d.ticking = true
	return d.After(refreshEvery, func(time.Time) tea.Msg { return refreshMsg{} })
}

// Refresh loads the document and its items.
func (d *DocumentScreen[T]) Refresh() tea.Cmd { return d.fetch(false) }

// refresh reloads the document in the background, unless a booking is in progress.
func (d *DocumentScreen[T]) refresh() tea.Cmd {
	if d.Doc == nil || d.Panel.Busy() || d.Panel.HasSubmission() {
		return nil
	}
	return d.fetch(true)
}

func (d *DocumentScreen[T]) fetch(background bool) tea.Cmd {
	ref, version := d.ref(), d.version
	known, change := map[api.ID]count.Item{}, documentChange{} // not read again in the background
	if background {
		known, change = maps.Clone(d.Items), d.change
	}

	return d.Latest("document", func(ctx context.Context) tea.Msg {
		m := d.find(ctx, ref, known, change)
		m.background, m.version = background, version
		return m
	})
}

func (d *DocumentScreen[T]) find(
	ctx context.Context, ref string, items map[api.ID]count.Item, change documentChange,
) documentMsg[T] {
	docs, err := d.kind.Find(ctx, ref)
	if err == nil && len(docs) == 0 {
		err = d.T.NewError("There is no document %s. Check the number, or scan it again.", ref)
	}
	if err != nil {
		return documentMsg[T]{err: err}
	}

	for _, w := range d.kind.Items(&docs[0]) {
		if _, known := items[w.ID]; known {
			continue
		}

		item, err := d.site.Item(ctx, w.ID, w.Ref)
		if err != nil {
			return documentMsg[T]{err: err}
		}

		items[w.ID] = item
	}

	if !change.isOf(d.kind.Changed(&docs[0])) {
		change = d.kind.lastChange(ctx, d.site, &docs[0])
	}

	return documentMsg[T]{docs: docs, items: items, change: change}
}

// Handle handles messages for the document or its panel.
func (d *DocumentScreen[T]) Handle(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch m := msg.(type) {
	case documentMsg[T]:
		cmd = tea.Batch(d.loaded(m), d.Panel.reloaded())
	case refreshMsg:
		d.ticking = false
		return tea.Batch(d.refresh(), d.tick())
	case nextMsg[T]:
		d.nextRead(m)
		return nil
	case LocationChangedMsg:
		d.nextAt = time.Time{}
		return d.readNext()
	default:
		cmd, _ = d.Panel.Update(msg)
	}

	p := d.Panel

	return tea.Batch(cmd, p.pickable.read(p.Env, d.site, p.Document, p.Lines), d.readNext())
}

func (d *DocumentScreen[T]) loaded(m documentMsg[T]) tea.Cmd {
	busy := d.Panel.sender.result == nil && (d.Panel.Busy() || d.Panel.HasSubmission())
	if m.background && (m.err != nil || m.version != d.version || busy) {
		return nil // the local state is newer
	}

	d.errText = ""
	switch {
	case m.err != nil && d.Doc != nil:
		return tui.Warn(d.T.Get("Not refreshed: %s", submit.UserMessage(d.T, m.err)))
	case m.err != nil:
		d.errText = submit.UserMessage(d.T, m.err)
		return nil
	case !d.kind.Exact && !d.isIn(&m.docs[0], d.ref()):
		return d.chooseDoc(m.docs)
	}

	if d.Doc == nil && d.Snapshot() == nil {
		if route := DraftRoute(d.Panel.Env, d.routes(&m.docs[0])...); route != "" && route != d.Route.Path {
			return tui.Redirect(route)
		}
	}

	opened := d.Doc == nil
	d.Items = m.items
	d.setDoc(&m.docs[0], m.change)
	if opened {
		if d.Snapshot() == nil {
			d.Panel.selectLine(d.ref())
		}
		d.site.Pass(d.kind.IDs(d.Doc)...)
	}

	return nil
}

// isIn reports whether doc is or has a document with an ID.
func (d *DocumentScreen[T]) isIn(doc *T, id string) bool {
	return slices.ContainsFunc(d.kind.IDs(doc), func(x api.ID) bool { return strings.EqualFold(x.String(), id) })
}

// isOpenAt reports whether a route opens this document.
func (d *DocumentScreen[T]) isOpenAt(route string) bool {
	segment, id, _ := strings.Cut(route, "/")
	return d.Doc != nil && segment == d.kind.Route && d.isIn(d.Doc, id)
}

// Routes returns the routes of the document.
func (d *DocumentScreen[T]) Routes() []string {
	if d.Doc == nil {
		return nil
	}
	return d.routes(d.Doc)
}

// routes returns the routes that open doc. A document of several has one draft, under any
// of them.
func (d *DocumentScreen[T]) routes(doc *T) (routes []string) {
	for _, id := range d.kind.IDs(doc) {
		routes = append(routes, tui.Path(d.kind.Route, id.String()))
	}
	return routes
}

// chooseDoc opens the document that the reference means, or asks which of the open
// ones.
func (d *DocumentScreen[T]) chooseDoc(docs []T) tea.Cmd {
	open := d.kind.openDocs(docs)
	if len(open) == 0 {
		open = docs[:1]
	}
	return Choose(d.kind.Question(d.ref()), open, d.kind.Choice, func(doc *T) tea.Cmd {
		routes := d.routes(doc)
		return tui.Redirect(cmp.Or(DraftRoute(d.Panel.Env, routes...), routes[0]))
	})
}

// SetDoc sets the document and shows it.
func (d *DocumentScreen[T]) SetDoc(doc *T) { d.setDoc(doc, documentChange{}) }

// setDoc is SetDoc for a document with its last change.
func (d *DocumentScreen[T]) setDoc(doc *T, change documentChange) {
	d.Doc, d.change = doc, change
	d.version++
	var at api.ID
	if d.kind.Location != nil {
		at = d.kind.Location(doc).ID
	}
	if d.kind.Sort != nil {
		d.kind.Sort(doc, func(product, other api.ID) int {
			return count.CompareShelves(d.Items[product].ShelvesAt(at), d.Items[other].ShelvesAt(at))
		})
	}

	shown, lines := d.ShowDoc()
	for _, l := range lines {
		l.Shelves = l.Item.ShelvesAt(at)
		l.ShelfCheck = !d.Panel.Job.Receives && d.site.Rules().ShelfCheck
	}

	shown.Name = d.Title()
	shown.ClosedReason, shown.ClosedShort = d.kind.Closed(doc)
	if change.text != "" {
		shown.ClosedShort += " (" + change.text + ")"
	}

	shown.RestWaits = d.kind.RestWaits != nil && shown.ClosedReason == "" && d.kind.RestWaits(doc)
	if d.kind.Location != nil {
		shown.Location = d.kind.Location(doc)
	}

	d.Panel.Show(shown, lines...)
	if item := d.site.TakeSelectedItem(d.Route.Path); item != api.NoID {
		d.Panel.selectItem(item)
	}
}

// openDocument opens a scanned document in the place of this one, whose draft is kept.
func (d *DocumentScreen[T]) openDocument(r count.Label, found []api.Match) tea.Cmd {
	t := d.T

	destinations := d.site.Destinations(found)
	if slices.ContainsFunc(destinations, func(x session.Destination) bool { return d.isOpenAt(x.Route) }) {
		text := t.Get("%s is already open. Scan its items.", r.Name())
		if reason := d.Panel.Document.ClosedReason; reason != "" {
			text = t.Get("%s is already open. %s", r.Name(), reason)
		}
		return tea.Batch(tui.Bell(2), tui.Warn(text))
	}

	label := func(x *session.Destination) string { return x.Label }
	open := func(x *session.Destination) tea.Cmd {
		open := tui.Replace(x.Route)
		if d.Snapshot() == nil {
			return open
		}
		return tea.Sequence(open, tui.Toast(t.Get("Draft saved: %s", d.ShortTitle())))
	}

	return tui.Accept(Choose(t.Get("Which document?"), destinations, label, open))
}

func (d *DocumentScreen[T]) ref() string { return d.Route.Param("id") }

// Snapshot returns the draft of the count.
func (d *DocumentScreen[T]) Snapshot() []byte { return d.Panel.Snapshot() }

// Busy reports whether scans must wait.
func (d *DocumentScreen[T]) Busy() bool { return d.Panel.Busy() }

// AcceptsKey reports whether k is text input for the panel.
func (d *DocumentScreen[T]) AcceptsKey(k tea.KeyMsg) bool {
	return d.Doc != nil && d.Panel.AcceptsKey(k)
}

// OnScan counts a scan.
func (d *DocumentScreen[T]) OnScan(x scan.Scan) tea.Cmd { return d.Panel.OnScan(x) }

// Title returns the job and the document: "Receive › PO-1".
func (d *DocumentScreen[T]) Title() string { return d.kind.Job + " › " + d.ShortTitle() }

// ShortTitle returns the display name of the document.
func (d *DocumentScreen[T]) ShortTitle() string {
	if d.Doc == nil {
		return names.Unloaded(d.ref(), d.kind.Word)
	}
	return d.kind.Name(d.Doc)
}

// RetryActions returns the actions while the document is not loaded.
func (d *DocumentScreen[T]) RetryActions() []tui.Action {
	return []tui.Action{{ID: d.kind.Route + ".retry", Key: "enter",
		Label: d.T.Get("retry"), Run: d.Refresh}}
}

// LoadingView renders the screen while the document is not loaded.
func (d *DocumentScreen[T]) LoadingView(size tui.Size) string {
	return LoadingView(d.T, d.Theme, size, d.ShortTitle(), d.errText)
}

// Speech describes a document of one product in words.
func (d *DocumentScreen[T]) Speech(summary DocumentSummary) tui.Speech {
	if d.Doc == nil {
		return d.LoadingSpeech()
	}

	l := d.Panel.Frame().line
	facts := []string{strings.TrimSpace(l.Item.Title() + "  " + summary.SummaryText(d.T, l.Pending))}
	about := l.Item.SKU
	for _, more := range []string{l.Item.PackText(d.T), summary.Party, summary.When} {
		if text := strings.TrimSpace(widget.Clean(more)); text != "" {
			about += "  " + text
		}
	}

	return d.Panel.Frame().Speech(append(facts, about)...)
}

// LoadingSpeech describes the screen while the document is not loaded.
func (d *DocumentScreen[T]) LoadingSpeech() tui.Speech {
	if d.errText == "" {
		return tui.Speech{Facts: []string{d.T.Get("loading")}}
	}
	return tui.Speech{Facts: []string{d.errText}, Question: d.T.Get("retry or back")}
}
