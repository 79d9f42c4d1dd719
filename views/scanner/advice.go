package scanner

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"

	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/scan/gs1"
)

// receivedCode is a code and how it arrived.
type receivedCode struct {
	scan   scan.Scan
	method inputMethod
	gap    time.Duration // average time between characters, for keys
	advice []string
}

// inputMethod is how a code arrived.
type inputMethod int

const (
	terminated   inputMethod = iota // a burst ended by a key
	unterminated                    // a burst without an end key
	pasted                          // a single paste
	slow                            // single keys, too slow for the limit but too even for a person
	typedByHand                     // single keys
)

// separatorTexts are texts that some scanner settings send for GS.
var separatorTexts = []string{"{GS}", "<GS>", "^]", "[GS]", "\\F", "~1", "␝", "\\x1d"}

// garbledAIM matches an AIM prefix whose "]" arrived as another character.
var garbledAIM = regexp.MustCompile(`^[^\]A-Za-z0-9](C1|d2|Q3|e0|E0|E4|C0|d1|Q1|I1)[0-9]{2}`)

// swallowedElement matches a lot or serial that contains the next elements.
var swallowedElement = regexp.MustCompile(`.(1[1-7][0-9]{6}|37[0-9]{1,8}|30[0-9]{1,8}|21[0-9A-Za-z]{3,})$`)

// azertyDigits are the characters that digits become on a French keyboard.
const azertyDigits = "&é\"'(-è_çà"

// adviceFor returns what to change on the scanner, the most serious first. It is
// empty if the code arrived correctly.
func adviceFor(t *i18n.Translator, r receivedCode) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	raw := r.scan.Raw
	if text := layoutAdvice(t, raw); text != "" {
		add("%s", text)
	}
	if text := caseAdvice(t, raw); text != "" {
		add("%s", text)
	}
	if text := separatorAdvice(t, r.scan); text != "" {
		add("%s", text)
	}

	switch r.method {
	case unterminated:
		add(
			"%s",
			t.Get("No suffix. Set the scanner to send Enter (CR) after each code; otherwise every scan waits 50 ms."),
		)
	case slow:
		add("%s", t.Get("Too slow: this looks typed. Set the delay between characters to 0 ms; the limit is 35 ms."))
	case terminated, pasted, typedByHand:
	}

	if r.method != typedByHand && r.scan.Symbology == "" && r.scan.Kind == scan.KindPlain && len(out) == 0 &&
		countDigits(raw) >= 16 {
		add(
			"%s",
			t.Get(
				"No symbology prefix. Set the scanner to send the AIM code ID (]C1, ]d2 …) so that GS1 codes are certain.",
			),
		)
	}

	return out
}

// layoutAdvice detects a wrong keyboard layout.
func layoutAdvice(t *i18n.Translator, raw string) string {
	french := 0
	for _, r := range raw {
		if strings.ContainsRune(azertyDigits, r) {
			french++
		}
	}

	switch {
	case french >= 6 && french*2 >= len([]rune(raw)):
		return t.Get(
			`Wrong keyboard layout: the digits arrived as &é"'(. Use the same layout on the scanner and this computer, or ALT mode.`,
		)
	case garbledAIM.MatchString(raw):
		return t.Get(
			`Wrong keyboard layout: %q arrived instead of "]". Set the scanner's country to that of this computer.`,
			string([]rune(raw)[:1]),
		)
	}

	return ""
}

// caseAdvice detects swapped upper and lower case.
func caseAdvice(t *i18n.Translator, raw string) string {
	for _, prefix := range []string{"]c1", "]D2", "]q3"} {
		if strings.HasPrefix(raw, prefix) && len(raw) > 3 && unicode.IsDigit(rune(raw[3])) {
			return t.Get("Upper and lower case are swapped. Turn off Caps Lock or the scanner's case conversion.")
		}
	}

	return ""
}

// separatorAdvice detects a GS that was sent as text or lost.
func separatorAdvice(t *i18n.Translator, s scan.Scan) string {
	if strings.ContainsRune(s.Raw, 0x1d) {
		return ""
	}

	for _, text := range separatorTexts {
		if strings.Contains(s.Raw, text) && (usesSeparator(s.Symbology) || countDigits(s.Raw) >= 16) {
			return t.Get(
				"The separator arrived as the text %s. Set the scanner to send FNC1 as the character GS (hex 1D).",
				text,
			)
		}
	}

	if s.GS1.Form != gs1.FormElements {
		return ""
	}

	for i, e := range s.GS1.Elements {
		id, ok := gs1.Lookup(e.AI)
		if ok && !id.Predefined && i == len(s.GS1.Elements)-1 && swallowedElement.MatchString(e.Value) {
			return t.Get(
				"Is (%s) really %q? If not, the GS separator is missing: set the scanner to send FNC1 as GS (hex 1D).",
				e.AI, e.Value)
		}
	}

	return ""
}

func countDigits(text string) int {
	n := 0
	for _, r := range text {
		if r >= '0' && r <= '9' {
			n++
		}
	}

	return n
}
