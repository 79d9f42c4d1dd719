package paint

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// Writer is a terminal's output. It writes one at a time, so that no bell is inside a
// frame, and discards frames after the alternate screen was left.
type Writer struct {
	mu     sync.Mutex
	to     io.Writer
	closed bool
}

// NewWriter returns a Writer to an output.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to} }

// Write writes everything except frames: bells and what Bubble Tea writes.
func (s *Writer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if bytes.Contains(p, []byte(ansi.ResetModeAltScreenSaveCursor)) {
		s.closed = true
	}

	n, err := s.to.Write(p)
	if err != nil {
		err = fmt.Errorf("write to the terminal: %w", err)
	}

	return n, err
}

// Frame writes a frame. It ignores errors: if the connection is lost, Bubble Tea finds out
// by itself.
func (s *Writer) Frame(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		_, _ = s.to.Write(p)
	}
}

// Size returns the terminal's columns and rows. ok is false if the output is not a
// terminal of this machine.
func (s *Writer) Size() (width, height int, ok bool) {
	file, isFile := s.to.(*os.File)
	if !isFile {
		return 0, 0, false
	}
	width, height, err := term.GetSize(int(file.Fd()))
	return width, height, err == nil && width > 0 && height > 0
}

// Output returns the Writer for Bubble Tea. If the output is a file, the result has a
// file's methods, so that Bubble Tea can query size and modes.
func (s *Writer) Output() io.Writer {
	if file, ok := s.to.(*os.File); ok {
		return terminal{s, file}
	}
	return s
}

// terminal has only the file methods that Bubble Tea requires: the file's own WriteString
// would bypass the Writer.
type terminal struct {
	*Writer
	file *os.File
}

func (t terminal) Read(p []byte) (int, error) { return t.file.Read(p) } //nolint:wrapcheck // io.EOF must stay itself
func (t terminal) Close() error               { return t.file.Close() } //nolint:wrapcheck // the file's own error
func (t terminal) Fd() uintptr                { return t.file.Fd() }
