// Package clip copies text to the operator's clipboard: Local for a terminal on this
// machine, Remote for a terminal at the other end of a network.
package clip

import (
	"github.com/atotto/clipboard"
	"github.com/aymanbagabas/go-osc52/v2"
)

// Local copies text to the clipboard of this machine. If the machine has none, Local
// returns the sequence of Remote, to be written to the terminal once.
func Local(text string) (sequence string, err error) {
	if !clipboard.Unsupported && clipboard.WriteAll(text) == nil {
		return "", nil
	}
	return Remote(text)
}

// Remote returns the sequence (OSC 52) that asks the terminal to copy text.
func Remote(text string) (sequence string, err error) {
	return osc52.New(text).String(), nil
}
