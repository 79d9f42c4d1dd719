package words

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Problem is a line that could not be used, in words.
type Problem struct {
	Line int // of the file, from 1; 0 where it is not known
	Key  string
	Text string
}

// String is the problem with its place.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.Text
	}
	return fmt.Sprintf("line %d: %s", p.Line, p.Text)
}

const (
	longestLine = 64 << 10
	mostValues  = 20 // of one text
)

// Read takes a file of words apart: "key = text" on a line each. Empty lines
// and those that begin with # are passed over; \n in a text is a line break. A
// line that is none is told, and the others are used.
func Read(in io.Reader) (lines []Line, problems []Problem, err error) {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, longestLine)
	seen := map[string]int{}
	for n := 1; scanner.Scan(); n++ {
		text := strings.TrimSpace(strings.TrimPrefix(scanner.Text(), "\ufeff"))
		if text == "" || text[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(text, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch {
		case !ok:
			problems = append(problems, Problem{Line: n, Text: fmt.Sprintf("%q has no \"=\": write key = text", truncate(text))})
		case key == "":
			problems = append(problems, Problem{Line: n, Text: "the key is missing: write key = text"})
		case value == "":
			problems = append(problems, Problem{Line: n, Key: key, Text: key + ": the text is missing"})
		case seen[key] > 0:
			problems = append(problems, Problem{Line: n, Key: key, Text: fmt.Sprintf("%s is already on line %d", key, seen[key])})
		default:
			seen[key] = n
			lines = append(lines, Line{Key: key, Text: strings.ReplaceAll(value, `\n`, "\n")})
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, nil, fmt.Errorf("read words: %w", err)
	}
	return lines, problems, nil
}

func truncate(text string) string {
	if runes := []rune(text); len(runes) > 30 {
		return string(runes[:30]) + "…"
	}
	return text
}

// Load reads a file of words and uses it; every line that could not be used is
// told with its number.
func Load(in io.Reader) ([]Problem, error) {
	var numbered strings.Builder
	lines, problems, err := Read(io.TeeReader(in, &numbered))
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for i, text := range strings.Split(numbered.String(), "\n") {
		key, _, _ := strings.Cut(text, "=")
		if key = strings.TrimSpace(key); at[key] == 0 {
			at[key] = i + 1
		}
	}
	for _, p := range Use(lines) {
		p.Line = at[p.Key]
		problems = append(problems, p)
	}
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.Line - b.Line })
	return problems, nil
}

// Write writes lines as Read reads them, an empty line between areas.
func Write(out io.Writer, lines []Line) error {
	last := ""
	w := bufio.NewWriter(out)
	for _, l := range lines {
		area, _, _ := strings.Cut(l.Key, ".")
		if area != last && last != "" {
			fmt.Fprintln(w)
		}
		last = area
		fmt.Fprintf(w, "%s = %s\n", l.Key, strings.ReplaceAll(l.Text, "\n", `\n`))
	}
	return w.Flush()
}

var (
	verb  = regexp.MustCompile(`%[-+# 0]*(?:\[(\d+)\])?[0-9.]*([a-zA-Z%])`)
	brace = regexp.MustCompile(`\{[a-zA-Z]+\}`)
)

// mismatch tells why a text cannot stand for the English one, or "": it must take
// the same values, in the same order or with their numbers (%[2]s), and name no
// value in braces that the other does not.
func mismatch(english, text string) string {
	want, got := values(english), values(text)
	if !slices.Equal(want, got) {
		return fmt.Sprintf("the English text takes %s, this one takes %s", listVerbs(want), listVerbs(got))
	}
	have := brace.FindAllString(english, -1)
	for _, b := range brace.FindAllString(text, -1) {
		if !slices.Contains(have, b) {
			return "unknown value " + b + inList(have)
		}
	}
	return ""
}

// values are the verbs of a format by the value they take.
func values(format string) []string {
	var out []string
	next := 0
	for _, m := range verb.FindAllStringSubmatch(format, -1) {
		if m[2] == "%" {
			continue
		}
		at := next
		if m[1] != "" {
			n, err := strconv.Atoi(m[1])
			if err != nil || n < 1 || n > mostValues {
				return []string{m[0]} // stands for no value that there is
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

func inList(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return ": there are " + strings.Join(list, " ")
}

// suggestKey names the key that may be meant: the same name in another area.
func suggestKey(key string) string {
	_, name, ok := strings.Cut(key, ".")
	if !ok {
		return ""
	}
	for known := range catalog.words {
		if _, n, _ := strings.Cut(known, "."); strings.EqualFold(n, name) {
			return ": is " + known + " meant?"
		}
	}
	return ""
}
