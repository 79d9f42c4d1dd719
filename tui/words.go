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
	"mouse":                "mouse on or off",
	"home":                 "home",
	"yes":                  "yes",
	"no":                   "no",
	"ok":                   "ok",
	"go on":                "goes on",
	"close":                "close",
	"choose":               "choose",
	"find.ask":             "Scan or type anything",
	"palette.ask":          "Type an action or a place",
	"palette.none":         "Nothing fits. Shorten what you typed, or esc",
	"open":                 "open %s",
	"help.keys":            "Keys",
	"help.everywhere":      "Everywhere",
	"help.conflict":        "%s is bound to %s: the first one gets it",
	"quit.again":           "Press ctrl+c again to quit",
	"quit.busy":            "%s is still being sent. Quit anyway?",
	"quit.draft":           "There are unsent drafts: %s. They are kept. Quit?",
	"quit.refuses":         "%s Quit anyway?",
	"draft.kept":           "Draft kept: %s",
	"leave.busy":           "Wait: this is still being sent",
	"scan.refused":         "Scan not counted: acknowledge the message first (enter)",
	"scan.answer":          "Scan not counted: answer the question first",
	"scan.nowhere":         "This screen takes no scans. Nothing was counted",
	"key.stray":            "What was typed is a code, and nothing was done. Codes are typed after F2",
	"scan.toomuch":         "That was too much text for a code. Nothing was counted",
	"scan.waiting":         "%d scans wait",
	"doubt.hint":           "scan it again to confirm",
	"slow":                 "No answer after %d s. It may still come; try again if it does not",
	"copied":               "Copied",
	"copy.failed":          "Not copied: %v",
	"mouse.on":             "Mouse on: hold shift to select text",
	"mouse.off":            "Mouse off: select text as usual",
	"draft.failed":         "Draft not saved: %v",
	"notes.more":           "And %d more: the settings tell them.",
	"logoff":               "log off",
	"logon.title":          "Nobody is logged on",
	"logon.locked":         "Locked. %s was at work: nothing is lost",
	"logon.ask":            "Scan your badge, or type your name",
	"logon.pin":            "PIN of %s",
	"logon.pin.wrong":      "That is not the PIN. Type it again",
	"logon.pause":          "Too many wrong PINs: wait %d s",
	"logon.unknown":        "Nobody has this badge or name here. Try again, or ask your supervisor",
	"logon.is":             "%s is at work",
	"logon.supervisor":     "Only a supervisor may do that: scan a supervisor's badge",
	"command.CONFIRM":      "confirm",
	"command.BACK":         "back",
	"command.ALL":          "full quantity",
	"command.NEXT":         "next",
	"command.DAMAGED":      "damaged",
	"command.CLOSE":        "close short",
	"command.UNDO":         "undo",
	"command.OUT":          "log off",
	"command.sheet":        "Bincard: commands to scan",
	"command.note":         "Each does on every screen what it says. Scan one as you scan goods.",
	"command.hint.CONFIRM": "book, save, go on: what enter does",
	"command.hint.BACK":    "one step back; what is counted stays",
	"command.hint.ALL":     "count all that is pending",
	"command.hint.NEXT":    "the next line of an order, the next field",
	"command.hint.DAMAGED": "some of what is counted is damaged",
	"command.hint.CLOSE":   "the rest will not come",
	"command.hint.UNDO":    "take the last scan back",
	"command.hint.OUT":     "the next one scans a badge; nothing is lost",
	"command.none":         "Nothing here for the command \"%s\"",
	"command.unknown":      "%s is no command that Bincard knows: print the sheet of commands anew",
	"keys.id":              "keys in config.toml: %s is no action with keys: write \"dock.all\" = [\"f6\"]",
	"keys.none":            "keys in config.toml: there is no key %q for %s: write f6, ctrl+e, alt+e, pgdown or +",
	"keys.letter":          "keys in config.toml: %q for %s may come from a scanner: take an F-key or one with ctrl",
	"keys.twice":           "keys in config.toml: %s is given to %s and %s: %s gets it",
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
