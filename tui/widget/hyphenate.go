package widget

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// hyphenate breaks the words of a text that are wider than width between syllables, so that
// every part fits a line. It keeps codes: words with a digit, a sign or no small letter.
func hyphenate(text string, width int) string {
	if Width(text) <= width {
		return text
	}

	words := strings.Split(text, " ")
	for i, word := range words {
		letters := strings.TrimRight(word, ".,:;!?)")
		code := strings.ContainsFunc(letters, func(r rune) bool { return !unicode.IsLetter(r) }) ||
			letters == strings.ToUpper(letters)
		if Width(word) > width && !code {
			words[i] = hyphenateWord([]rune(word), width)
		}
	}

	return strings.Join(words, " ")
}

// hyphenateWord prefers a break at three consonants: there two words usually meet, as in
// "Bestands-bewegung".
func hyphenateWord(word []rune, width int) string {
	if len(word) <= width {
		return string(word)
	}

	best, most := 0, 0
	for at := min(width-1, len(word)-3); at >= 3; at-- {
		if n := consonantsAt(string(word[:at]), string(word[at:])); n > 0 && (best == 0 || n >= 3 && most < 3) {
			best, most = at, n
		}
	}

	if best == 0 {
		return string(word)
	}

	return string(word[:best]) + "- " + hyphenateWord(word[best:], width)
}

// onsets are the consonants that stay together at the start of a syllable.
var onsets = []string{
	"schl",
	"schm",
	"schn",
	"schr",
	"schw",
	"sch",
	"chr",
	"ch",
	"ck",
	"ph",
	"sp",
	"st",
	"th",
	"bl",
	"br",
	"dr",
	"fl",
	"fr",
	"gl",
	"gr",
	"kl",
	"kr",
	"pl",
	"pr",
	"tr",
}

// consonantsAt returns the number of consonants around the start of a syllable between two
// parts of a word, or 0 if none starts there.
func consonantsAt(before, after string) int {
	before, after = strings.ToLower(before), strings.ToLower(after)
	next, last := strings.IndexFunc(after, isVowel), strings.LastIndexFunc(before, isVowel)
	if next <= 0 || last < 0 {
		return 0
	}

	_, size := utf8.DecodeRuneInString(before[last:])
	start, cluster := after[:next], before[last+size:]+after[:next]
	for _, onset := range onsets {
		if strings.HasSuffix(cluster, onset) {
			if onset != start {
				return 0
			}
			return len(cluster)
		}
	}

	if len(start) > 1 {
		return 0
	}

	return len(cluster)
}

func isVowel(r rune) bool { return strings.ContainsRune("aeiouyäöü", r) }
