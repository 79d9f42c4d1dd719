package outbounds

import (
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
)

func (s *newOrderForm) View(size tui.Size) string {
	t := s.Theme
	var top []string
	if !size.Small() {
		top = append(
			top,
			" "+t.Muted.Render(
				s.T.Get("An order from %s: scan the items, then enter the customer", s.site.Location().String()),
			),
			"",
		)
	}

	if s.submission.Unfinished() {
		top = append(top,
			widget.QuestionMarker+t.Ask(widget.Clip(s.T.Get("No answer yet: enter to retry"), size.Width-2)))
	} else {
		form := strings.Split(s.form.View(t, size.Width), "\n")
		if size.Class == tui.Short {
			form = cutAround(form, 2)
		}
		top = append(top, form...)
	}

	if !size.Small() {
		top = append(top, "")
	}

	list := s.table(size)

	return strings.Join(append(top, list.View(t, size.Width, size.Height-len(top))), "\n")
}

// cutAround returns n lines of a form that include the focused one.
func cutAround(form []string, n int) []string {
	at := max(0,
		slices.IndexFunc(form, func(line string) bool { return strings.Contains(line, widget.QuestionMarker) }))
	from := max(0, min(at, len(form)-n))
	return form[from:min(len(form), from+n)]
}
