package imports

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// columnsAction shows and changes what the columns of the file are.
func (s *screen) columnsAction() tui.Action {
	t := s.T
	return tui.Action{
		ID:    "import.columns",
		Key:   "f4",
		Label: t.Get("columns"),
		Help:  t.Get("Identify the columns of the file. The choice is saved for files with similar names."),
		Run:   s.chooseColumn,
	}
}

// chooseColumn offers the columns with their first values, and the check.
func (s *screen) chooseColumn() tea.Cmd {
	t := s.T
	options := []string{t.Get("check the file with these columns")}
	for _, c := range s.plan.Columns {
		options = append(options, c.Name+" → "+s.fieldText(cmp.Or(c.Field, "?"))+"   "+strings.Join(c.Values, ", "))
	}

	return tui.Choose(tui.Choice{
		Text:    t.Get("Which column do you want to change?"),
		Options: options,
		OnChoice: func(i int) tea.Cmd {
			if i == 0 {
				return s.check()
			}
			return s.chooseField(&s.plan.Columns[i-1])
		},
	})
}

// chooseField asks which field a column is. It offers the fields without a column first.
func (s *screen) chooseField(c *session.ImportColumn) tea.Cmd {
	used := func(field string) int {
		if slices.ContainsFunc(s.plan.Columns, func(x session.ImportColumn) bool { return x.Field == field }) {
			return 1
		}
		return 0
	}
	fields := slices.Clone(s.plan.Fields)
	slices.SortStableFunc(fields, func(a, b string) int { return used(a) - used(b) })
	fields = append(fields, session.ImportIgnored)

	var options []string
	for _, field := range fields {
		options = append(options, s.fieldText(field))
	}

	return tui.Choose(tui.Choice{
		Text:    s.T.Get("What is %s (%s)?", c.Name, strings.Join(c.Values, ", ")),
		Options: options,
		OnChoice: func(i int) tea.Cmd {
			c.Field = fields[i]
			s.columns = map[string]string{}
			for _, x := range s.plan.Columns {
				if x.Field != "" {
					s.columns[x.Name] = x.Field
				}
			}
			return s.chooseColumn()
		},
	})
}

func (s *screen) fieldText(field string) string {
	if field == session.ImportIgnored {
		return s.T.Get("not imported")
	}
	return field
}

// saveColumns saves the columns of a plan, and returns what to say about it.
func saveColumns(t *i18n.Translator, plan *session.ImportPlan) string {
	pattern, err := plan.SaveColumns()
	if err != nil {
		return t.Get("The columns were not saved: %s", err)
	}
	return t.Get("The columns are saved for files such as %s.", pattern)
}
