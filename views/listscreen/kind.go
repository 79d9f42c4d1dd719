package listscreen

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/export"
	"bincard/views/listsort"
	"bincard/views/panel"
	"bincard/views/preview"
)

// A Kind says what is particular about a list. The fields up to Columns are
// required; a list goes without what the others do if they are not set.
type Kind[T any] struct {
	// Texts returns the texts of the screen, which may change with its state.
	Texts func() Texts
	// Key returns what identifies a row: its ID.
	Key func(row T) string
	// Load returns the function that reads the rows in display order; more reports
	// whether there are others. Load reads the state of the list, because that function
	// runs outside the update loop.
	Load func() func(ctx context.Context) (rows []T, more bool, err error)
	// Columns returns the columns for a size. Speech reads those of tui.Standard.
	Columns func(size tui.Size) []widget.Column[T]

	// Open describes the action of enter by its ID, label and help; OpenRow does it
	// with the selected row. Open may also have its own Disabled and Run.
	Open    tui.Action
	OpenRow func(row *T) tea.Cmd
	// Routes returns the routes of a row's documents. Rows with a draft under one of them
	// are marked.
	Routes func(row *T) []string
	// Unsupported makes the screen that takes the place of this one if the service has
	// no such list.
	Unsupported tui.Factory
	// FilterText returns the text of a row that the filter searches.
	FilterText func(row T) string
	// Input takes the typed text of a list without a filter, and Matches reports
	// whether it lets a row show.
	Input   Input
	Matches func(row T) bool
	// Preview describes the selected row beside the list on large screens, from what is
	// loaded. PreviewLots returns the function that reads the lots of its lines, or nil.
	Preview     func(row *T) preview.Document
	PreviewLots func(row *T) func(ctx context.Context) (preview.Lots, error)
	// Detail returns what a narrow screen has no column for, of the selected row.
	Detail func(row T) string
	// Actions returns the actions besides opening, filter and refresh.
	Actions func() []tui.Action
	// AtLocation says that the rows are those of the operator's location. It adds the
	// action that chooses the location.
	AtLocation bool
	// Orders are the columns by which the operator can sort the list; the rows of Load are
	// in its default order. A list that is not loaded whole is not sorted.
	Orders []listsort.Order[T]
	// ReadsAhead says that Load reads at most Screen.ReadLimit rows, which are more if the
	// list is sorted.
	ReadsAhead bool
	// Find says which row a scan means. A list without Find has Scan, which looks up a
	// scan outside the update loop and returns what to do, such as Screen.Resolve; a
	// list with neither refuses scans.
	Find *Find[T]
	Scan func(ctx context.Context, r count.Label) (open func() tea.Cmd, err error)
	// Export says what Screen.ExportActions write to a file.
	Export *Export[T]
	// Tick runs every second, and the screen is then painted again.
	Tick func() tea.Cmd
	// Busy reports whether scans must wait for an action of the list.
	Busy func() bool
	// Update handles the messages of the list's own actions.
	Update func(msg tea.Msg) (cmd tea.Cmd, handled bool)
	// Loaded runs after the rows were loaded.
	Loaded func()
	// View paints the screen in place of Screen.ListView.
	View func(size tui.Size) string
	// Speech changes the words of the screen in line mode.
	Speech func(s *tui.Speech)
}

// Find says which row of a list a scan means: by its name, key or SKU, else by looking
// up the scan.
type Find[T any] struct {
	// Name, SKU and Product return what a row is matched by.
	Name, SKU func(row *T) string
	Product   func(row *T) api.ID
	// Means reports whether a label means a row otherwise; it may be nil.
	Means func(row *T, r count.Label) bool
	// Parts returns the parts of a row that are searched for a product or a key, and
	// opened if they have it; the row itself if nil.
	Parts func(row T) []T
	// Question asks which of several rows is meant, and Line describes one of them.
	Question string
	Line     func(row *T) string
	// NotFound shows that no row has the product.
	NotFound func(p *api.Product) tea.Cmd
}

// Choose opens the only row, or asks which.
func (f *Find[T]) Choose(rows []T, open func(row *T) tea.Cmd) tea.Cmd {
	return tea.Batch(tui.Accepted(), panel.Choose(f.Question, rows, f.Line, open))
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
type Export[T any] struct {
	Name    string // part of the file name
	Columns []export.Column[T]
}

// Fixed returns a function that returns v, for what does not change with the state of a
// list.
func Fixed[V any](v V) func() V { return func() V { return v } }

// OneRoute returns the routes of rows that have one.
func OneRoute[T any](route func(row *T) string) func(row *T) []string {
	return func(row *T) []string { return []string{route(row)} }
}
