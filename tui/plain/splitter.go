package plain

import (
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// A line is the text between two line ends, or in a frame.
type line struct {
	text      string
	framed    bool      // between STX and ETX: always a scan
	interrupt bool      // a bare ETX: ctrl+c
	long      bool      // longer than maxLine, and ignored
	at        time.Time // when it arrived
}

// The control characters.
const (
	stx = 0x02
	etx = 0x03
	eot = 0x04
	esc = 0x1b
	del = 0x7f
	bs  = 0x08

	maxLine = 4096
)

// A splitter splits bytes into lines. CR, LF and CR LF end a line; STX and ETX frame one. It
// keeps the separators of GS1 and ISO 15434 and drops arrow keys.
type splitter struct {
	emit   func(line)
	text   []byte
	framed bool
	cr     bool // the last byte was CR: a following LF belongs to it
	tail   bool // a frame has just ended: following line ends belong to it
	key    int  // in the sequence of a key: 1 after esc, 2 after esc [ or esc O
	long   bool
}

// write adds a byte and reports whether it ended the input (ctrl+d).
func (s *splitter) write(b byte) (eof bool) {
	if s.key > 0 {
		s.writeKey(b)
		return false
	}

	cr, tail := s.cr, s.tail
	s.cr, s.tail = b == '\r', tail && (b == '\r' || b == '\n')
	switch b {
	case '\r', '\n':
		if !tail && !(b == '\n' && cr) {
			s.end(false)
		}
	case stx:
		if len(s.text) > 0 {
			s.end(false)
		}
		s.framed = true
	case etx:
		if !s.framed && len(s.text) == 0 {
			s.emit(line{interrupt: true})
			return false
		}
		s.end(s.framed)
		s.tail = true

	case esc:
		s.key = 1
	case bs, del:
		_, n := utf8.DecodeLastRune(s.text)
		s.text = s.text[:len(s.text)-n]
	case 0:
	case eot:
		if len(s.text) == 0 && !s.framed {
			return true
		}
		fallthrough
	default:
		if len(s.text) >= maxLine {
			s.long = true
			return false
		}
		s.text = append(s.text, b)
	}

	return false
}

// writeKey drops a byte of a key's escape sequence.
func (s *splitter) writeKey(b byte) {
	switch {
	case s.key == 1 && (b == '[' || b == 'O'):
		s.key = 2
	case s.key == 1 || b >= 0x40 && b <= 0x7e:
		s.key = 0
	}
}

func (s *splitter) end(framed bool) {
	s.emit(line{text: strings.ToValidUTF8(string(s.text), "\uFFFD"), framed: framed, long: s.long})
	s.text, s.framed, s.long = nil, false, false
}

// readLines reads lines until the input ends. It calls typed with each byte, and discards
// lines after done is closed.
func readLines(in io.Reader, typed func(byte), now func() time.Time, lines chan<- line, done <-chan struct{}) {
	defer close(lines)
	s := splitter{emit: func(l line) {
		l.at = now()
		select {
		case lines <- l:
		case <-done:
		}
	}}

	buf := make([]byte, 4096)
	for {
		n, err := in.Read(buf)
		for _, b := range buf[:n] {
			typed(b)
			if s.write(b) {
				return
			}
		}

		if err != nil {
			if len(s.text) > 0 {
				s.end(s.framed)
			}
			return
		}
	}
}
