package tui

import (
	"bincard/tui/i18n"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// A Command is what a command barcode stands for: a printed code that does an
// action of whatever screen is open, for hands in gloves.
type Command string

// The commands, as they stand in their barcodes.
const (
	DoConfirm Command = "CONFIRM" // the screen's main action, as enter does
	DoBack    Command = "BACK"    // as esc does
	DoAll     Command = "ALL"     // all that is pending
	DoClose   Command = "CLOSE"   // close the document short
	DoNext    Command = "NEXT"    // the next line or field
	DoDamaged Command = "DAMAGED" // a part is damaged
	DoUndo    Command = "UNDO"    // take the last scan back
	DoLogout  Command = "OUT"     // log off
)

// CommandPrefix begins every command barcode. GS1 knows no "$" in its elements,
// and keyboards of all common layouts have these characters in one place.
const CommandPrefix = "$BC."

// Commands are all commands in the order of a printed sheet.
func Commands() []Command {
	return []Command{DoConfirm, DoBack, DoAll, DoNext, DoDamaged, DoClose, DoUndo, DoLogout}
}

// Code is the text of the command's barcode.
func (c Command) Code() string { return CommandPrefix + string(c) }

// parseCommand reads a command barcode; known is false for one that Bincard does
// not have, and mine for what is none at all.
func parseCommand(text string) (c Command, known, mine bool) {
	if len(text) < len(CommandPrefix) || !strings.EqualFold(text[:len(CommandPrefix)], CommandPrefix) {
		return "", false, false
	}
	c = Command(strings.ToUpper(strings.TrimSpace(text[len(CommandPrefix):])))
	for _, have := range Commands() {
		if c == have {
			return c, true, true
		}
	}
	return c, false, true
}

// commandKeys are the keys that a command stands for where no action claims it.
var commandKeys = map[Command]tea.KeyMsg{
	DoConfirm: {Type: tea.KeyEnter}, DoBack: {Type: tea.KeyEsc}, DoNext: {Type: tea.KeyDown},
}

// runCommand does what a command barcode stands for. One that the screen does
// not have, or cannot do now, says so.
func (m *Model) runCommand(c Command) tea.Cmd {
	if c == DoLogout {
		return m.logOut()
	}
	k, isKey := commandKeys[c]
	if m.dialog != nil || m.fault.active() {
		if c == DoConfirm || c == DoBack {
			return tea.Batch(m.ring(1), m.handleKey(k))
		}
		return m.commandUnavailable(c)
	}
	f := m.top()
	if f == nil {
		return nil
	}
	var off *Action
	for _, a := range m.actions(f) {
		switch {
		case a.Command != c:
		case a.DisabledReason() == "":
			return tea.Batch(m.ring(1), m.runAction(f, a))
		case off == nil:
			off = &a
		}
	}
	switch {
	case off != nil:
		return tea.Batch(m.ring(2), m.runAction(f, *off))
	case !isKey:
		return m.commandUnavailable(c)
	}
	if tab := (tea.KeyMsg{Type: tea.KeyTab}); c == DoNext {
		if t, ok := f.screen.(TextInput); ok && t.AcceptsKey(tab) {
			k = tab
		}
	}
	return tea.Batch(m.ring(1), m.handleKey(k))
}

// commandUnavailable says that there is no such action here.
func (m *Model) commandUnavailable(c Command) tea.Cmd {
	return tea.Batch(m.ring(2), m.showToast(toastMsg{text: m.t.Get("The command \"%s\" does nothing here", c.Title(m.t)), warn: true}))
}

// Title is what the command is called.
func (c Command) Title(t *i18n.Translator) string {
	switch c {
	case DoConfirm:
		return t.Get("confirm")
	case DoBack:
		return t.Get("back")
	case DoAll:
		return t.Get("full quantity")
	case DoNext:
		return t.Get("next")
	case DoDamaged:
		return t.Get("damaged")
	case DoClose:
		return t.Get("close short")
	case DoUndo:
		return t.Get("undo")
	case DoLogout:
		return t.Get("sign out")
	}
	return string(c)
}

// Hint is what the command does, in one line.
func (c Command) Hint(t *i18n.Translator) string {
	switch c {
	case DoConfirm:
		return t.Get("book, save or continue, like enter")
	case DoBack:
		return t.Get("one step back; counts are kept")
	case DoAll:
		return t.Get("count all that is pending")
	case DoNext:
		return t.Get("the next line of an order or the next field")
	case DoDamaged:
		return t.Get("some of the counted items are damaged")
	case DoClose:
		return t.Get("the rest will not come")
	case DoUndo:
		return t.Get("undo the last scan")
	case DoLogout:
		return t.Get("the next person scans a badge; nothing is lost")
	}
	return ""
}

// SheetTitle is the title of the printed sheet of commands.
func SheetTitle(t *i18n.Translator) string { return t.Get("Bincard: commands to scan") }

// SheetNote is the line below the title that says what the sheet is for.
func SheetNote(t *i18n.Translator) string {
	return t.Get("Each command works on every screen. Scan it like a product.")
}
