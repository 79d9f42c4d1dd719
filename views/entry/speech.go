package entry

import (
	"bincard/tui"
)

// Speech describes the form, or what it created.
func (s *screen) Speech() tui.Speech {
	t := s.T

	switch {
	case s.created != nil:
		speech := tui.Speech{Facts: []string{s.created.Text}, Question: s.created.Short}
		for _, p := range s.created.Pairs {
			if p.Value != "" {
				speech.Facts = append(speech.Facts, p.Label+" "+p.Value)
			}
		}

		return speech

	case s.awaitingAnswer():
		return tui.Speech{
			Facts:    []string{t.Get("No answer yet: %s", s.form.Summary())},
			Question: t.Get("retry or back"),
		}
	}

	return tui.Speech{Facts: []string{t.Get("%s; type save to finish", s.config.Prompt)}, Form: s.form}
}
