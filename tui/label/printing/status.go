package printing

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"bincard/tui/i18n"
)

// A PrinterStatus is what a ZPL printer reports about itself.
type PrinterStatus struct {
	Problems []string // what keeps the printer from printing, in words
	Waiting  int      // how many labels the printer has received and not printed
}

// Ready reports whether the printer prints.
func (s PrinterStatus) Ready() bool { return len(s.Problems) == 0 }

// String returns the status in words: "ready", or the problems.
func (s PrinterStatus) String() string {
	text := strings.Join(s.Problems, ", ")
	if text == "" {
		text = i18n.Textf("ready")
	}
	if s.Waiting > 0 {
		text += fmt.Sprintf(" (%d)", s.Waiting)
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
func readStatus(r io.Reader) (PrinterStatus, error) {
	in := bufio.NewReader(io.LimitReader(r, maxAnswer))
	var lines [3][]string
	for i := range lines {
		if _, err := in.ReadString(stx); err != nil {
			return PrinterStatus{}, err
		}
		line, err := in.ReadString(etx)
		if err != nil {
			return PrinterStatus{}, err
		}
		lines[i] = strings.Split(strings.TrimSuffix(line, string(etx)), ",")
	}

	if len(lines[0]) < 12 || len(lines[1]) < 9 {
		return PrinterStatus{}, errNotStatus
	}

	bad := false
	number := func(line, at int) int {
		n, err := strconv.Atoi(strings.TrimSpace(lines[line][at]))
		bad = bad || err != nil || n < 0
		return n
	}
	s := PrinterStatus{Waiting: number(0, 4) + number(1, 8)}
	for _, x := range []struct {
		line, at int
		text     string
	}{
		{1, 2, i18n.Textf("the head is open")}, {0, 1, i18n.Textf("out of labels")}, {1, 3, i18n.Textf("out of ribbon")}, {0, 2, i18n.Textf("paused")},
		{0, 11, i18n.Textf("too hot")}, {0, 10, i18n.Textf("too cold")}, {0, 5, i18n.Textf("the memory is full")},
	} {
		if number(x.line, x.at) != 0 {
			s.Problems = append(s.Problems, x.text)
		}
	}

	if bad {
		return PrinterStatus{}, errNotStatus
	}

	return s, nil
}
