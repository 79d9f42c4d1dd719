package shell

import (
	"github.com/atotto/clipboard"
	"github.com/aymanbagabas/go-osc52/v2"
)

// CopyToClipboard copies text to the clipboard of this machine. If the machine has none, it
// returns the sequence of RemoteCopySequence, to be written to the terminal once.
func CopyToClipboard(text string) (sequence string, err error) {
	if !clipboard.Unsupported && clipboard.WriteAll(text) == nil {
		return "", nil
	}
	return RemoteCopySequence(text)
}

// RemoteCopySequence returns the sequence (OSC 52) that asks the terminal to copy text.
func RemoteCopySequence(text string) (sequence string, err error) {
	return osc52.New(text).String(), nil
}
