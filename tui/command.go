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
func (c Command) Title(t *i18n.Translator) string { return t.Get(commandTitles[c]) }

// commandTitles are the names of the commands.
var commandTitles = i18n.Texts[Command]{
	DoConfirm: "confirm",
	DoBack:    "back",
	DoAll:     "full quantity",
	DoNext:    "next",
	DoDamaged: "damaged",
	DoClose:   "close short",
	DoUndo:    "undo",
	DoLogout:  "sign out",
}

// Hint returns what the command does, in one line.
func (c Command) Hint(t *i18n.Translator) string { return t.Get(commandHints[c]) }

// commandHints say what the commands do.
var commandHints = i18n.Texts[Command]{
	DoConfirm: "record, save, or continue, like enter",
	DoBack:    "one step back; counts are kept",
	DoAll:     "count everything that is left",
	DoNext:    "the next line of an order or the next field",
	DoDamaged: "some of the counted items are damaged",
	DoClose:   "the rest is no longer expected",
	DoUndo:    "undo the last scan",
	DoLogout:  "the next person scans a badge; nothing is lost",
}

// SheetTitle returns the title of the printed sheet of commands.
func SheetTitle(t *i18n.Translator) string { return t.Get("Bincard: commands to scan") }

// SheetNote returns the line below that title: how to use the sheet.
func SheetNote(t *i18n.Translator) string {
	return t.Get("Each command works on every screen. Scan it like a product.")
}
