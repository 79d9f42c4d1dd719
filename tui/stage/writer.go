// Package stage is a terminal's output, shared by those who write on it.
package stage

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// Writer is a terminal's output: one write at a time, so that no bell falls
// into a frame, and no frame after the alternate screen was left.
type Writer struct {
	mu     sync.Mutex
	to     io.Writer
	closed bool
}

// New is a stage on an output.
func New(to io.Writer) *Writer { return &Writer{to: to} }

// Write passes on what Bubble Tea and bells write.
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

// Frame writes a frame; one that cannot be written is painted anew by what
// comes next, or the line is gone and Bubble Tea finds that out.
func (s *Writer) Frame(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		_, _ = s.to.Write(p)
	}
}

// Size is the terminal's columns and rows; not ok where there is no terminal
// of the machine beneath.
func (s *Writer) Size() (width, height int, ok bool) {
	file, isFile := s.to.(*os.File)
	if !isFile {
		return 0, 0, false
	}
	width, height, err := term.GetSize(int(file.Fd()))
	return width, height, err == nil && width > 0 && height > 0
}

// Output is the stage as Bubble Tea takes it: as a file where one is beneath,
// so that it can ask for size and modes.
func (s *Writer) Output() io.Writer {
	if file, ok := s.to.(*os.File); ok {
		return terminal{s, file}
	}
	return s
}

// terminal has a file's methods that Bubble Tea asks for, and no other: a
// WriteString of the file's own would go past the stage.
type terminal struct {
	*Writer
	file *os.File
}

func (t terminal) Read(p []byte) (int, error) { return t.file.Read(p) } //nolint:wrapcheck // io.EOF must stay itself
func (t terminal) Close() error               { return t.file.Close() } //nolint:wrapcheck // a file's own words
func (t terminal) Fd() uintptr                { return t.file.Fd() }
