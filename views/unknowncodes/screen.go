// Package unknowncodes is the list of the unknown codes scanned in this shift: how often,
// where and when each was scanned.
package unknowncodes

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/dock"
	"bincard/views/export"
	"bincard/views/products"

	tea "github.com/charmbracelet/bubbletea"
)

// Route is the route of the list.
const Route = "unknown"

// Register adds the screen.
func Register(r *tui.Registry, site *dock.Site) {
	r.Add(Route, i18n.Text("Unknown codes"), func(tui.Env) (tui.Screen, error) { return &screen{site: site}, nil })
}

// screen is the list, latest code first.
type screen struct {
	site *dock.Site
	env  tui.Env
	list widget.List[dock.UnknownCode]
	busy bool
}

type writtenMsg struct {
	name string
	err  error
}

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.list = widget.NewList(func(x dock.UnknownCode) string { return x.Code }, s.columns(tui.Standard)...)
	return s.Refresh()
}

// Refresh shows the current list.
func (s *screen) Refresh() tea.Cmd {
	s.list.EmptyText = s.site.T().Get("All codes scanned in this shift are known.")
	s.list.SetRows(s.site.UnknownCodes())
	return nil
}

func (s *screen) Title() string { return s.site.T().Get("Unknown codes") }
func (s *screen) Busy() bool    { return s.busy }

func (s *screen) columns(class tui.Class) []widget.Column[dock.UnknownCode] {
	t := s.site.T()

	type col = widget.Column[dock.UnknownCode]
	code := col{Title: t.Get("code"), Cell: func(x dock.UnknownCode) string { return strings.ReplaceAll(x.Code, "\x1d", "␝") }}
	times := col{Title: t.Get("times"), Width: 5, Right: true, Cell: func(x dock.UnknownCode) string { return t.Count(int64(x.Times)) }}
	if class == tui.Narrow {
		times.Width, times.Title = 3, ""
		return []col{code, times}
	}
	cols := []col{code, times, {Title: t.Get("where"), Width: 24, Rank: 2, Cell: locationText},
		{Title: t.Get("last"), Width: 16, Rank: 1, Cell: func(x dock.UnknownCode) string { return t.When(x.Last, s.env.Now()) }}}
	if class > tui.Standard {
		cols = append(cols, col{Title: t.GetC("first", "unknown codes"), Width: 16, Cell: func(x dock.UnknownCode) string { return t.When(x.First, s.env.Now()) }})
	}
	return cols
}

// locationText returns the job and location of the last scan of a code.
func locationText(x dock.UnknownCode) string {
	switch {
	case x.Job == "":
		return x.Location
	case x.Location == "":
		return x.Job
	}
	return x.Job + ", " + x.Location
}

func (s *screen) View(size tui.Size) string {
	s.list.Columns = s.columns(size.Class)
	s.list.NoTitles = size.Class == tui.Short
	if size.Small() {
		return s.list.View(s.env.Theme, size.Width, size.Height)
	}
	head := " " + s.env.Theme.Muted.Render(widget.Clip(s.site.T().Get("Codes scanned in this shift that were not found"), size.Width-1))
	return head + "\n\n" + s.list.View(s.env.Theme, size.Width-1, size.Height-2)
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		s.list.Key(msg)
	case writtenMsg:
		s.busy = false
		if msg.err != nil {
			return s, tui.Fail(errors.New(s.site.T().Get("Cannot write the list: %v. Try again.", msg.err)))
		}
		return s, tea.Batch(tui.Toast(s.site.T().Get("Wrote %s to %s", filepath.Base(msg.name), filepath.Dir(msg.name))), tui.Accepted())
	}
	return s, nil
}

func (s *screen) Actions() []tui.Action {
	t := s.site.T()

	emptyReason := func() string {
		if s.list.Len() == 0 {
			return t.Get("There are no unknown codes")
		}
		return ""
	}
	var actions []tui.Action
	if products.Denied(s.site) == "" {
		actions = append(actions, tui.Action{ID: "unknown.product", Keys: []string{"f3"}, Label: t.Get("create product"), Short: t.Get("product"), Help: t.Get("Create a product with this barcode"),
			Disabled: func() string {
				if why := emptyReason(); why != "" {
					return why
				}
				return s.site.MissingRights(api.CreateProduct.Spec)
			}, Run: func() tea.Cmd {
				x, _ := s.list.Selected()
				return tui.Open(products.NewRoute(x.Code))
			}})
	}
	actions = append(actions,
		tui.Action{ID: "unknown.copy", Keys: []string{"f4"}, Label: t.Get("copy"), Short: t.Get("copy"), Help: t.Get("Copy the code"), Disabled: emptyReason, Run: func() tea.Cmd {
			x, _ := s.list.Selected()
			return tui.Copy(x.Code)
		}})
	if s.site.Exports() != "" {
		actions = append(actions, tui.Action{ID: "unknown.export", Keys: []string{"f10"}, Label: t.Get("export"), Short: t.Get("file"), Help: t.Get("Write the list as a CSV file"),
			Disabled: emptyReason, Run: s.export})
	}
	return append(actions, tui.Action{ID: "unknown.forget", Keys: []string{"f8"}, Label: t.Get("discard"), Short: t.Get("discard"), Help: t.Get("Remove the code from this list"), Disabled: emptyReason,
		Run: func() tea.Cmd {
			x, _ := s.list.Selected()
			s.site.RemoveUnknownCode(x.Code)
			return s.Refresh()
		}})
}

// export writes the list as CSV to the export folder.
func (s *screen) export() tea.Cmd {
	s.busy = true
	rows, dir, now := s.site.UnknownCodes(), s.site.Exports(), s.env.Now()
	return s.env.Do(func(context.Context) tea.Msg {
		name := filepath.Join(dir, "unknown-codes-"+now.Format("2006-01-02-150405")+".csv")
		return writtenMsg{name, writeCSV(s.site.T(), dir, name, rows)}
	})
}

func writeCSV(t *i18n.Translator, dir, name string, rows []dock.UnknownCode) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := export.Create(t, name, 0o600)
	if err != nil {
		return err
	}
	defer f.Discard()
	w := csv.NewWriter(f)
	_ = w.Write([]string{"code", "times", "job", "location", "first", "last"}) // w.Error returns the error
	for _, x := range rows {
		_ = w.Write([]string{export.EscapeFormula(x.Code), fmt.Sprint(x.Times), export.EscapeFormula(x.Job), export.EscapeFormula(x.Location), x.First.Format(time.RFC3339), x.Last.Format(time.RFC3339)})
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return f.Commit()
}
