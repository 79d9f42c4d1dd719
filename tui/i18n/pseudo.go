package i18n

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// accents replace letters, so that text that is not translated is easy to see.
var accents = strings.NewReplacer("a", "á", "e", "é", "i", "í", "o", "ó", "u", "ú", "n", "ñ", "c", "ç", "s", "š",
	"A", "Á", "E", "É", "I", "Í", "O", "Ó", "U", "Ú", "N", "Ñ", "C", "Ç", "S", "Š")

// pseudo returns English with accents, about a third longer.
func pseudo() Language {
	return Language{Code: Pseudo, Name: "[Éñglíšh]", transform: accented}
}

// accented adds accents to a message, except to its placeholders, and makes it longer.
func accented(english string) string {
	var b strings.Builder
	rest := english
	for rest != "" {
		at := len(rest)
		var hold []int
		for _, r := range [][]int{verb.FindStringIndex(rest), brace.FindStringIndex(rest)} {
			if r != nil && r[0] < at {
				at, hold = r[0], r
			}
		}

		b.WriteString(accents.Replace(rest[:at]))
		if hold == nil {
			break
		}

		b.WriteString(rest[hold[0]:hold[1]])
		rest = rest[hold[1]:]
	}

	letters := 0
	for _, r := range verb.ReplaceAllString(english, "") {
		if unicode.IsLetter(r) {
			letters++
		}
	}

	text := b.String()
	end := strings.TrimRight(text, " .:?!…›")
	if r, _ := utf8.DecodeLastRuneInString(end); !unicode.IsLetter(r) || letters == 0 {
		return text
	}

	return end + strings.Repeat("~", (letters+2)/3) + text[len(end):]
}
