package printlabels

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/label/printing"
	"bincard/tui/label/zpl"
	"bincard/views/export"
	"bincard/views/labels"
)

// maxLabels is how many labels one screen prints.
const maxLabels = zpl.MaxCopies

// typed takes the number of labels.
func (s *screen) typed(k tea.KeyMsg) tea.Cmd {
	t := s.site.T()
	text, done := s.quantity.Key(k)
	if !done {
		return nil
	}
	var n int64
	if _, err := fmt.Sscan(text, &n); err != nil || n < 1 || n > maxLabels || len(s.batch) > 1 && n*int64(printing.Total(s.batch)) > maxLabels {
		return tui.Fail(errors.New(t.Get("%s is not a number of labels. Type 1 to %s.", text, t.Count(s.most()))))
	}
	if len(s.batch) == 1 {
		s.batch[0].Count = int(n)
	} else {
		s.sets = n
	}
	return nil
}

// most returns the largest number that can be typed.
func (s *screen) most() int64 {
	if len(s.batch) == 1 {
		return maxLabels
	}
	return max(1, maxLabels/int64(printing.Total(s.batch)))
}

// print adds the labels to the queue.
func (s *screen) print() tea.Cmd {
	batch, opts, operator, name := s.batch, s.options(), s.site.Operator(), s.draft.Printer.Name
	var all []printing.Copies
	for range s.sets {
		all = append(all, batch...)
	}
	t, newNumbers := s.site.T(), s.newNumbers
	s.busy = true
	return s.env.Do(func(ctx context.Context) tea.Msg {
		m := queuedMsg{labels: printing.Total(all), printer: name}
		if newNumbers {
			if all, m.err = labels.TakeNumbers(ctx, s.site, s.service, all[0].Label, all[0].Count); m.err != nil {
				return m
			}
			m.numbers = labels.NumbersText(t, all)
		}
		_, m.err = s.service.PrintAll(all, opts, operator)
		return m
	})
}

// queued goes back to the work, or says why nothing is printed.
func (s *screen) queued(m queuedMsg) tea.Cmd {
	s.busy = false
	if m.err != nil {
		return tui.Fail(errors.New(s.site.T().Get("Nothing was printed: %s", s.site.T().Message(m.err.Error()))))
	}
	text := queuedText(s.site.T(), m.labels, m.printer)
	if m.numbers != "" {
		text = m.numbers + ": " + text
	}
	return tea.Batch(tui.Toast(text), tui.Accepted(), tui.Back())
}

// manyLabels is from how many labels on it is said where they can be stopped.
const manyLabels = 50

// queuedText says how many labels a printer gets.
func queuedText(t *i18n.Translator, n int, printer string) string {
	text := t.Get("%s to %s", labels.CountText(t, int64(n)), printer)
	if n >= manyLabels {
		text += ". " + t.Get("Stop them on Labels (ctrl+p).")
	}
	return text
}

// maxPictures is how many pictures are saved at once.
const maxPictures = 100

// save writes the labels as pictures to the export folder.
func (s *screen) save() tea.Cmd {
	t, batch, opts, dir, now := s.site.T(), s.batch[:min(maxPictures, len(s.batch))], s.options(), s.site.Exports(), s.env.Now()
	s.busy = true
	return s.env.Do(func(context.Context) tea.Msg {
		out := savedMsg{dir: dir}
		for i, c := range batch {
			name := "label-" + fileName(c.Label.Subject()) + "-" + now.Format("150405")
			if len(batch) > 1 {
				name += fmt.Sprintf("-%d", i+1)
			}
			if out.err = s.picture(t, c, opts, filepath.Join(dir, name+".png")); out.err != nil {
				break
			}
			out.files = append(out.files, name+".png")
		}
		return out
	})
}

// picture writes one label as a picture.
func (s *screen) picture(t *i18n.Translator, c printing.Copies, opts printing.Options, name string) error {
	draft, err := s.service.Draw(c.Label, opts)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return export.WriteFile(t, name, 0o600, func(w io.Writer) error {
		_, err := draft.PNG(w)
		return err
	})
}

func (s *screen) saved(m savedMsg) tea.Cmd {
	t := s.site.T()
	s.busy = false
	switch {
	case m.err != nil:
		return tui.Fail(errors.New(t.Get("Cannot save the picture: %v. Try again.", t.Message(m.err.Error()))))
	case len(m.files) == 1:
		return tea.Batch(tui.Toast(t.Get("Wrote %s to %s", m.files[0], m.dir)), tui.Accepted())
	}
	return tea.Batch(tui.Toast(t.Get("Wrote %d pictures to %s", len(m.files), m.dir)), tui.Accepted())
}

// fileName makes a text safe as part of a file name.
func fileName(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, text)
}
