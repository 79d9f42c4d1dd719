package imports

import (
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/session"
)

func (s *screen) View(size tui.Size) string {
	th := s.Theme
	margin, width := "", size.Width
	if !size.Small() {
		margin, width = " ", min(size.Width-2, 110)
	}

	var lines []string
	for i, line := range widget.Wrap(s.question(size.Class == tui.Narrow), width-2) {
		if i == 0 {
			line = widget.QuestionMarker + th.Ask(line)
		} else {
			line = "  " + line
		}

		lines = append(lines, line)
	}

	if s.stage == checking || s.stage == importing {
		lines = append(lines, widget.Bar(th, s.step.done.Load(), s.step.total.Load(), min(width, 60)))
	}
	if text := s.offlineText(); text != "" {
		for _, line := range widget.Wrap(text, width-2) {
			lines = append(lines, th.Warn(line))
		}
	}

	if !size.Small() {
		lines = append(lines, "")
	}

	var report []string
	for _, text := range s.report() {
		for i, line := range widget.Wrap(widget.Clean(text), width-2) {
			if i > 0 {
				line = "  " + line
			}
			report = append(report, line)
		}
	}

	s.page = max(1, size.Height-len(lines))
	lines = append(lines, s.visible(report)...)
	for i, line := range lines {
		lines[i] = margin + line
	}

	return strings.Join(lines, "\n")
}

// visible returns the part of a report that fits the page. Its last line says how much
// follows.
func (s *screen) visible(report []string) []string {
	if len(report) <= s.page {
		return report
	}

	s.scroll = min(s.scroll, len(report)-s.page)
	part := slices.Clone(report[s.scroll : s.scroll+s.page])
	if more := len(report) - s.scroll - s.page; more > 0 {
		part[s.page-1] = s.Theme.Muted.Render(s.T.Get("↓ %s more", s.T.Count(int64(more+1))))
	}

	return part
}

// question says what was found or done, and what enter does.
func (s *screen) question(short bool) string {
	t := s.T
	progress := func(text string) string {
		return t.Get(text, t.Count(s.step.done.Load()), t.Count(s.step.total.Load()))
	}
	total := 0
	if s.plan != nil {
		total = s.plan.Steps
	}

	switch {
	case s.stage == choosing:
		return t.Get("Press enter to choose a file")
	case s.stage == checking && s.step.total.Load() == 0:
		return t.Get("Reading the file…")
	case s.stage == checking:
		return progress(checkingText)
	case s.stage == importing:
		return progress(importingText)
	case s.stage == stopped && short:
		return t.Get("Stopped after %s of %s. %s", t.Count(int64(s.done)), t.Count(int64(total)), s.errText)
	case s.stage == stopped:
		return t.Get(
			"The import stopped after %s of %s: %s Check the file again to finish it; nothing is imported twice.",
			t.Count(int64(s.done)), t.Count(int64(total)), widget.Capitalize(s.errText))
	case s.stage == imported:
		text := t.Get("Imported %s", s.kind.count(t, s.plan.New))
		if s.offline {
			text = t.Get("Saved, not synced. %s", text)
		}
		return text

	case s.errText != "":
		return widget.Capitalize(s.errText)
	case s.bad() > 0:
		return t.GetN(s.bad(), "%s problem. Nothing was changed: correct the file and check it again.",
			"%s problems. Nothing was changed: correct the file and check it again.")
	case s.plan.Steps == 0 && s.plan.Differ == 0:
		return t.Get("Everything in the file is already here.")
	case s.plan.Steps == 0:
		return t.Get("Nothing in the file is new.")
	}

	return t.Get("Import %s?", s.kind.count(t, s.plan.New))
}

// offlineText says what an import does without the service, or returns "".
func (s *screen) offlineText() string {
	if s.stage == checked && s.plan != nil && s.bad() == 0 && s.plan.Steps > 0 && s.isOffline() {
		return s.T.Get("Offline: the documents are saved on this terminal and sync later.")
	}
	return ""
}

// report describes the file: what is in it, its bad lines, and what is there already.
func (s *screen) report() (lines []string) {
	t := s.T
	if s.plan == nil || s.stage == checking {
		return nil
	}

	p := s.plan
	summary := []string{t.GetN(p.Lines, "%s line of %s", "%s lines of %s", s.kind.count(t, p.Documents))}

	add := func(text string, n int) {
		if n > 0 {
			summary = append(summary, t.Get(text, t.Count(int64(n))))
		}
	}
	add(newText, p.New)
	add(existingText, p.Existing)
	add(differText, p.Differ)
	if p.Documents > 0 {
		lines = append(lines, strings.Join(summary, " · "))
	}
	for _, problem := range p.Problems {
		text := t.Message(problem.Message)
		if problem.Column != "" {
			text = problem.Column + ": " + text
		}
		switch {
		case problem.Line > 0 && problem.Sheet != "":
			text = t.Get("sheet %s, row %d: %s", problem.Sheet, problem.Line, text)
		case problem.Line > 0:
			text = t.Get("line %d: %s", problem.Line, text)
		}
		lines = append(lines, text)
	}
	if p.MoreProblems > 0 {
		lines = append(lines, t.Get("and %s more", t.Count(int64(p.MoreProblems))))
	}
	for _, note := range p.Notes {
		lines = append(lines, t.Message(note))
	}
	if slices.ContainsFunc(p.Columns, func(c session.ImportColumn) bool { return c.Field == "" }) {
		lines = append([]string{t.Get("The file has unknown columns. Press F4 to identify them.")}, lines...)
	}
	if s.note != "" {
		lines = append(lines, s.note)
	}

	return lines
}

// Speech describes the import in words.
func (s *screen) Speech() tui.Speech {
	t := s.T
	speech := tui.Speech{Facts: append([]string{s.question(false)}, s.report()...), Enter: true}
	if text := s.offlineText(); text != "" {
		speech.Facts = append(speech.Facts, text)
	}

	switch {
	case s.stage == checking || s.stage == importing:
		speech.Question, speech.Enter = t.Get("stop"), false
	case s.stage == choosing:
		speech.Question = t.Get("enter to choose a file")
	case s.stage == imported || s.stage == checked && s.errText == "" && s.bad() == 0 && s.plan.Steps == 0:
		speech.Question = t.Get("enter shows the list")
	case s.stage == checked && s.errText == "" && s.bad() == 0:
		speech.Question = t.Get("enter imports %s", s.kind.count(t, s.plan.New))
	default:
		speech.Question = t.Get("enter checks again")
	}

	return speech
}
