package listscreen

import (
	"bincard/tui"
	"bincard/views/submit"
)

// Speech describes the list in words: its rows and any error.
func (s *Screen) Speech() tui.Speech {
	t, texts := s.T, s.kind.Texts()

	s.Layout(tui.Size{Class: tui.Standard, Width: 80})
	out := tui.Speech{Question: t.GetC("scan or number", "count"), List: ListSpeech(&s.List, texts.Noun, s.More)}
	switch {
	case s.Unsupported:
	case s.Err != nil:
		out.Facts = append(out.Facts, t.Get("not loaded: %s", submit.UserMessage(t, s.Err)))
	case !s.Loaded():
		out.Facts = append(out.Facts, t.Get("loading"))
	case s.List.Len() == 0 && s.filtering:
		out.Facts = append(out.Facts, t.Get("no matches"))
	case s.List.Len() == 0:
		out.Facts = append(out.Facts, texts.Empty)
	default:
		count := t.Count(int64(s.List.Len()))
		if s.More {
			count = t.Get("more than %s", count)
		}
		out.Facts = append(out.Facts, count+" "+texts.Noun)
	}

	if s.filtering {
		out.Search, out.Question = true, t.Get("filter, or number")
		out.Facts = append(out.Facts, t.Get("filter: %s", s.filter.Value()))
	}
	if s.kind.Speech != nil {
		s.kind.Speech(&out)
	}

	return out
}
