package products

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/catalog"
	"bincard/views/export"
	"bincard/views/listscreen"
	"bincard/views/panel"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// UnknownCodesRoute is the route of the list.
const UnknownCodesRoute = "unknown"

// registerUnknownCodes adds the screen.
func registerUnknownCodes(r *tui.Registry, site *session.Site) {
	r.Add(UnknownCodesRoute, i18n.Text("Unknown codes"), unknownCodes(site))
}

// writtenMsg is the result of exporting the list.
type writtenMsg struct {
	name string
	err  error
}

// unknownCodes returns the factory of the list, latest code first.
func unknownCodes(site *session.Site) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen) listscreen.Kind[*session.UnknownCode] {
		t, writing := s.T, false

		return listscreen.Kind[*session.UnknownCode]{
			Texts: listscreen.Fixed(
				listscreen.Texts{
					Title:      t.Get("Unknown codes"),
					ShortTitle: t.GetC("Unknown", "codes"),
					Noun:       t.Get("codes"),
					Empty:      t.Get("There are no unknown codes in this list."),
				},
			),
			Key: func(x *session.UnknownCode) string { return x.Code },
			Load: listscreen.Fixed(listscreen.Load(func(context.Context) ([]session.UnknownCode, bool, error) {
				return site.UnknownCodes(), false, nil
			})),
			Columns: func(size tui.Size) []widget.Column[*session.UnknownCode] { return unknownCodeColumns(s.Env, size) },
			Open: tui.Action{
				ID:       "unknown.link",
				Label:    t.Get("link to a product"),
				Short:    t.GetC("link", "action"),
				Help:     t.Get("Link the code to a product, as its barcode"),
				Disabled: func() string { return cmp.Or(emptyReason(s), site.Denied(api.LinkBarcode.Spec)) },
			},
			OpenRow: func(x *session.UnknownCode) tea.Cmd { return tui.Open(panel.LinkRoute(x.Code)) },
			Actions: func() []tui.Action {
				return unknownCodeActions(s, func() tea.Cmd { writing = true; return exportCodes(s.Env, site) })
			},
			Busy: func() bool { return writing },
			Update: func(msg tea.Msg) (tea.Cmd, bool) {
				m, ok := msg.(writtenMsg)
				if !ok {
					return nil, false
				}

				writing = false
				if m.err != nil {
					return tui.Fail(t.NewError("Cannot write the list: %v. Try again.", m.err)), true
				}

				text := t.Get("Wrote %s to %s", filepath.Base(m.name), filepath.Dir(m.name))

				return tea.Batch(tui.Toast(text), tui.Accepted()), true
			},
			View: func(size tui.Size) string { return unknownCodesView(s, size) },
		}
	})
}

func unknownCodesView(s *listscreen.Screen, size tui.Size) string {
	s.Layout(size)
	s.List.NoTitles = size.Class == tui.Short
	if size.Small() {
		return s.List.View(s.Theme, size.Width, size.Height)
	}
	head := " " + s.Theme.Muted.Render(
		widget.Clip(s.T.Get("Codes scanned or searched in this shift that were not found"), size.Width-1))
	return head + "\n\n" + s.List.View(s.Theme, size.Width-1, size.Height-2)
}

// unknownCodeColumns returns the columns of the list for a size.
func unknownCodeColumns(env tui.Env, size tui.Size) []widget.Column[*session.UnknownCode] {
	t := env.T

	type col = widget.Column[*session.UnknownCode]
	code := col{
		Title: t.Get("code"),
		Sort:  "code",
		Cell:  func(x *session.UnknownCode) string { return strings.ReplaceAll(x.Code, "\x1d", "␝") },
	}
	times := col{
		Title:  t.Get("times"),
		Width:  5,
		Sort:   "times",
		Number: func(x *session.UnknownCode) int64 { return int64(x.Times) },
	}

	if size.Class == tui.Narrow {
		times.Width, times.Title = 3, ""
		return []col{code, times}
	}

	cols := []col{
		code,
		times,
		{Title: t.Get("where"), Width: 24, Rank: 2, Sort: "where", Cell: locationText},
		{
			Title: t.Get("last"),
			Width: 16,
			Rank:  1,
			Sort:  "last",
			Cell:  func(x *session.UnknownCode) string { return t.When(x.Last, env.Now()) },
			Time:  func(x *session.UnknownCode) *time.Time { return &x.Last },
		},
	}

	if size.Class > tui.Standard {
		cols = append(cols, col{
			Title: t.GetC("first", "unknown codes"),
			Width: 16,
			Cell:  func(x *session.UnknownCode) string { return t.When(x.First, env.Now()) },
		})
	}

	return cols
}

// locationText returns the job and location of the last scan of a code.
func locationText(x *session.UnknownCode) string {
	switch {
	case x.Job == "":
		return x.Location
	case x.Location == "":
		return x.Job
	}

	return x.Job + ", " + x.Location
}

// unknownCodeActions returns the actions on the list; write exports it.
func unknownCodeActions(s *listscreen.Screen, write func() tea.Cmd) []tui.Action {
	t, site := s.T, s.Site

	none := func() string { return emptyReason(s) }
	var actions []tui.Action
	if catalog.ProductsDenied(site) == "" {
		actions = append(actions, tui.Action{
			ID:    "unknown.product",
			Key:   "f3",
			Label: t.Get("create product"),
			Short: t.Get("product"),
			Help:  t.Get("Create a product with this barcode"),
			Disabled: func() string {
				if why := none(); why != "" {
					return why
				}
				return site.MissingRights(api.CreateProduct.Spec)
			},
			Run: func() tea.Cmd {
				x, _ := listscreen.Selected[session.UnknownCode](s)
				return tui.Open(catalog.NewProductRoute(x.Code))
			},
		})
	}

	actions = append(actions, tui.Action{
		ID:       "unknown.copy",
		Key:      "ctrl+y",
		Label:    t.Get("copy"),
		Short:    t.Get("copy"),
		Help:     t.Get("Copy the code"),
		Disabled: none,
		Run: func() tea.Cmd {
			x, _ := listscreen.Selected[session.UnknownCode](s)
			return tui.Copy(x.Code)
		},
	})

	if site.Exports() != "" {
		actions = append(actions, tui.Action{
			ID:       "unknown.export",
			Key:      "f10",
			Label:    t.Get("export"),
			Short:    t.Get("file"),
			Help:     t.Get("Write the list as a CSV file"),
			Disabled: none,
			Run:      write,
		})
	}

	return append(actions, tui.Action{
		ID:       "unknown.forget",
		Key:      "f8",
		Label:    t.Get("discard"),
		Short:    t.Get("discard"),
		Help:     t.Get("Remove the code from this list"),
		Disabled: none,
		Run: func() tea.Cmd {
			x, _ := listscreen.Selected[session.UnknownCode](s)
			site.RemoveUnknownCode(x.Code)
			return s.Refresh()
		},
	})
}

// emptyReason says why there is no code to act on, or returns "".
func emptyReason(s *listscreen.Screen) string {
	if s.List.Len() == 0 {
		return s.T.Get("There are no unknown codes")
	}
	return ""
}

// exportCodes writes the list as CSV to the export folder.
func exportCodes(env tui.Env, site *session.Site) tea.Cmd {
	rows, dir, now := site.UnknownCodes(), site.Exports(), env.Now()
	return env.Do(func(context.Context) tea.Msg {
		name := filepath.Join(dir, "unknown-codes-"+now.Format("2006-01-02-150405")+".csv")
		return writtenMsg{name, writeCSV(site.T(), dir, name, rows)}
	})
}

func writeCSV(t *i18n.Translator, dir, name string, rows []session.UnknownCode) error {
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
		_ = w.Write([]string{
			export.EscapeFormula(x.Code),
			fmt.Sprint(x.Times),
			export.EscapeFormula(x.Job),
			export.EscapeFormula(x.Location),
			x.First.Format(time.RFC3339),
			x.Last.Format(time.RFC3339),
		})
	}

	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}

	return f.Commit()
}
