package panel

import (
	"strconv"
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/names"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// Choose opens the only row, or asks which one. line describes a row in the list.
func Choose[T any](question string, rows []T, line func(row *T) string, open func(row *T) tea.Cmd) tea.Cmd {
	if len(rows) == 1 {
		return open(&rows[0])
	}

	options := make([]string, len(rows))
	for i := range rows {
		options[i] = line(&rows[i])
	}

	return tui.Choose(tui.Choice{Text: question, Options: options,
		OnChoice: func(i int) tea.Cmd { return open(&rows[i]) }})
}

// AskReason asks for a reason to record: text is the question on screen. The reason is one of the
// answers, or typed. old is the reason to change, if any.
func AskReason(
	site *session.Site,
	text string,
	question names.Question,
	old string,
	accept func(reason string) tea.Cmd,
) tea.Cmd {
	t, company := site.T(), site.Rules().Reasons
	trimmed := func(text string) tea.Cmd {
		return accept(names.RecordedReason(t, company, strings.TrimSpace(text)))
	}
	list := append(question.Answers(t, company), t.Get("other reason…"))

	return tui.Choose(
		tui.Choice{Text: text, Options: list, Numbered: true, OnText: trimmed, OnChoice: func(i int) tea.Cmd {
			if i < len(list)-1 {
				return trimmed(list[i])
			}
			return tui.Prompt(tui.Request{Text: t.Get("Type the reason"), Value: names.Reason(t, old),
				Check: CheckReason(t), OnText: trimmed})
		}},
	)
}

// CheckReason returns a check that rejects an empty reason.
func CheckReason(t *i18n.Translator) func(text string) error {
	return func(text string) error {
		if strings.TrimSpace(text) == "" {
			return t.NewError("Enter a reason: it is saved with the document")
		}
		return nil
	}
}

// CheckPositive returns a check that rejects quantities less than 1.
func CheckPositive(t *i18n.Translator) func(text string) error {
	return func(text string) error {
		if n, err := strconv.ParseInt(text, 10, 64); err != nil || n < 1 {
			return t.NewError("at least 1")
		}
		return nil
	}
}
