// Package clip puts text on the clipboard of the one who sits at the terminal:
// the machine's own where there is one, else by asking the terminal (OSC 52).
package clip

import (
	"github.com/atotto/clipboard"
	"github.com/aymanbagabas/go-osc52/v2"
)

// Local copies on this machine. Where it has no clipboard it returns the
// sequence that asks the terminal, to be written once.
func Local(text string) (sequence string, err error) {
	if !clipboard.Unsupported && clipboard.WriteAll(text) == nil {
		return "", nil
	}
	return Remote(text)
}

// Remote returns the sequence that asks the terminal, for sessions over a network.
func Remote(text string) (sequence string, err error) {
	return osc52.New(text).String(), nil
}
