package tui

import (
	"fmt"

	"bincard/tui/words"
)

// Words is a table of the shell's own words, for a session that has others than
// the rest of the process. A missing word falls back to the process's, then to
// its key.
type Words map[string]string

func init() { words.AddMap("shell", shellWords) }

// shellWords is the table every other one falls back to: English unless a
// warehouse brings another (package words).
var shellWords = map[string]string{
	"help":                 "help",
	"palette":              "all actions",
	"find":                 "find",
	"quit":                 "quit",
	"back":                 "back",
	"mouse":                "mouse on/off",
	"home":                 "home",
	"yes":                  "yes",
	"no":                   "no",
	"ok":                   "ok",
	"go on":                "continue",
	"close":                "close",
	"choose":               "choose",
	"find.ask":             "Scan or type anything",
	"palette.ask":          "Type an action or a screen",
	"palette.none":         "No match. Shorten the text, or press esc",
	"open":                 "open %s",
	"help.keys":            "Keys",
	"help.everywhere":      "Everywhere",
	"help.conflict":        "%s is bound to %s: the first one wins",
	"quit.again":           "Press ctrl+c again to quit",
	"quit.busy":            "Still sending: %s. Quit anyway?",
	"quit.draft":           "Unsent drafts are saved: %s. Quit?",
	"quit.refuses":         "%s Quit anyway?",
	"draft.kept":           "Draft saved: %s",
	"leave.busy":           "Still sending. Wait a moment",
	"scan.refused":         "Scan ignored. Press enter to clear the message first",
	"scan.answer":          "Scan ignored. Answer the question first",
	"scan.nowhere":         "This screen does not accept scans. Nothing was counted",
	"key.stray":            "Nothing was done. Press F2 to type a code",
	"scan.toomuch":         "Too much text for a code. Nothing was counted",
	"scan.waiting":         "%d scans waiting",
	"doubt.hint":           "scan it again to confirm",
	"slow":                 "No answer after %d s. It may still arrive; if not, retry",
	"copied":               "Copied",
	"copy.failed":          "Not copied: %v",
	"mouse.on":             "Mouse on: hold shift to select text",
	"mouse.off":            "Mouse off: select text as usual",
	"draft.failed":         "Draft not saved: %v",
	"notes.more":           "And %d more. See Settings.",
	"logoff":               "sign out",
	"logon.title":          "Nobody is signed in",
	"logon.locked":         "Locked by %s. Nothing is lost",
	"logon.ask":            "Scan your badge or type your name",
	"logon.pin":            "PIN of %s",
	"logon.pin.wrong":      "Wrong PIN. Try again",
	"logon.pause":          "Too many wrong PINs. Wait %d s",
	"logon.unknown":        "Unknown badge or name. Try again, or ask your supervisor",
	"logon.is":             "Signed in as %s",
	"logon.supervisor":     "Only a supervisor may do that. Scan a supervisor's badge",
	"command.CONFIRM":      "confirm",
	"command.BACK":         "back",
	"command.ALL":          "full quantity",
	"command.NEXT":         "next",
	"command.DAMAGED":      "damaged",
	"command.CLOSE":        "close short",
	"command.UNDO":         "undo",
	"command.OUT":          "sign out",
	"command.sheet":        "Bincard: commands to scan",
	"command.note":         "Each command works on every screen. Scan it like a product.",
	"command.hint.CONFIRM": "book, save or continue, like enter",
	"command.hint.BACK":    "one step back; counts are kept",
	"command.hint.ALL":     "count all that is pending",
	"command.hint.NEXT":    "the next line of an order or the next field",
	"command.hint.DAMAGED": "some of the counted items are damaged",
	"command.hint.CLOSE":   "the rest will not come",
	"command.hint.UNDO":    "undo the last scan",
	"command.hint.OUT":     "the next person scans a badge; nothing is lost",
	"command.none":         "The command \"%s\" does nothing here",
	"command.unknown":      "Unknown command %s. Reprint the command sheet",
	"keys.id":              "keys in config.toml: %s is not an action with keys: use a line like \"dock.all\" = [\"f6\"]",
	"keys.none":            "keys in config.toml: unknown key %q for %s: use f6, ctrl+e, alt+e, pgdown or +",
	"keys.letter":          "keys in config.toml: %q for %s may come from a scanner: use an F-key or a ctrl key",
	"keys.twice":           "keys in config.toml: %s is assigned to %s and %s: %s wins",
	"waits":                "%d waiting",
}

// Say returns the words of key with its arguments filled in.
func (w Words) Say(key string, args ...any) string {
	text, ok := w[key]
	if !ok {
		if text, ok = shellWords[key]; !ok {
			text = key
		}
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}
