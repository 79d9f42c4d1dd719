package testenv

import (
	"bytes"
	"sync"
)

// An Output keeps what a program or a logger writes. It can be read meanwhile.
type Output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// Take returns what was written, and forgets it.
func (o *Output) Take() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := o.text.String()
	o.text.Reset()
	return text
}
