package dock

import (
	"bincard/tui/i18n"
	"context"
	"errors"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

// A DocumentKind is what the screen of one document has to know of its kind.
type DocumentKind[T any] struct {
	Route    string // under which one is opened: "receive"
	Job      string // what people call the work: "Receive"
	Find     func(ctx context.Context, ref string) ([]T, error)
	ID       func(doc *T) api.ID
	Name     func(doc *T) string
	IsOpen   func(doc *T) bool     // something can still be done with it
	Location func(doc *T) Location // at which its goods are handled
	Items    func(doc *T) []ItemRef
	// Question asks which of several documents a reference means, and Choice
	// is one of them as the question lists it.
	Question func(ref string) string
	Choice   func(doc *T) string
}

// An ItemRef is a product that a document names; Ref is what is embedded of it.
type ItemRef struct {
	ID  api.ID
	Ref *api.ProductRef
}

// A DocumentScreen is the part of a screen that works on one document, which its
// route names by id or reference: it reads the document and its goods, asks
// which of several is meant, keeps why it cannot be read, and reads it anew
// when the screen is shown again. The counting is its Bench's.
type DocumentScreen[T any] struct {
	Doc   *T // nil until it is here
	Items map[api.ID]Item
	Panel *CountPanel
	// ShowDoc puts Doc on the bench; it is called when the document was read or changed.
	ShowDoc func()

	site    *Site
	kind    DocumentKind[T]
	errText string // why the document is not here
	version int    // how often Doc was put
	ticking bool
}

// NewDocumentScreen makes the part for the document that the route of env names.
func NewDocumentScreen[T any](site *Site, env tui.Env, paper DocumentKind[T]) DocumentScreen[T] {
	return DocumentScreen[T]{site: site, kind: paper, Panel: NewCountPanel(site, env)}
}

// documentMsg brings what was found for a reference, and the goods of the first.
type documentMsg[T any] struct {
	docs       []T
	items      map[api.ID]Item
	err        error
	background bool // read by itself, when Doc had been put so often
	version    int
}

// T translates what the screen shows.
func (d *DocumentScreen[T]) T() *i18n.Translator { return d.site.T() }

// Start reads the document, and now and then anew; the service's refusals make
// it be read anew at once.
func (d *DocumentScreen[T]) Start() tea.Cmd {
	d.Panel.OnRefused = func(error) tea.Cmd { return d.Load() }
	return tea.Batch(d.Load(), d.tick())
}

func (d *DocumentScreen[T]) tick() tea.Cmd {
	if d.ticking {
		return nil
	}
	d.ticking = true
	return d.Panel.Env.After(refreshEvery, func(time.Time) tea.Msg { return refreshMsg{} })
}

// Load reads the document and its goods.
func (d *DocumentScreen[T]) Load() tea.Cmd { return d.fetch(false) }

// refresh reads what others did meanwhile, while nothing is done here.
func (d *DocumentScreen[T]) refresh() tea.Cmd {
	if d.Doc == nil || d.Panel.Busy() || d.Panel.HasSubmission() {
		return nil
	}
	return d.fetch(true)
}

func (d *DocumentScreen[T]) fetch(aside bool) tea.Cmd {
	ref, puts := d.ref(), d.version
	return d.Panel.Env.Latest("document", func(ctx context.Context) tea.Msg {
		m := d.find(ctx, ref)
		m.background, m.version = aside, puts
		return m
	})
}

func (d *DocumentScreen[T]) find(ctx context.Context, ref string) documentMsg[T] {
	docs, err := d.kind.Find(ctx, ref)
	if err == nil && len(docs) == 0 {
		err = errors.New(d.T().Get("There is no document %s. Check the number, or scan it again.", ref))
	}
	if err != nil {
		return documentMsg[T]{err: err}
	}
	goods := map[api.ID]Item{}
	for _, w := range d.kind.Items(&docs[0]) {
		if _, known := goods[w.ID]; known {
			continue
		}
		if goods[w.ID], err = d.site.Item(ctx, w.ID, w.Ref); err != nil {
			return documentMsg[T]{err: err}
		}
	}
	return documentMsg[T]{docs: docs, items: goods}
}

// Handle takes what is for the document or its bench.
func (d *DocumentScreen[T]) Handle(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case documentMsg[T]:
		return d.loaded(m)
	case refreshMsg:
		d.ticking = false
		return tea.Batch(d.refresh(), d.tick())
	}
	cmd, _ := d.Panel.Update(msg)
	return cmd
}

func (d *DocumentScreen[T]) loaded(m documentMsg[T]) tea.Cmd {
	if m.background && (m.err != nil || m.version != d.version || d.Panel.Busy() || d.Panel.HasSubmission()) {
		return nil // what was done here meanwhile is newer
	}
	d.errText = ""
	switch {
	case m.err != nil && d.Doc != nil:
		return tui.Warn(d.T().Get("Not refreshed: %s", UserMessage(d.T(), m.err)))
	case m.err != nil:
		d.errText = UserMessage(d.T(), m.err)
		return nil
	case d.kind.ID(&m.docs[0]).String() != d.ref():
		return d.chooseDoc(m.docs)
	}
	d.Items = m.items
	d.SetDoc(&m.docs[0])
	return nil
}

// chooseDoc goes on with the document that a reference means, or asks which of
// those that are open.
func (d *DocumentScreen[T]) chooseDoc(docs []T) tea.Cmd {
	open := docs[:1]
	for i := 1; i < len(docs) && d.kind.IsOpen(&docs[i]); i++ { // the open ones come first
		open = docs[:i+1]
	}
	return Choose(d.kind.Question(d.ref()), open, d.kind.Choice, func(doc *T) tea.Cmd {
		return tui.Replace(tui.Path(d.kind.Route, d.kind.ID(doc).String()))
	})
}

// SetDoc takes the document as it is now.
func (d *DocumentScreen[T]) SetDoc(doc *T) {
	d.Doc = doc
	d.version++
	if d.kind.Location != nil {
		d.Panel.Location = d.kind.Location(doc)
		d.Panel.LocationID = d.Panel.Location.ID
	}
	d.ShowDoc()
}

func (d *DocumentScreen[T]) ref() string { return d.Panel.Env.Route.Param("id") }

// Title is the work and the document: "Receive › PO-1".
func (d *DocumentScreen[T]) Title() string { return d.kind.Job + " › " + d.ShortTitle() }

// ShortTitle is what people call the document.
func (d *DocumentScreen[T]) ShortTitle() string {
	if d.Doc == nil {
		return d.ref()
	}
	return d.kind.Name(d.Doc)
}

// Snapshot is the draft of what is counted.
func (d *DocumentScreen[T]) Snapshot() []byte { return d.Panel.Snapshot() }

// Busy tells whether scans must wait.
func (d *DocumentScreen[T]) Busy() bool { return d.Panel.Busy() }

// Refresh reads the document anew.
func (d *DocumentScreen[T]) Refresh() tea.Cmd { return d.Load() }

// AcceptsKey tells whether a key is text for the bench.
func (d *DocumentScreen[T]) AcceptsKey(k tea.KeyMsg) bool {
	return d.Doc != nil && d.Panel.AcceptsKey(k)
}

// OnScan counts a scan.
func (d *DocumentScreen[T]) OnScan(x scan.Scan) tea.Cmd { return d.Panel.OnScan(x) }

// RetryActions are the actions while the document is not here.
func (d *DocumentScreen[T]) RetryActions() []tui.Action {
	return []tui.Action{{ID: d.kind.Route + ".retry", Keys: []string{"enter"}, Label: d.T().Get("retry"), Run: d.Load}}
}

// LoadingView paints the screen while the document is not here.
func (d *DocumentScreen[T]) LoadingView(size tui.Size) string {
	return LoadingView(d.T(), d.Panel.Env.Theme, size, d.ShortTitle(), d.errText)
}

// Choose opens the one row there is, or asks which; line is a row as the
// question lists it.
func Choose[T any](question string, rows []T, line func(row *T) string, open func(row *T) tea.Cmd) tea.Cmd {
	if len(rows) == 1 {
		return open(&rows[0])
	}
	options := make([]string, len(rows))
	for i := range rows {
		options[i] = line(&rows[i])
	}
	return tui.Choose(tui.Choice{Text: question, Options: options, OnChoice: func(i int) tea.Cmd { return open(&rows[i]) }})
}
