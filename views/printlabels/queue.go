package printlabels

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/label/printing"
	"bincard/tui/widget"
	"bincard/views/labels"
	"bincard/views/listscreen"
	"bincard/views/panel"
	"bincard/views/session"
)

// queueList returns the factory of the label queue: what needs a person first, then what
// waits, then the latest first.
func queueList(site *session.Site) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen) listscreen.Kind[*printing.Job] {
		t, service, busy := s.T, site.Labels(), false
		change := func(text string, fn func() error) tea.Cmd {
			busy = true
			return s.Do(func(context.Context) tea.Msg { return doneMsg{text: text, err: fn()} })
		}

		return listscreen.Kind[*printing.Job]{
			Texts: func() listscreen.Texts { return queueTexts(site, listscreen.Rows[*printing.Job](s)) },
			Key:   func(j *printing.Job) string { return strconv.FormatInt(j.ID, 10) },
			Load: listscreen.Fixed(listscreen.Load(func(context.Context) ([]printing.Job, bool, error) {
				jobs, err := service.Queue.Jobs()
				slices.SortStableFunc(jobs, byUrgency)
				return jobs, false, err
			})),
			Columns:      func(size tui.Size) []widget.Column[*printing.Job] { return queueColumns(s.Env, size) },
			FilterText:   func(j *printing.Job) string { return j.Title + " " + j.Printer + " " + j.Operator },
			Detail:       func(j *printing.Job) string { return widget.Clean(jobDetail(s.Env, j)) },
			DetailHeight: detailHeight,
			Open: tui.Action{
				ID:       "labels.again",
				Label:    t.Get("print again"),
				Short:    t.GetC("again", "print"),
				Help:     t.Get("Print the label again"),
				Disabled: func() string { return cmp.Or(s.EmptyReason(), whyNotAgain(s)) },
			},
			OpenRow: func(j *printing.Job) tea.Cmd {
				again := func() tea.Cmd {
					return change(t.Get("%s again on %s", j.Title, j.Printer),
						func() error { return service.Queue.Retry(j.ID) })
				}
				if j.State != printing.MaybePrinted {
					return again()
				}

				return tui.Confirm(tui.Question{
					Text:  t.Get("The label for %s may already have printed. Print it again?", j.Title),
					Yes:   t.Get("print again"),
					No:    t.Get("keep as is"),
					OnYes: again,
				})
			},
			Actions: func() []tui.Action { return queueActions(s, change) },
			Busy:    func() bool { return busy },
			Tick: func() tea.Cmd {
				if slices.ContainsFunc(listscreen.Rows[*printing.Job](s),
					func(j *printing.Job) bool { return j.State == printing.Queued || j.State == printing.Sending }) {
					return s.Reload()
				}
				return nil
			},
			Update: func(msg tea.Msg) (tea.Cmd, bool) {
				m, ok := msg.(doneMsg)
				if !ok {
					return nil, false
				}
				if busy = false; m.err != nil {
					m.err = errors.New(widget.Capitalize(t.Message(m.err.Error())))
				}
				return tea.Batch(m.cmd(), s.Reload()), true
			},
		}
	})
}

var ranks = map[printing.JobState]int{printing.MaybePrinted: -3, printing.Sending: -2, printing.Queued: -1}

// byUrgency puts what may be printed first, then what waits, each the oldest first, then
// the others, the latest first.
func byUrgency(a, b printing.Job) int {
	if x, y := ranks[a.State], ranks[b.State]; x < 0 || y < 0 {
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a.ID, b.ID))
	}
	return cmp.Or(b.Changed.Compare(a.Changed), cmp.Compare(b.ID, a.ID))
}

func queueTexts(site *session.Site, jobs []*printing.Job) listscreen.Texts {
	t := site.T()
	out := listscreen.Texts{
		Title:         t.Get("Labels"),
		Question:      t.Get("Print a label again, or discard it"),
		ShortQuestion: t.Get("print again"),
		Noun:          t.GetC("jobs", "labels"),
		Empty:         t.Get("No labels yet. Press %s on an item, a lot, a location or a document.", "ctrl+k"),
	}

	if len(jobs) == 1 {
		out.Noun = t.GetC("job", "labels")
	}
	if len(site.Labels().Settings.Printers) == 0 {
		out.Empty = labels.NoPrinterText(site)
	}
	if n := labelCount(notPrinted(jobs)); n > 0 {
		out.Question = t.Get("%s not printed. Print a label again, or discard it.", labels.CountText(t, n))
		out.ShortQuestion = t.Get("%s not printed", t.Count(n))
	}

	return out
}

// notPrinted returns the jobs that are not printed.
func notPrinted(jobs []*printing.Job) (out []printing.Job) {
	for _, j := range jobs {
		if j.State == printing.Queued {
			out = append(out, *j)
		}
	}

	return out
}

// whyNotAgain says why the selected label cannot be printed again, or returns "".
func whyNotAgain(s *listscreen.Screen) string {
	t := s.T
	switch j, _ := listscreen.Selected[printing.Job](s); j.State {
	case printing.Queued:
		return t.Get("It is printed when %s is ready", j.Printer)
	case printing.Sending:
		return t.Get("It is being sent")
	}

	return ""
}

// queueActions returns the actions that discard labels.
func queueActions(s *listscreen.Screen, change func(string, func() error) tea.Cmd) []tui.Action {
	t, q := s.T, s.Site.Labels().Queue
	selected, _ := listscreen.Selected[printing.Job](s)
	jobs := notPrinted(listscreen.Rows[*printing.Job](s))
	n := labelCount(jobs)

	return []tui.Action{
		{
			ID:        "labels.discard",
			Key:       "f8",
			Label:     t.Get("discard"),
			Short:     t.Get("discard"),
			Help:      t.Get("Do not print the label"),
			Dangerous: true,
			Ask:       t.Get("Discard the label of %s? It will not be printed.", selected.Title),
			Yes:       t.Get("discard it"),
			No:        t.Get("keep it"),
			Disabled: func() string {
				switch {
				case s.EmptyReason() != "":
					return s.EmptyReason()
				case selected.State == printing.Queued || selected.State == printing.MaybePrinted:
					return ""
				}

				return t.Get("It is %s", selected.State.Title(t))
			},
			Run: func() tea.Cmd {
				return change(t.Get("Discarded %s", selected.Title), func() error { return q.Cancel(selected.ID) })
			},
		},
		{
			ID:        "labels.stop",
			Key:       panel.CancelKey,
			Label:     t.Get("stop all"),
			Short:     t.Get("stop"),
			Help:      t.Get("Discard all labels that are not printed"),
			Dangerous: true,
			NoFooter:  len(jobs) < 2,
			Ask:       t.Get("Discard %s? They will not be printed.", labels.CountText(t, n)),
			Yes:       t.Get("discard them"),
			No:        t.Get("keep them"),
			Disabled: func() string {
				if len(jobs) == 0 {
					return t.Get("All labels are printed")
				}
				return ""
			},
			Run: func() tea.Cmd {
				var ids []int64
				for _, j := range jobs {
					ids = append(ids, j.ID)
				}
				return change(t.Get("Stopped. %s discarded.", labels.CountText(t, n)),
					func() error { _, err := q.CancelAll(ids); return err })
			},
		},
	}
}
