package printer

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"bincard/tui/i18n"
)

// A Status is what a ZPL printer reports about itself.
type Status struct {
	MediaOut, RibbonOut, HeadOpen, Paused bool
	BufferFull, TooHot, TooCold           bool
	// Waiting is how many labels the printer has received and not printed, and Remaining
	// how many of the one that it prints.
	Waiting, Remaining int
}

// Ready reports whether the printer prints.
func (s Status) Ready() bool { return len(s.Problems()) == 0 }

// Problems returns what keeps the printer from printing, in words.
func (s Status) Problems() (out []string) {
	for _, x := range []struct {
		is   bool
		text string
	}{
		{s.HeadOpen, i18n.Textf("the head is open")}, {s.MediaOut, i18n.Textf("out of labels")}, {s.RibbonOut, i18n.Textf("out of ribbon")},
		{s.Paused, i18n.Textf("paused")}, {s.TooHot, i18n.Textf("too hot")}, {s.TooCold, i18n.Textf("too cold")}, {s.BufferFull, i18n.Textf("the memory is full")},
	} {
		if x.is {
			out = append(out, x.text)
		}
	}
	return out
}

// String returns the status in words: "ready", or the problems.
func (s Status) String() string {
	text := strings.Join(s.Problems(), ", ")
	if text == "" {
		text = i18n.Textf("ready")
	}
	if n := s.Waiting + s.Remaining; n > 0 {
		text += fmt.Sprintf(" (%d)", n)
	}
	return text
}

// statusRequest asks for the status. Printers answer it at once, also while they print.
const statusRequest = "~HS\r\n"

// maxAnswer is how long the answer to a status request may be, with what is before it.
const maxAnswer = 4 << 10

const stx, etx = '\x02', '\x03'

var errNotStatus = errors.New("the answer is not a status")

// readStatus reads the answer to a status request: three lines between STX and ETX.
func readStatus(r io.Reader) (Status, error) {
	in := bufio.NewReader(io.LimitReader(r, maxAnswer))
	var lines [3][]string
	for i := range lines {
		if _, err := in.ReadString(stx); err != nil {
			return Status{}, err
		}
		line, err := in.ReadString(etx)
		if err != nil {
			return Status{}, err
		}
		lines[i] = strings.Split(strings.TrimSuffix(line, string(etx)), ",")
	}
	if len(lines[0]) < 12 || len(lines[1]) < 9 {
		return Status{}, errNotStatus
	}
	bad := false
	number := func(line, at int) int {
		n, err := strconv.Atoi(strings.TrimSpace(lines[line][at]))
		bad = bad || err != nil || n < 0
		return n
	}
	flag := func(line, at int) bool { return number(line, at) != 0 }
	s := Status{MediaOut: flag(0, 1), Paused: flag(0, 2), Waiting: number(0, 4), BufferFull: flag(0, 5), TooCold: flag(0, 10), TooHot: flag(0, 11),
		HeadOpen: flag(1, 2), RibbonOut: flag(1, 3), Remaining: number(1, 8)}
	if bad {
		return Status{}, errNotStatus
	}
	return s, nil
}
