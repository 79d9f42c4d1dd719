package shell

import (
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/term"
)

// A Keyboard is the input of a terminal for several sessions in turn. The terminal stays in
// raw mode between them, and what a session has not handled when it is stopped goes to the
// next one. Bubble Tea alone would lose what it read last.
type Keyboard struct {
	file  *os.File
	saved *term.State // of the terminal before raw mode; nil if it is not in raw mode

	input   chan []byte // closed after an error
	err     error       // why input is closed
	pending []byte      // read from input, and for the next session
	current *keyReader  // of the running session, or nil
}

// NewKeyboard returns the keyboard of a terminal.
func NewKeyboard(file *os.File) *Keyboard { return &Keyboard{file: file} }

// Begin returns the input of the next session. The session before must have ended.
func (k *Keyboard) Begin() (io.Reader, error) {
	if k.saved == nil {
		saved, err := term.MakeRaw(int(k.file.Fd()))
		if err != nil {
			return nil, fmt.Errorf("cannot read the keyboard: %w", err)
		}
		k.saved = saved
	}

	if k.input == nil {
		k.input = make(chan []byte)
		go k.read()
	}

	k.current = &keyReader{keyboard: k, stopped: make(chan struct{}), ended: make(chan struct{})}

	return k.current, nil
}

// Stop ends the input of the running session, if there is one, and waits until the session
// has handled what it read.
func (k *Keyboard) Stop() {
	if r := k.current; r != nil {
		r.stop.Do(func() { close(r.stopped) })
		<-r.ended
	}
}

// Close restores the terminal.
func (k *Keyboard) Close() error {
	if k.saved == nil {
		return nil
	}
	saved := k.saved
	k.saved = nil
	return term.Restore(int(k.file.Fd()), saved) //nolint:wrapcheck // x/term says what failed
}

func (k *Keyboard) read() {
	for {
		buf := make([]byte, 256) // as much as Bubble Tea reads
		n, err := k.file.Read(buf)
		if n > 0 {
			k.input <- buf[:n]
		}
		if err != nil {
			k.err = err
			close(k.input)
			return
		}
	}
}

// A keyReader is the input of one session.
type keyReader struct {
	keyboard *Keyboard
	stop     sync.Once
	stopped  chan struct{}
	end      sync.Once
	ended    chan struct{} // closed when Read has returned an error
}

// Read reads keys. The session has handled what it read before.
func (r *keyReader) Read(p []byte) (int, error) {
	k := r.keyboard
	if len(k.pending) == 0 {
		select {
		case <-r.stopped:
		case keys, ok := <-k.input:
			if !ok {
				r.end.Do(func() { close(r.ended) })
				return 0, k.err
			}
			k.pending = keys
		}
	}

	select {
	case <-r.stopped:
		r.end.Do(func() { close(r.ended) })
		return 0, io.EOF
	default:
	}

	n := copy(p, k.pending)
	k.pending = k.pending[n:]

	return n, nil
}
