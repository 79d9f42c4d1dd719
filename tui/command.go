package tui

import "bincard/tui/i18n"

// A Command is the meaning of a command barcode: a printed code that runs an action of
// the present screen, for operators with gloves.
type Command string

// The commands, as their barcodes spell them.
const (
	DoConfirm Command = "CONFIRM" // the screen's main action, like enter
	DoBack    Command = "BACK"    // like esc
	DoAll     Command = "ALL"     // the full pending quantity
	DoClose   Command = "CLOSE"   // close the document short
	DoNext    Command = "NEXT"    // the next line or field
	DoDamaged Command = "DAMAGED" // some pieces are damaged
	DoUndo    Command = "UNDO"    // undo the last scan
	DoLogout  Command = "OUT"     // sign out
)

// CommandPrefix begins every command barcode. GS1 elements contain no "$", and these
// characters have the same keys in all common keyboard layouts.
const CommandPrefix = "$BC."

// Commands returns all commands in the order of the printed sheet.
func Commands() []Command {
	return []Command{DoConfirm, DoBack, DoAll, DoNext, DoDamaged, DoClose, DoUndo, DoLogout}
}

// Code returns the text of the command's barcode.
func (c Command) Code() string { return CommandPrefix + string(c) }

// Title returns the name of the command.
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

// Hint returns what the command does, in one line.
func (c Command) Hint(t *i18n.Translator) string {
	switch c {
	case DoConfirm:
		return t.Get("record, save, or continue, like enter")
	case DoBack:
		return t.Get("one step back; counts are kept")
	case DoAll:
		return t.Get("count everything that is left")
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

// SheetTitle returns the title of the printed sheet of commands.
func SheetTitle(t *i18n.Translator) string { return t.Get("Bincard: commands to scan") }

// SheetNote returns the line below that title: how to use the sheet.
func SheetNote(t *i18n.Translator) string {
	return t.Get("Each command works on every screen. Scan it like a product.")
}
