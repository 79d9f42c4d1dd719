package plain

import (
	"io"
	"strings"
	"unicode/utf8"
)

// A line is what came between two ends of line, or in a frame.
type line struct {
	text      string
	framed    bool // between STX and ETX: a scan, whatever its text
	interrupt bool // a bare ETX: somebody pressed ctrl+c
	long      bool // more than a line can hold: nothing of it is kept
}

// The characters that steer a line.
const (
	stx = 0x02
	etx = 0x03
	eot = 0x04
	esc = 0x1b
	del = 0x7f
	bs  = 0x08

	maxLine = 4096
)

// A splitter makes lines of bytes: CR, LF and CR LF end one; STX and ETX frame
// one; separators of GS1 and ISO 15434 are kept; arrow keys are dropped.
type splitter struct {
	emit   func(line)
	text   []byte
	framed bool
	cr     bool // the last byte was CR: LF belongs to it
	tail   bool // a frame has just ended: ends of line belong to it
	key    int  // within the sequence of a key: 1 after esc, 2 within it
	long   bool
}

// write takes a byte; over tells that the line was ended (ctrl+d).
func (s *splitter) write(b byte) (over bool) {
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

// writeKey drops the bytes of a key that is none of text.
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

// readLines reads lines until there are no more, or over is closed.
func readLines(in io.Reader, typed func(byte), lines chan<- line, over <-chan struct{}) {
	defer close(lines)
	s := splitter{emit: func(l line) {
		select {
		case lines <- l:
		case <-over:
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
