package i18n

import (
	"iter"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// minLetters is how many letters a message has at least that is translated outside of other
// messages: one with fewer matches too many texts. Without any letters, that does no harm.
const minLetters = 8

// A format is a message with verbs, for finding the texts that it gives.
type format struct {
	text     string
	literals []string // around and between the verbs
	length   int      // of the literals
	verbs    []byte   // by argument
	letters  int      // of the literals
}

// formats are the messages that Message translates.
type formats struct {
	texts   map[string]bool      // without verbs
	byFirst map[string][]*format // those that begin with these bytes: keyLength, or 1
	byLast  map[string][]*format // the others that end with these bytes
	others  []*format
}

// keyLength is how many bytes formats are found by, if they have as many before the first verb
// or after the last one: many sentences begin or end with the same byte.
const keyLength = 4

func firstBytes(text string, n int) string { return text[:min(n, len(text))] }
func lastBytes(text string, n int) string  { return text[max(0, len(text)-n):] }

var messageFormats = sync.OnceValue(func() *formats {
	all := &formats{texts: map[string]bool{}, byFirst: map[string][]*format{}, byLast: map[string][]*format{}}
	for _, m := range Messages() {
		if m.Context != ErrorContext {
			continue
		}
		if !strings.Contains(m.Text, "%") {
			all.texts[m.Text] = true
		} else if f := newFormat(m.Text); f != nil {
			all.add(f)
		}
	}

	return all
})

func (all *formats) add(f *format) {
	first, last := f.literals[0], f.literals[len(f.literals)-1]
	length := func(literal string) int {
		if len(literal) < keyLength {
			return 1
		}
		return keyLength
	}

	switch {
	case first != "":
		key := firstBytes(first, length(first))
		all.byFirst[key] = append(all.byFirst[key], f)
	case last != "":
		key := lastBytes(last, length(last))
		all.byLast[key] = append(all.byLast[key], f)
	default:
		all.others = append(all.others, f)
	}
}

// candidates are the formats that may give a text.
func (all *formats) candidates(text string) iter.Seq[*format] {
	return func(yield func(*format) bool) {
		if text == "" {
			return
		}

		for _, list := range [][]*format{
			all.byFirst[firstBytes(text, keyLength)], all.byFirst[firstBytes(text, 1)],
			all.byLast[lastBytes(text, keyLength)], all.byLast[lastBytes(text, 1)], all.others,
		} {
			for _, f := range list {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// newFormat returns nil for a format with flags, numbers of arguments, or verbs other than
// %d, %q, %s and %v.
func newFormat(text string) *format {
	f := &format{text: text}
	var literal strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			literal.WriteByte(text[i])
			continue
		}
		if i++; i == len(text) {
			return nil
		}

		switch text[i] {
		case '%':
			literal.WriteByte('%')
			continue
		case 'q':
			f.letters += minLetters / 2 // quotes are as telling as letters
		case 'd', 's', 'v':
		default:
			return nil
		}

		f.addLiteral(literal.String())
		literal.Reset()
		f.verbs = append(f.verbs, text[i])
	}

	f.addLiteral(literal.String())

	return f
}

func (f *format) addLiteral(text string) {
	f.literals = append(f.literals, text)
	f.length += len(text)
	for _, r := range text {
		if unicode.IsLetter(r) {
			f.letters++
		}
	}
}

// within reports whether the format is only matched within other messages.
func (f *format) within() bool { return f.letters > 0 && f.letters < minLetters }

// match returns the values that give the text: the shortest that fit, from the first on.
func (f *format) match(text string) (values []string, ok bool) {
	first, last := f.literals[0], f.literals[len(f.literals)-1]
	if len(text) < f.length || !strings.HasPrefix(text, first) || !strings.HasSuffix(text, last) {
		return nil, false
	}

	rest := text[len(first):]
	for _, literal := range f.literals[1:] {
		_, after, found := strings.Cut(rest, literal)
		if !found {
			return nil, false
		}
		rest = after
	}

	m := matching{format: f, values: make([]string, len(f.verbs)), tries: maxTries}

	return m.values, m.rest(0, text[len(first):len(text)-len(last)])
}

// maxTries limits the work for one text and format. Real texts need a few tries.
const maxTries = 500

type matching struct {
	*format
	values []string
	tries  int
}

// rest matches the verbs from i on with the text before the last literal.
func (m *matching) rest(i int, text string) bool {
	if i == len(m.verbs)-1 {
		m.values[i] = text
		return fits(m.verbs[i], text)
	}

	next := m.literals[i+1]
	for end := 0; m.tries > 0; end++ {
		m.tries--
		at := strings.Index(text[end:], next)
		if at < 0 {
			return false
		}

		end += at
		if m.values[i] = text[:end]; fits(m.verbs[i], text[:end]) && m.rest(i+1, text[end+len(next):]) {
			return true
		}
		if end == len(text) {
			return false
		}
	}

	return false
}

// fits reports whether a verb gives the text.
func fits(verb byte, text string) bool {
	switch verb {
	case 'd':
		digits := strings.TrimPrefix(text, "-")
		return digits != "" && len(digits) <= 18 && strings.Trim(digits, "0123456789") == ""
	case 'q':
		_, err := strconv.Unquote(text)
		return err == nil && text[0] != '`'
	}

	return true
}
