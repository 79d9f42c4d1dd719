package i18n

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// minLetters is how many letters a message has that is not weak: one with fewer matches too
// many texts.
const minLetters = 8

// A format is a message with verbs, for finding the texts that it gives.
type format struct {
	text     string
	literals []string              // around and between the verbs
	length   int                   // of the literals
	verbs    []byte                // by argument
	letters  int                   // of the literals
	pattern  func() *regexp.Regexp // with a group for each argument
}

// formats are the messages that Message translates.
type formats struct {
	texts   map[string]bool // without verbs
	formats []*format       // the one with the most literal text first
}

var messageFormats = sync.OnceValue(func() *formats {
	all := &formats{texts: map[string]bool{}}
	for _, m := range Messages() {
		if m.Context != ErrorContext {
			continue
		}
		if !strings.Contains(m.Text, "%") {
			all.texts[m.Text] = true
		} else if f := newFormat(m.Text); f != nil {
			all.formats = append(all.formats, f)
		}
	}
	slices.SortStableFunc(all.formats, func(a, b *format) int { return b.length - a.length })
	return all
})

// verbPatterns are the texts that a verb gives. The shortest one that fits is taken.
var verbPatterns = map[byte]string{'d': `-?\d{1,18}`, 'q': `"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`, 's': `.*?`, 'v': `.*?`}

// newFormat returns nil for a format with other verbs, flags or argument numbers.
func newFormat(text string) *format {
	f := &format{text: text}
	var pattern, literal strings.Builder
	pattern.WriteString(`(?s)^`)
	end := func() {
		f.literals = append(f.literals, literal.String())
		f.length += literal.Len()
		for _, r := range literal.String() {
			if unicode.IsLetter(r) {
				f.letters++
			}
		}
		pattern.WriteString(regexp.QuoteMeta(literal.String()))
		literal.Reset()
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			literal.WriteByte(text[i])
			continue
		}
		if i++; i == len(text) {
			return nil
		}
		if text[i] == '%' {
			literal.WriteByte('%')
			continue
		}
		p, ok := verbPatterns[text[i]]
		if !ok {
			return nil
		}
		end()
		f.verbs = append(f.verbs, text[i])
		if text[i] == 'q' {
			f.letters += minLetters / 2 // quotes are as telling as letters
		}
		pattern.WriteString("(" + p + ")")
	}
	end()
	pattern.WriteByte('$')
	f.pattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern.String()) })
	return f
}

func (f *format) weak() bool { return f.letters < minLetters }

// match returns the values that give the text.
func (f *format) match(text string) (values []string, ok bool) {
	last := len(f.literals) - 1
	if len(text) < f.length || !strings.HasPrefix(text, f.literals[0]) || !strings.HasSuffix(text, f.literals[last]) {
		return nil, false
	}
	rest := text[len(f.literals[0]):]
	for _, literal := range f.literals[1:] {
		i := strings.Index(rest, literal)
		if i < 0 {
			return nil, false
		}
		rest = rest[i+len(literal):]
	}
	m := f.pattern().FindStringSubmatch(text)
	if m == nil {
		return nil, false
	}
	return m[1:], true
}

// fill returns the translation with the values.
func (f *format) fill(l *Language, values []string, depth int) string {
	args := make([]any, len(values))
	for i, value := range values {
		args[i] = value
		switch f.verbs[i] {
		case 'd':
			if n, err := strconv.ParseInt(value, 10, 64); err == nil {
				args[i] = n
			}
		case 'q':
			text, err := strconv.Unquote(value)
			if err != nil {
				text = strings.Trim(value, `"'`)
			}
			if args[i] = text; value[0] == '\'' {
				args[i] = []rune(text)[0]
			}
		case 'v':
			args[i] = l.message(value, depth+1)
		}
	}
	return fmt.Sprintf(l.lookUp(f.text, ErrorContext), args...)
}
