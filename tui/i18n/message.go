package i18n

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSentences is up to how many sentences are translated one by one.
const maxSentences = 8

// Message translates an error or another text that was written in English elsewhere: by the
// service, by an older one, or into a journal. It finds the messages whose formats give the
// text, in one or several sentences, and fills its values into the translation; what stands
// for %v is translated too. If there are several ways, it takes the one in which messages
// have most of the text. Unknown text stays English.
func (t *Translator) Message(english string) string { return t.message(english, false) }

// message is Message for a text that is within another one or not.
func (t *Translator) message(english string, within bool) string {
	if t == nil || english == "" {
		return english
	}

	l := t.language.Load()
	if l.transform == nil && len(l.catalogs) == 0 {
		return english
	}

	tr := translation{l, map[part]known{}}

	return tr.message(english, within).text
}

// A translation is the work of one call of Message.
type translation struct {
	*Language
	done map[part]known
}

// A part is a part of the text to translate, within a message or not.
type part struct {
	english string
	within  bool
}

// known is a translated text, and how many bytes of the English one are from known messages.
type known struct {
	text  string
	bytes int
}

// message translates a text sentence by sentence; within another message or not.
func (tr translation) message(english string, within bool) known {
	if messageFormats().texts[english] || !strings.Contains(english, " ") {
		return tr.whole(english, within)
	}

	starts, ends := sentences(english)
	best := make([]known, len(ends)+1) // from each sentence on
	for i := len(ends) - 1; i >= 0; i-- {
		best[i] = join(known{text: english[starts[i]:ends[i]]}, best[i+1])
		for j := i; j < len(ends); j++ {
			if x := join(tr.whole(english[starts[i]:ends[j]], within), best[j+1]); x.bytes > best[i].bytes {
				best[i] = x
			}
		}
	}

	return best[0]
}

func join(a, b known) known {
	if b.text == "" {
		return a
	}
	return known{a.text + " " + b.text, a.bytes + b.bytes}
}

// sentences returns where the sentences of a text start and end.
func sentences(text string) (starts, ends []int) {
	starts = []int{0}
	for i := 0; i+2 < len(text) && len(starts) < maxSentences; i++ {
		if text[i+1] != ' ' || strings.IndexByte(".!?", text[i]) < 0 {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(text[i+2:]); !unicode.IsLower(r) {
			starts, ends = append(starts, i+2), append(ends, i+1)
		}
	}

	return starts, append(ends, len(text))
}

// whole translates a text that one message gives.
func (tr translation) whole(english string, within bool) (best known) {
	all, as := messageFormats(), part{english, within}
	if all.texts[english] {
		return known{tr.lookUp(english, ErrorContext), len(english)}
	}
	if done, ok := tr.done[as]; ok {
		return done
	}

	best.text = english
	for f := range all.candidates(english) {
		if !within && f.within() {
			continue
		}
		if values, ok := f.match(english); ok {
			if x := tr.fill(f, values); x.bytes > best.bytes {
				best = x
			}
		}
	}

	tr.done[as] = best

	return best
}

// fill returns the translation of a format with values.
func (tr translation) fill(f *format, values []string) known {
	args, bytes := make([]any, len(values)), f.length
	for i, value := range values {
		switch f.verbs[i] {
		case 'd':
			args[i], _ = strconv.ParseInt(value, 10, 64)
		case 'q':
			args[i] = unquoted(value)
		case 'v':
			x := tr.message(value, true)
			args[i], bytes = x.text, bytes+x.bytes
		default:
			args[i] = value
		}
	}

	return known{fmt.Sprintf(tr.lookUp(f.text, ErrorContext), args...), bytes}
}

// unquoted returns what %q gives a text for: a string, or a character in single quotes.
func unquoted(quoted string) any {
	text, err := strconv.Unquote(quoted)
	if err != nil {
		return strings.Trim(quoted, `"'`)
	}
	if quoted[0] == '\'' {
		r, _ := utf8.DecodeRuneInString(text)
		return r
	}

	return text
}
