package plain

import (
	"io"
	"strings"
	"sync"

	"bincard/tui/i18n"
	"bincard/tui/widget"
)

// Echo says how the input is echoed.
type Echo int

// The ways to echo.
const (
	EchoTerminal Echo = iota // the terminal echoes
	EchoLines                // echo whole lines, so that the output reads as a dialog
	EchoRaw                  // echo each character, and end lines with CR LF
)

// A printer writes lines wrapped to a width, each immediately. It cleans texts: the only
// control characters that it writes are bells and line ends.
type printer struct {
	width int
	echo  Echo
	t     *i18n.Translator

	mu     sync.Mutex
	to     io.Writer
	prompt bool // the present line is a prompt
	failed bool // a write failed
}

// line writes a mark and a text. Wrapped lines are indented below the text.
func (p *printer) line(mark, text string) {
	p.newLine()
	lead := ""
	if mark == "no" {
		mark = p.t.GetC("no", "mark")
	}

	switch mark {
	case "":
	case " ":
		lead = "  "
	default:
		lead = mark + strings.Repeat(" ", max(1, 4-len(mark)))
	}

	room := max(8, p.width-len(lead))
	for i, part := range widget.Wrap(symbolWords(p.t).Replace(widget.Clean(text)), room) {
		if i > 0 {
			lead = strings.Repeat(" ", len(lead))
		}
		p.write(lead + strings.TrimRight(part, " ") + "\n")
	}
}

// ask writes a prompt. The answer follows on the same line.
func (p *printer) ask(text string) {
	p.newLine()
	p.write(widget.Clip(symbolWords(p.t).Replace(widget.Clean(text)), max(4, p.width-3)) + "> ")
	p.prompt = true
}

// answered ends the line of a prompt after its answer.
func (p *printer) answered(l line) {
	switch {
	case p.echo == EchoLines && p.prompt:
		p.write(widget.Clean(l.text) + "\n")
	case l.framed && p.prompt: // a frame has no line end
		p.write("\n")
	}

	p.prompt = false
}

// typed echoes a typed byte if the echo is EchoRaw.
func (p *printer) typed(b byte) {
	switch {
	case p.echo != EchoRaw:
	case b == '\r':
		p.write("\n")
	case b == bs || b == del:
		p.write("\b \b")
	case b >= ' ':
		p.write(string([]byte{b}))
	}
}

// newLine starts a new line if the present line is a prompt.
func (p *printer) newLine() {
	if p.prompt {
		p.prompt = false
		p.write("\n")
	}
}

func (p *printer) bell(n int) { p.write(strings.Repeat("\a", n)) }

// write writes text. After an error it writes nothing more: reading will fail too.
func (p *printer) write(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed || text == "" {
		return
	}
	if p.echo == EchoRaw {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if _, err := io.WriteString(p.to, text); err != nil {
		p.failed = true
	}
}
