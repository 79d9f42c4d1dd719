package printlabels

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/label"
	"bincard/tui/label/printing"
	"bincard/views/export"
	"bincard/views/labels"
)

// maxLabels is how many labels one screen prints.
const maxLabels = label.MaxCopies

// typed takes the number of labels.
func (s *screen) typed(k tea.KeyMsg) tea.Cmd {
	t := s.T
	text, done := s.quantity.Key(k)
	if !done {
		return nil
	}

	var n int64
	if _, err := fmt.Sscan(text, &n); err != nil || n < 1 || n > maxLabels ||
		len(s.batch) > 1 && n*int64(printing.Total(s.batch)) > maxLabels {
		return tui.Fail(t.NewError("%s is not a number of labels. Type 1 to %s.", text, t.Count(s.most())))
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

// print adds the labels to the queue and goes back to the work.
func (s *screen) print() tea.Cmd {
	t, batch, opts, operator, name := s.T, slices.Repeat(s.batch,
		int(s.sets)), s.options(), s.site.Operator(), s.draft.Printer.Name
	newNumbers := s.newNumbers
	s.busy = true

	return s.Do(func(ctx context.Context) tea.Msg {
		text, err := queuedText(t, printing.Total(batch), name), error(nil)
		if newNumbers {
			if batch, err = labels.TakeNumbers(ctx, s.site, s.service, batch[0].Label, batch[0].Count); err == nil {
				text = labels.NumbersText(t, batch) + ": " + text
			}
		}

		if err == nil {
			_, err = s.service.PrintAll(batch, opts, operator)
		}
		if err != nil {
			err = t.NewError("Nothing was printed: %s", err)
		}

		return doneMsg{text, err, tui.Back()}
	})
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
	t, batch, opts, dir, now := s.T, s.batch[:min(maxPictures, len(s.batch))], s.options(), s.site.Exports(), s.Now()
	s.busy = true

	return s.Do(func(context.Context) tea.Msg {
		name, err := "", os.MkdirAll(dir, 0o700)
		for i, c := range batch {
			name = "label-" + fileName(c.Label.Subject()) + "-" + now.Format("150405")
			if len(batch) > 1 {
				name += fmt.Sprintf("-%d", i+1)
			}

			name += ".png"
			var draft *printing.Draft
			if err == nil {
				draft, err = s.service.Draw(c.Label, opts)
			}

			if err == nil {
				err = export.WriteFile(t, filepath.Join(dir, name), 0o600, func(w io.Writer) error {
					_, err := draft.PNG(w)
					return err
				})
			}
		}

		text := t.Get("Wrote %s to %s", name, dir)
		if len(batch) > 1 {
			text = t.Get("Wrote %d pictures to %s", len(batch), dir)
		}
		if err != nil {
			err = t.NewError("Cannot save the picture: %v. Try again.", err)
		}

		return doneMsg{text: text, err: err}
	})
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
