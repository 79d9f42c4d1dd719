package i18n

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxArgs is the largest number of an argument in a message: %[9]s.
const maxArgs = 9

var (
	verb  = regexp.MustCompile(`%[-+# 0]*(?:\[(\d+)\])?[0-9.]*([a-zA-Z%])`)
	brace = regexp.MustCompile(`\{[a-zA-Z]+\}`)
)

// mismatch returns why a text cannot replace the English one, or "". The text must take the same
// arguments, in the same order or with their numbers (%[2]s), and contain no value in braces that
// the English text does not contain.
func mismatch(english, text string) string {
	want, got := verbs(english), verbs(text)
	if !slices.Equal(want, got) {
		return fmt.Sprintf("the English text takes %s, this one takes %s", listVerbs(want), listVerbs(got))
	}

	have := brace.FindAllString(english, -1)
	for _, b := range brace.FindAllString(text, -1) {
		if !slices.Contains(have, b) {
			return strings.TrimSuffix("unknown value "+b+": use "+strings.Join(have, " "), ": use ")
		}
	}

	return ""
}

// verbs returns the verbs of a format by the argument they take.
func verbs(format string) []string {
	var out []string
	next := 0
	for _, m := range verb.FindAllStringSubmatch(format, -1) {
		if m[2] == "%" {
			continue
		}

		at := next
		if m[1] != "" {
			n, err := strconv.Atoi(m[1])
			if err != nil || n < 1 || n > maxArgs {
				return []string{m[0]} // no such argument
			}
			at = n - 1
		}

		for len(out) <= at {
			out = append(out, "")
		}

		out[at] = "%" + m[2]
		next = at + 1
	}

	return out
}

func listVerbs(verbs []string) string {
	if len(verbs) == 0 {
		return "no value"
	}
	return strings.Join(verbs, " ")
}
