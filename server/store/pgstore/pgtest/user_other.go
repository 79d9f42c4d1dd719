//go:build !unix

package pgtest

import (
	"os"
	"os/exec"
)

func giveUpRoot(string) error { return nil }

func runAsUser(*exec.Cmd) {}

// interrupt stops a server at once, without a checkpoint.
func interrupt(p *os.Process) error { return p.Kill() }
