package i18n

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrorContext is the context in the catalogs of the messages that Message translates.
const ErrorContext = "error"

// maxDepth is how deep messages within messages are translated.
const maxDepth = 4

// Message translates an error or another text that was written in English elsewhere: by the
// service, by an older one, or into a journal. It finds the message whose format gives the
// text, and fills its values into the translation; what stands for %v is translated too. A
// text of several messages is translated sentence by sentence. Unknown text stays English.
func (t *Translator) Message(english string) string {
	if t == nil || english == "" {
		return english
	}
	l := t.language.Load()
	if l.transform == nil && len(l.catalogs) == 0 {
		return english
	}
	return l.message(english, 0)
}

func (l *Language) message(english string, depth int) string {
	if depth > maxDepth {
		return english
	}
	if text, ok := l.whole(english, depth, false); ok {
		return text
	}
	if text, ok := l.sentences(english, depth); ok {
		return text
	}
	if text, ok := l.whole(english, depth, true); ok {
		return text
	}
	return english
}

// sentences translates each sentence, or the most sentences that one message has. ok is
// false if none of them is known.
func (l *Language) sentences(english string, depth int) (text string, ok bool) {
	ends := sentenceEnds(english)
	if len(ends) < 2 {
		return "", false
	}
	var b strings.Builder
	for start, next := 0, 0; next < len(ends); {
		last, part, known := next, "", false
		for i := len(ends) - 1; i >= next && !known; i-- {
			if part, known = l.whole(english[start:ends[i]], depth, false); known {
				last = i
			}
		}
		if ok = ok || known; !known {
			part = english[start:ends[last]]
			if weak, found := l.whole(part, depth, true); found {
				part = weak
			}
		}
		b.WriteString(part)
		start, next = ends[last], last+1
		if start < len(english) {
			b.WriteByte(' ')
			start++
		}
	}
	return b.String(), ok
}

// sentenceEnds returns the offsets at which sentences end, the last at the end of the text.
func sentenceEnds(text string) (ends []int) {
	for i := 0; i+2 < len(text); i++ {
		if text[i+1] != ' ' || strings.IndexByte(".!?", text[i]) < 0 {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(text[i+2:]); !unicode.IsLower(r) {
			ends = append(ends, i+1)
		}
	}
	return append(ends, len(text))
}

// whole translates a text that one message gives. Weak messages are tried last, and those
// with letters only within other messages.
func (l *Language) whole(english string, depth int, weak bool) (string, bool) {
	all := messageFormats()
	if all.texts[english] {
		return l.lookUp(english, ErrorContext), true
	}
	for _, f := range all.formats {
		if f.weak() != weak || weak && depth == 0 && f.letters > 0 {
			continue
		}
		if values, ok := f.match(english); ok {
			return f.fill(l, values, depth), true
		}
	}
	return "", false
}
