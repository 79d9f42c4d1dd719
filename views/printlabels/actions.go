package printlabels

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/views/labels"
)

func (s *screen) Actions() []tui.Action {
	t := s.T
	queue := tui.Action{
		ID:    "labels.queue",
		Key:   "f7",
		Label: t.Get("print again"),
		Short: t.GetC("again", "print"),
		Help:  t.Get("Show the labels that were printed or wait"),
		Run:   tui.Opens(labels.QueueRoute),
	}

	if s.errText != "" {
		return []tui.Action{{ID: "labels.find", Key: "enter", Label: t.Get("retry"), Run: s.find}, queue}
	}

	actions := []tui.Action{
		{
			ID:       "labels.go",
			Key:      "enter",
			Command:  tui.DoConfirm,
			Label:    t.Get("print %s", labels.CountText(t, s.total())),
			Short:    t.GetC("print", "verb"),
			Help:     t.Get("Print the labels"),
			Disabled: func() string { return cmp.Or(s.notReady(), s.noPrinter()) },
			Run:      s.print,
		},
		{
			ID:    "labels.printer",
			Key:   "f3",
			Label: t.Get("printer"),
			Help:  t.Get("Choose another printer"),
			Disabled: func() string {
				if len(s.service.Settings.Printers) == 0 {
					return labels.NoPrinterText(s.site)
				}
				return s.notReady()
			},
			Run: s.choosePrinter,
		},
		{
			ID:       "labels.size",
			Key:      "f4",
			Label:    t.Get("size"),
			Help:     t.Get("Choose another template"),
			Disabled: s.notReady,
			Run:      s.chooseTemplate,
		},
	}

	if s.site.Exports() != "" {
		actions = append(actions, tui.Action{
			ID:       "labels.picture",
			Key:      "f10",
			Label:    t.Get("picture"),
			Help:     t.Get("Save the label as a PNG picture in the export folder"),
			NoFooter: s.noPrinter() == "" || s.newNumbers,
			Disabled: func() string {
				if s.newNumbers {
					return t.Get("The number is assigned when the label is printed")
				}
				return s.notReady()
			},
			Run: s.save,
		})
	}

	return append(actions, queue)
}

// notReady says why nothing can be printed yet, or returns "".
func (s *screen) notReady() string {
	switch {
	case len(s.batch) == 0:
		return s.T.Get("The label is still loading")
	case s.busy:
		return s.T.Get("Wait until the labels are in the queue")
	}

	return ""
}

func (s *screen) choosePrinter() tea.Cmd {
	var names []string
	for _, p := range s.service.Settings.Printers {
		names = append(names, p.Name)
	}
	return s.choose(s.T.Get("Which printer?"), names, &s.opts.Printer)
}

func (s *screen) chooseTemplate() tea.Cmd {
	names, err := s.service.Library.Names()
	if err != nil {
		return tui.Fail(err)
	}
	return s.choose(s.T.Get("Which template?"), names, &s.opts.Template)
}

// choose asks for an option. One with which the label cannot be drawn is not taken.
func (s *screen) choose(text string, names []string, option *string) tea.Cmd {
	return tui.Choose(tui.Choice{Text: text, Options: names, OnChoice: func(i int) tea.Cmd {
		before := *option
		*option = names[i]
		if err := s.draw(); err != nil {
			*option = before
			return tui.Fail(err)
		}
		return nil
	}})
}
