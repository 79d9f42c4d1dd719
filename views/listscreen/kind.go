package listscreen

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/export"
)

// A Kind says what is particular about a list of rows of type R, which is a pointer. The
// fields up to Columns are required; a list goes without what the others do if they are
// not set.
type Kind[R any] struct {
	// Texts returns the texts of the screen, which may change with its state.
	Texts func() Texts
	// Key returns what identifies a row: its ID.
	Key func(row R) string
	// Load returns the function that reads the rows. Load reads the state of the list,
	// because that function runs outside the update loop.
	Load func() Loader[R]
	// Columns returns the columns for a size. Speech reads those of tui.Standard. The
	// operator can sort the list by those with a Sort, if it is loaded whole and not
	// Unsorted; the rows of Load are in its default order.
	Columns  func(size tui.Size) []widget.Column[R]
	Unsorted bool

	// Open describes the action of enter by its ID, label and help; OpenRow does it
	// with the selected row. Open may also have its own Disabled and Run.
	Open    tui.Action
	OpenRow func(row R) tea.Cmd
	// Routes returns the routes of a row's documents. Rows with a draft under one of them
	// are marked.
	Routes func(row R) []string
	// Unsupported makes the screen that takes the place of this one if the service has
	// no such list.
	Unsupported tui.Factory
	// FilterText returns the text of a row that the filter searches.
	FilterText func(row R) string
	// Input takes the typed text of a list without a filter, and Matches reports
	// whether it lets a row show.
	Input   Input
	Matches func(row R) bool
	// Preview describes the selected row beside the list on large screens, from what is
	// loaded. PreviewLots returns the function that reads the lots of its lines, or nil.
	Preview     func(row R) Preview
	PreviewLots func(row R) func(ctx context.Context) (PreviewLots, error)
	// Detail returns what a narrow screen has no column for, of the selected row. If
	// DetailHeight is set, every size shows it below the list, in up to that many lines.
	Detail       func(row R) string
	DetailHeight func(class tui.Class) int
	// Actions returns the actions besides opening, filter and refresh.
	Actions func() []tui.Action
	// AtLocation says that the rows are those of the operator's location. It adds the
	// action that chooses the location.
	AtLocation bool
	// ReadsAhead says that Load reads at most Screen.ReadLimit rows, which are more if the
	// list is sorted.
	ReadsAhead bool
	// Find says which row a scan means. A list without Find has Scan, which looks up a
	// scan outside the update loop and returns what to do, such as Screen.Resolve; a
	// list with neither refuses scans.
	Find *Find[R]
	Scan func(ctx context.Context, r count.Label) (open func() tea.Cmd, err error)
	// Export says what Screen.ExportActions write to a file.
	Export *Export
	// Tick runs every second, and the screen is then painted again.
	Tick func() tea.Cmd
	// Busy reports whether scans must wait for an action of the list.
	Busy func() bool
	// Update handles the messages of the list's own actions.
	Update func(msg tea.Msg) (cmd tea.Cmd, handled bool)
	// Loaded runs after the rows were loaded.
	Loaded func()
	// View paints the screen in place of the list.
	View func(size tui.Size) string
	// Speech changes the words of the screen in line mode.
	Speech func(s *tui.Speech)
}

// boxed returns a kind for rows of any type, so that a screen is compiled only once.
func boxed[R any](s *Screen, k Kind[R]) *Kind[any] {
	out := &Kind[any]{
		Texts:        k.Texts,
		Key:          widget.BoxedFunc(k.Key),
		Open:         k.Open,
		OpenRow:      widget.BoxedFunc(k.OpenRow),
		Routes:       widget.BoxedFunc(k.Routes),
		Unsupported:  k.Unsupported,
		FilterText:   widget.BoxedFunc(k.FilterText),
		Input:        k.Input,
		Matches:      widget.BoxedFunc(k.Matches),
		Unsorted:     k.Unsorted,
		Preview:      widget.BoxedFunc(k.Preview),
		PreviewLots:  widget.BoxedFunc(k.PreviewLots),
		Detail:       widget.BoxedFunc(k.Detail),
		DetailHeight: k.DetailHeight,
		Actions:      k.Actions,
		AtLocation:   k.AtLocation,
		ReadsAhead:   k.ReadsAhead,
		Scan:         k.Scan,
		Export:       k.Export,
		Tick:         k.Tick,
		Busy:         k.Busy,
		Update:       k.Update,
		Loaded:       k.Loaded,
		View:         k.View,
		Speech:       k.Speech,
		Columns:      func(size tui.Size) []widget.Column[any] { return widget.BoxedColumns(k.Columns(size), s.T.Count) },
		Load: func() Loader[any] {
			load := k.Load()
			return func(ctx context.Context) ([]any, bool, error) {
				rows, more, err := load(ctx)
				return widget.Boxed(rows), more, err
			}
		},
	}

	if f := k.Find; f != nil {
		out.Find = &Find[any]{
			Name:     widget.BoxedFunc(f.Name),
			SKU:      widget.BoxedFunc(f.SKU),
			Product:  widget.BoxedFunc(f.Product),
			Question: f.Question,
			Line:     widget.BoxedFunc(f.Line),
			NotFound: f.NotFound,
		}

		if f.Means != nil {
			out.Find.Means = func(row any, r count.Label) bool { return f.Means(row.(R), r) }
		}
		if f.Parts != nil {
			out.Find.Parts = func(row any) []any { return widget.Boxed(f.Parts(row.(R))) }
		}
	}

	return out
}

// A Loader reads rows in display order; more reports whether there are others.
type Loader[R any] = func(ctx context.Context) (rows []R, more bool, err error)

// Load returns the loader of pointers to the rows that read reads.
func Load[E any](read func(ctx context.Context) ([]E, bool, error)) Loader[*E] {
	return func(ctx context.Context) ([]*E, bool, error) {
		rows, more, err := read(ctx)
		return widget.Pointers(rows), more, err
	}
}

// Texts are the texts of a list.
type Texts struct {
	Title      string
	ShortTitle string // on small screens; Title if empty
	// Question is the prompt, ShortQuestion the one for small screens.
	Question, ShortQuestion string
	// NarrowQuestion replaces ShortQuestion where the columns have titles.
	NarrowQuestion string
	Noun           string // follows the number of rows: "open"
	Empty          string // shown for an empty list: what to do
}

// An Input takes typed text, and shows it in place of the question.
type Input interface {
	AcceptsKey(k tea.KeyMsg) bool
	Key(k tea.KeyMsg) tea.Cmd
	Value() string
	View(width int) string
}

// Export describes the files of a list.
type Export struct {
	name   string
	source func(rows []any) export.Source
	cells  func(row any) []string
}

// NewExport returns the files of a list of pointers to E. The name is a part of their names.
func NewExport[E any](name string, columns []export.Column[E]) *Export {
	return &Export{name, func(rows []any) export.Source {
		return export.FromRows(columns, widget.Values[E](rows))
	}, func(row any) (cells []string) {
		for _, c := range columns {
			cells = append(cells, c.Cell(row.(*E)))
		}
		return cells
	}}
}

// Fixed returns a function that returns v, for what does not change with the state of a
// list.
func Fixed[V any](v V) func() V { return func() V { return v } }

// OneRoute returns the routes of rows that have one.
func OneRoute[R any](route func(row R) string) func(row R) []string {
	return func(row R) []string { return []string{route(row)} }
}

// Find says which row of a list a scan means: by its name, key or SKU, else by looking
// up the scan.
type Find[R any] struct {
	// Name, SKU and Product return what a row is matched by.
	Name, SKU func(row R) string
	Product   func(row R) api.ID
	// Means reports whether a label means a row otherwise; it may be nil.
	Means func(row R, r count.Label) bool
	// Parts returns the parts of a row that are searched for a product or a key, and
	// opened if they have it; the row itself if nil.
	Parts func(row R) []R
	// Question asks which of several rows is meant, and Line describes one of them.
	Question string
	Line     func(row R) string
	// NotFound shows that no row has the product.
	NotFound func(p *api.Product) tea.Cmd
}
