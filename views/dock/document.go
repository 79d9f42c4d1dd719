package dock

import (
	"context"
	"fmt"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

// A Paper is what the screen of one document has to know of its kind.
type Paper[T any] struct {
	Route string // under which one is opened: "receive"
	Job   string // what people call the work: "Receive"
	Find  func(ctx context.Context, ref string) ([]T, error)
	ID    func(doc *T) api.ID
	Name  func(doc *T) string
	Open  func(doc *T) bool  // something can still be done with it
	Where func(doc *T) Place // at which its goods are handled
	Wares func(doc *T) []Ware
	// Question asks which of several documents a reference means, and Choice
	// is one of them as the question lists it.
	Question func(ref string) string
	Choice   func(doc *T) string
}

// A Ware is a product that a document names; Ref is what is embedded of it.
type Ware struct {
	ID  api.ID
	Ref *api.ProductRef
}

// A Document is the part of a screen that works on one document, which its
// route names by id or reference: it reads the document and its goods, asks
// which of several is meant, keeps why it cannot be read, and reads it anew
// when the screen is shown again. The counting is its Bench's.
type Document[T any] struct {
	Doc   *T // nil until it is here
	Goods map[api.ID]Goods
	Bench *Bench
	// Show puts Doc on the bench; it is called when the document was read or changed.
	Show func()

	site    *Site
	paper   Paper[T]
	fault   string // why the document is not here
	puts    int    // how often Doc was put
	ticking bool
}

// NewDocument makes the part for the document that the route of env names.
func NewDocument[T any](site *Site, env tui.Env, paper Paper[T]) Document[T] {
	return Document[T]{site: site, paper: paper, Bench: NewBench(site, env)}
}

// documentMsg brings what was found for a reference, and the goods of the first.
type documentMsg[T any] struct {
	docs  []T
	goods map[api.ID]Goods
	err   error
	aside bool // read by itself, when Doc had been put so often
	puts  int
}

// Begin reads the document, and now and then anew; the service's refusals make
// it be read anew at once.
func (d *Document[T]) Begin() tea.Cmd {
	d.Bench.Refused = func(error) tea.Cmd { return d.Load() }
	return tea.Batch(d.Load(), d.tick())
}

func (d *Document[T]) tick() tea.Cmd {
	if d.ticking {
		return nil
	}
	d.ticking = true
	return d.Bench.Env.After(refreshEvery, func(time.Time) tea.Msg { return refreshMsg{} })
}

// Load reads the document and its goods.
func (d *Document[T]) Load() tea.Cmd { return d.read(false) }

// refresh reads what others did meanwhile, while nothing is done here.
func (d *Document[T]) refresh() tea.Cmd {
	if d.Doc == nil || d.Bench.Busy() || d.Bench.Unsent() {
		return nil
	}
	return d.read(true)
}

func (d *Document[T]) read(aside bool) tea.Cmd {
	ref, puts := d.ref(), d.puts
	return d.Bench.Env.Latest("document", func(ctx context.Context) tea.Msg {
		m := d.found(ctx, ref)
		m.aside, m.puts = aside, puts
		return m
	})
}

func (d *Document[T]) found(ctx context.Context, ref string) documentMsg[T] {
	docs, err := d.paper.Find(ctx, ref)
	if err == nil && len(docs) == 0 {
		err = fmt.Errorf(noDocument, ref)
	}
	if err != nil {
		return documentMsg[T]{err: err}
	}
	goods := map[api.ID]Goods{}
	for _, w := range d.paper.Wares(&docs[0]) {
		if _, known := goods[w.ID]; known {
			continue
		}
		if goods[w.ID], err = d.site.Goods(ctx, w.ID, w.Ref); err != nil {
			return documentMsg[T]{err: err}
		}
	}
	return documentMsg[T]{docs: docs, goods: goods}
}

// Handle takes what is for the document or its bench.
func (d *Document[T]) Handle(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case documentMsg[T]:
		return d.loaded(m)
	case refreshMsg:
		d.ticking = false
		return tea.Batch(d.refresh(), d.tick())
	}
	cmd, _ := d.Bench.Update(msg)
	return cmd
}

func (d *Document[T]) loaded(m documentMsg[T]) tea.Cmd {
	if m.aside && (m.err != nil || m.puts != d.puts || d.Bench.Busy() || d.Bench.Unsent()) {
		return nil // what was done here meanwhile is newer
	}
	d.fault = ""
	switch {
	case m.err != nil && d.Doc != nil:
		return tui.Warn(fmt.Sprintf(notReadAnew, Words(m.err)))
	case m.err != nil:
		d.fault = Words(m.err)
		return nil
	case d.paper.ID(&m.docs[0]).String() != d.ref():
		return d.which(m.docs)
	}
	d.Goods = m.goods
	d.Put(&m.docs[0])
	return nil
}

// which goes on with the document that a reference means, or asks which of
// those that are open.
func (d *Document[T]) which(docs []T) tea.Cmd {
	open := docs[:1]
	for i := 1; i < len(docs) && d.paper.Open(&docs[i]); i++ { // the open ones come first
		open = docs[:i+1]
	}
	return Which(d.paper.Question(d.ref()), open, d.paper.Choice, func(doc *T) tea.Cmd {
		return tui.Replace(tui.Path(d.paper.Route, d.paper.ID(doc).String()))
	})
}

// Put takes the document as it is now.
func (d *Document[T]) Put(doc *T) {
	d.Doc = doc
	d.puts++
	if d.paper.Where != nil {
		d.Bench.Where = d.paper.Where(doc)
		d.Bench.Place = d.Bench.Where.ID
	}
	d.Show()
}

func (d *Document[T]) ref() string { return d.Bench.Env.Route.Param("id") }

// Title is the work and the document: "Receive › PO-1".
func (d *Document[T]) Title() string { return d.paper.Job + " › " + d.ShortTitle() }

// ShortTitle is what people call the document.
func (d *Document[T]) ShortTitle() string {
	if d.Doc == nil {
		return d.ref()
	}
	return d.paper.Name(d.Doc)
}

// Snapshot is the draft of what is counted.
func (d *Document[T]) Snapshot() []byte { return d.Bench.Snapshot() }

// Busy tells whether scans must wait.
func (d *Document[T]) Busy() bool { return d.Bench.Busy() }

// Shown reads the document anew.
func (d *Document[T]) Refresh() tea.Cmd { return d.Load() }

// Types tells whether a key is text for the bench.
func (d *Document[T]) AcceptsKey(k tea.KeyMsg) bool { return d.Doc != nil && d.Bench.AcceptsKey(k) }

// OnScan counts a scan.
func (d *Document[T]) OnScan(x scan.Scan) tea.Cmd { return d.Bench.OnScan(x) }

// Retry are the actions while the document is not here.
func (d *Document[T]) Retry() []tui.Action {
	return []tui.Action{{ID: d.paper.Route + ".retry", Keys: []string{"enter"}, Label: labelRetry, Run: d.Load}}
}

// Absent paints the screen while the document is not here.
func (d *Document[T]) Absent(size tui.Size) string {
	return Absent(d.Bench.Env.Theme, size, d.ShortTitle(), d.fault)
}

// Which opens the one row there is, or asks which; line is a row as the
// question lists it.
func Which[T any](question string, rows []T, line func(row *T) string, open func(row *T) tea.Cmd) tea.Cmd {
	if len(rows) == 1 {
		return open(&rows[0])
	}
	options := make([]string, len(rows))
	for i := range rows {
		options[i] = line(&rows[i])
	}
	return tui.Choose(tui.Choice{Text: question, Options: options, OnChoice: func(i int) tea.Cmd { return open(&rows[i]) }})
}
