package api

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// A scanner reads JSON without copying it. Its values point into the bytes given to scan.
type scanner struct {
	jsontext.Decoder
	buf bytes.Buffer
}

var (
	scanners  = sync.Pool{New: func() any { return new(scanner) }}
	duplicate = jsontext.AllowDuplicateNames(true) // decodeObject reports them by name
)

func scan(b []byte) *scanner {
	s := scanners.Get().(*scanner)
	s.buf = *bytes.NewBuffer(b)
	s.Reset(&s.buf, duplicate)
	return s
}

// done returns the scanner to the pool.
func (s *scanner) done() {
	s.buf = bytes.Buffer{}
	s.Reset(&s.buf)
	scanners.Put(s)
}

// unquoted returns the text between the quotes of a JSON string, with its escapes.
func unquoted(quoted jsontext.Value) []byte {
	if len(quoted) < 2 {
		return nil
	}
	return quoted[1 : len(quoted)-1]
}

// unquote returns the value of a JSON string, which must be well-formed.
func unquote(quoted jsontext.Value) string {
	if text := unquoted(quoted); bytes.IndexByte(text, '\\') < 0 {
		return string(text)
	}
	text, _ := jsontext.AppendUnquote(nil, quoted)
	return string(text)
}
