//go:build unix

package pgtest

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// credential returns another user if this process runs as root, because PostgreSQL refuses
// to.
func credential() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}

	nobody, err := user.Lookup("nobody")
	if err != nil {
		return nil
	}

	uid, _ := strconv.ParseUint(nobody.Uid, 10, 32)
	gid, _ := strconv.ParseUint(nobody.Gid, 10, 32)

	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// giveUpRoot lets the user that PostgreSQL runs as write to a directory.
func giveUpRoot(dir string) error {
	c := credential()
	if c == nil {
		return nil
	}
	return os.Chown(dir, int(c.Uid), int(c.Gid))
}

// runAsUser lets a command run as that user.
func runAsUser(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: credential()}
}

// interrupt stops a server at once, without a checkpoint.
func interrupt(p *os.Process) error { return p.Signal(syscall.SIGQUIT) }
