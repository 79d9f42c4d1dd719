package plain

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/shell"

	tea "github.com/charmbracelet/bubbletea"
)

// scannerOnly matches the start of texts that only a scanner sends: a symbology prefix, an
// identifier in brackets, a link.
var scannerOnly = regexp.MustCompile(`^(\][A-Za-z][0-9A-Za-z]|\(\d{2,4}\)|https?://)`)

// input acts on a line.
func (t *dialog) input(l line) {
	t.out.answered(l)
	text := strings.TrimSpace(l.text)
	switch {
	case l.interrupt:
		t.interrupt()
		return
	case l.long:
		t.out.line("no", t.T().Get("Too much text for one line. Nothing was done."))
		return
	}

	t.lastInterrupt = time.Time{}
	t.run(t.headless.Protect(func() tea.Cmd {
		s := t.headless.State()
		code := l.framed || strings.ContainsRune(text, 0x1d) || scannerOnly.MatchString(text)
		if word, rest, _ := strings.Cut(text, " "); !l.framed && !takesText(s.Dialog) && rest != "" &&
			commandWord(t.T(), word) == "scan" {
			code, text = true, strings.TrimSpace(rest)
		}

		inForm := s.Dialog == nil && s.Fault == "" && s.Speech.Form != nil
		if rest, ok := strings.CutPrefix(text, "="); ok && (rest != "" || inForm) && !code {
			return t.literal(s, rest)
		}

		if !code {
			if cmd, done := t.key(s, text); done {
				return cmd
			}
			if cmd, done := t.command(s, text); done {
				return cmd
			}
		}

		switch {
		case s.Dialog != nil:
			return t.answer(s.Dialog, text, code)
		case s.Fault != "":
			return t.fault(s, text, code)
		case code:
			return t.scan(text)
		case s.Speech.Form != nil:
			return t.field(s, text)
		}

		return t.word(s, text)
	}))
}

// interrupt handles ctrl+c. Twice within 3 seconds quits, because a single one may come from
// a scanner.
func (t *dialog) interrupt() {
	if time.Since(t.lastInterrupt) > 3*time.Second {
		t.lastInterrupt = time.Now()
		t.out.line("!", t.T().Get("Press ctrl+c again to quit"))
		return
	}

	t.hangup()
}

// takesText reports whether a dialog takes any text, which may begin with the word scan.
func takesText(d *shell.DialogState) bool {
	return d != nil && d.Yes == "" && d.No == "" && (d.Options == nil || d.Free)
}

// literal handles a text that followed "=", which is never a command.
func (t *dialog) literal(s shell.State, text string) tea.Cmd {
	switch {
	case s.Dialog != nil:
		return t.answer(s.Dialog, text, false)
	case s.Fault == "" && s.Speech.Form != nil:
		return t.headless.Type(text)
	}

	return t.scan(text)
}

// command runs a command that works everywhere. done is false if text is not one.
func (t *dialog) command(s shell.State, text string) (cmd tea.Cmd, done bool) {
	word, rest, _ := strings.Cut(text, " ")
	command := commandWord(t.T(), word)
	if _, _, found := t.match(s.Actions, command); found && command == "next" && s.Dialog == nil && s.Fault == "" {
		return t.word(s, command), true // the screen's own next, and not the next rows
	}

	switch command {
	case "help", "?":
		t.help(s)
	case "actions":
		t.actions(s)
	case "where":
		t.last = lastOutput{}
	case "more", "next":
		t.last.page++
		t.last.list = ""
	case "quit", "exit":
		return t.doAction(s, "shell.quit"), true
	case "back":
		return t.back(s), true
	case "home":
		switch {
		case s.Dialog != nil:
			return nil, false
		case s.Fault != "":
			return tea.Batch(t.headless.Acknowledge(), t.doAction(t.headless.State(), "shell.home")), true
		}

		return t.doAction(s, "shell.home"), true

	case "find":
		if s.Dialog != nil || s.Fault != "" || rest == "" {
			return nil, false
		}
		return t.headless.Find(strings.TrimSpace(text[len(word):])), true
	default:
		return nil, false
	}

	return nil, true
}

// doAction runs an action by its ID.
func (t *dialog) doAction(s shell.State, id string) tea.Cmd {
	for _, a := range s.Actions {
		if a.ID == id {
			return t.headless.Do(a)
		}
	}

	return nil
}

// back does what esc does: it closes the dialog, acknowledges the error, runs the screen's
// action on esc, or closes the screen.
func (t *dialog) back(s shell.State) tea.Cmd {
	switch {
	case s.Dialog != nil:
		return t.headless.CloseDialog()
	case s.Fault != "":
		return t.headless.Acknowledge()
	}

	if a, ok := onKey(s.Actions, "esc"); ok {
		return t.headless.Do(a)
	}

	return t.headless.Back()
}

// answer answers the open dialog.
func (t *dialog) answer(d *shell.DialogState, text string, code bool) tea.Cmd {
	t.headless.ClearProblem()
	answer := commandWord(t.T(), text)
	switch {
	case d.Yes != "" || d.No != "":
		switch {
		case code:
			return t.scan(text)
		case answer == "yes" || fold(text) == fold(d.Yes):
			return t.headless.Answer(true)
		case answer == "no" || fold(text) == fold(d.No):
			return t.headless.Answer(false)
		}

		t.out.line("no", t.T().Get("Answer yes or no."))

	case d.Options != nil:
		if code {
			return t.scan(text)
		}
		if i, ok := parseOption(d.Options, text); ok {
			return t.headless.Pick(i)
		}
		if d.Free && text != "" {
			return t.headless.Text(text)
		}

		t.out.line("no", t.T().Get(`Type the number of a line, or "back".`))

	default:
		if text == "" {
			text = d.Value
		}
		return t.headless.Text(text)
	}

	return nil
}

// parseOption finds an option by its number, its text or an unambiguous prefix.
func parseOption(options []string, text string) (at int, ok bool) {
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(options) {
		return n - 1, true
	}

	found := -1
	for i, o := range options {
		switch {
		case fold(o) == fold(text):
			return i, true
		case text != "" && strings.HasPrefix(fold(o), fold(text)):
			if found >= 0 {
				return 0, false
			}
			found = i
		}
	}

	return max(0, found), found >= 0
}

// fault handles a line while an error is unacknowledged. Most lines are refused, so that the
// operator does not overlook the error.
func (t *dialog) fault(s shell.State, text string, code bool) tea.Cmd {
	switch {
	case !code && (text == "" || commandWord(t.T(), text) == "ok"):
		return t.headless.Acknowledge()
	case s.ConfirmScan && !code && (digits(text) && len(text) <= maxDigits || t.isAction(s.Actions, text)):
		return tea.Batch(t.headless.Acknowledge(), t.word(t.headless.State(), text)) // cancels the scan
	case !code:
		if a, _, ok := t.match(s.FaultActions, text); ok {
			return t.headless.DoFaultAction(a)
		}
		if a, ok := onKey(s.FaultActions, text); ok {
			return t.headless.DoFaultAction(a)
		}
	}

	if !code && !s.ConfirmScan &&
		(text == "" || digits(text) && len(text) <= maxDigits || t.isAction(s.Actions, text)) {
		t.out.line("no", t.T().Get("Not done. Press enter to clear the message first."))
		return nil
	}

	return t.scan(text) // refused with bells, or the scan that confirms
}

func (t *dialog) isAction(actions []tui.Action, text string) bool {
	_, _, ok := t.match(actions, text)
	return ok
}

// field answers the focused field of a form. An empty text keeps its value.
func (t *dialog) field(s shell.State, text string) tea.Cmd {
	form := s.Speech.Form
	prompt := form.Prompt()
	if a, _, ok := t.match(s.Actions, strings.TrimPrefix(text, ".")); ok &&
		(strings.HasPrefix(text, ".") || finishesForm(a)) {
		return t.headless.Do(a)
	}

	switch {
	case len(prompt.Options) > 0 && text != "":
		i, ok := parseOption(prompt.Options, text)
		if !ok {
			t.out.line("no", t.T().Get(`Type the number of a line, or "back".`))
			return nil
		}
		form.Choose(i)
		text = ""

	case len(prompt.Options) == 0 && text == "":
		text = prompt.Value
	}

	return t.headless.Type(text)
}

// finishesForm reports whether an action submits a form: its key is ctrl+s.
func finishesForm(a tui.Action) bool {
	for _, k := range a.Keys() {
		if strings.HasPrefix(k, "ctrl+s") {
			return true
		}
	}

	return false
}
