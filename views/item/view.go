package item

import (
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/label"
	"bincard/tui/widget"
	"bincard/views/labels"
	"bincard/views/listscreen"
	"bincard/views/panel"

	tea "github.com/charmbracelet/bubbletea"
)

func (s *screen) Actions() []tui.Action {
	t := s.T
	reload := tui.Action{
		ID:       "item.reload",
		Key:      "ctrl+r",
		Label:    t.Get("refresh"),
		NoFooter: true,
		Help:     t.Get("Load the latest data"),
		Run:      s.Refresh,
	}

	if s.errText != "" {
		return []tui.Action{{ID: "item.retry", Key: "enter", Label: t.Get("retry"), Run: s.Refresh}}
	}

	r, _ := s.list.Selected()
	actions := []tui.Action{
		{
			ID:    "item.open",
			Key:   "enter",
			Label: strings.ToLower(r.job.label) + " " + s.rowName(r),
			Short: t.GetC("open", "verb"),
			Help:  t.Get("Open the selected row"),
			Disabled: func() string {
				if r.document != nil {
					return ""
				}
				return s.whyNot(r.job)
			},
			Run: func() tea.Cmd { return s.open(r) },
		},
		{ID: "item.digits", Key: "0-9", Label: t.GetC("open", "verb")},
	}

	for _, j := range s.jobs() {
		if j.digit == "" {
			continue
		}
		if _, _, err := s.routes.Find(j.route); j.route != "" && err != nil {
			continue
		}

		actions = append(
			actions,
			tui.Action{ID: "item." + j.id, Key: j.digit, Label: j.label, NoFooter: true,
				Disabled: func() string { return s.whyNot(j) }, Run: func() tea.Cmd { return s.run(j) }},
		)
	}

	actions = append(actions, tui.Action{
		ID:       "item.unlink",
		Key:      "f8",
		Label:    t.Get("unlink a barcode"),
		NoFooter: true,
		Help:     t.Get("Unlink a barcode that does not belong to the product"),
		Disabled: func() string { return s.site.Denied(api.UnlinkBarcode.Spec) },
		Run:      tui.Opens(panel.UnlinkRoute(s.sku)),
	})

	actions = append(actions, labels.PrintActions(s.site, s.label)...)
	if s.item != nil {
		actions = append(actions, panel.ShelfAction(s.site, *s.item), tui.Action{
			ID:       "item.product",
			Key:      "ctrl+e",
			Label:    t.Get("product details"),
			NoFooter: true,
			Help:     t.Get("Show the product and its changes, or correct it"),
			Disabled: func() string { return s.site.Denied(api.GetProduct.Spec) },
			Run:      tui.Opens(tui.Path("products", s.sku)),
		})
		if r, ok := labels.NewNumbers(s.site, *s.item, 0); ok {
			actions = append(actions, labels.NewNumbersAction(t, r))
		}
	}

	return append(actions, panel.ChooseLocation(s.site, s.Env), reload)
}

// label returns the label of the scanned lot or serial number, else that of the item.
func (s *screen) label() (r labels.Request, none string) {
	q := s.Route.Query
	switch {
	case s.item == nil:
		none = s.T.Get("It is still loading")
	case q.Get("serial") != "":
		return labels.Request{Kind: label.KindSerial, Subject: q.Get("code"), SKU: s.item.SKU}, ""
	case s.lotCode != "":
		return labels.Request{Kind: label.KindLot, Subject: s.item.SKU, Lot: s.lotCode}, ""
	}

	return labels.Request{Kind: label.KindProduct, Subject: s.sku}, none
}

// rowName returns the name of the document of a row, else that of the item.
func (s *screen) rowName(r row) string {
	if r.document != nil {
		return widget.Clean(r.document.name)
	}
	return widget.Clean(s.sku)
}

// top returns the line of the first row.
func (s *screen) top() int {
	if s.small {
		return 1
	}
	return 2
}

func (s *screen) View(size tui.Size) string {
	t := s.Theme
	if s.errText != "" {
		return panel.LoadingView(s.T, t, size, s.sku, s.errText)
	}

	s.small, s.list.Columns = size.Small(), s.columns(size)
	if size.Small() {
		lines := []string{widget.QuestionMarker + t.Ask(widget.Clip(s.T.Get("scan or choose"), size.Width-2))}
		detail := s.detail(size)
		lines = append(lines, s.list.View(t, size.Width, size.Height-len(lines)-len(detail)))
		return strings.Join(append(lines, detail...), "\n")
	}

	width := min(size.Width-2, 118)
	question := s.T.Get("What do you want to do with it at %s?", s.site.Location().Code)
	lines := []string{" " + widget.QuestionMarker + t.Ask(widget.Clip(question, width)), ""}
	for _, line := range strings.Split(s.list.View(t, width, size.Height-len(lines)), "\n") {
		lines = append(lines, " "+line)
	}

	return strings.Join(lines, "\n")
}

// detail describes the selected row where a narrow screen has no column for it.
func (s *screen) detail(size tui.Size) []string {
	r, ok := s.list.Selected()
	if size.Class != tui.Narrow || !ok {
		return nil
	}

	text := strings.TrimSpace(r.job.label + " " + r.text + " " + r.note + " " + r.warning)
	if r.document != nil {
		text = r.job.label + " " + r.name(s.T) + " " + dueText(s.T, r.document, s.Now())
	}

	return listscreen.DetailLines(s.Theme, size.Width, 2, text)
}

// Speech describes the item and what to do with it.
func (s *screen) Speech() tui.Speech {
	t := s.T
	if s.errText != "" {
		return tui.Speech{Facts: []string{s.errText}, Enter: true, Question: t.Get("enter to retry")}
	}
	return tui.Speech{Facts: []string{s.site.Location().String()}, Question: t.Get("scan or number"),
		List: &tui.Listing{Len: s.list.Len(), Noun: t.Get("jobs"), Line: s.rowText, Select: s.list.MoveTo}}
}

// rowText describes a row in line mode.
func (s *screen) rowText(i int) string {
	r := s.list.Rows()[i]
	text := r.job.label
	for _, more := range []string{r.name(s.T), r.note, r.warning} {
		if more != "" {
			text += "  " + more
		}
	}

	if d := r.document; d != nil {
		text += "  " + s.T.Get("%s to go", s.T.Count(d.toGo))
		if due := dueText(s.T, d, s.Now()); due != "" {
			text += "  " + due
		}
	}

	return widget.Clean(text)
}
