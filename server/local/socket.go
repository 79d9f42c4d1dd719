package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// socketFile is the socket in a data directory. If the socket cannot be there,
// it is a file with the socket's path.
const socketFile = "ledger.sock"

// maxSocketPath is the maximum length of a socket path that every system
// supports, in bytes.
const maxSocketPath = 100

// ErrNotRunning means that no process answers for the directory.
var ErrNotRunning = errors.New("no process answers for this data directory")

// Listen opens the socket of a directory that this process has open, and
// removes a stale one. Close removes the socket.
func Listen(dir string) (net.Listener, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}

	name := filepath.Join(dir, socketFile)
	removeStale(name)
	path, tempDir := name, ""
	if len(name) > maxSocketPath || !isPrivate(dir) {
		if tempDir, err = shortTempDir(); err != nil {
			return nil, fmt.Errorf("cannot find a directory for the socket: %w", err)
		}
		path = filepath.Join(tempDir, socketFile)
	}

	ln, err := net.Listen("unix", path)
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err == nil && tempDir != "" {
		err = os.WriteFile(name, []byte(path+"\n"), 0o600)
	}

	if err != nil {
		if ln != nil {
			_ = ln.Close()
		}
		removeStale(name)
		_ = os.Remove(tempDir)
		return nil, fmt.Errorf("cannot listen on %s: %w", path, err)
	}

	return &listener{Listener: ln, name: name}, nil
}

// isPrivate reports whether nobody else can access a directory. On Windows the
// permissions are inherited.
func isPrivate(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && (runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0)
}

// shortTempDir creates a private directory with a short path.
func shortTempDir() (dir string, err error) {
	for _, parent := range []string{os.Getenv("XDG_RUNTIME_DIR"), os.TempDir(), "/tmp"} {
		if parent == "" || len(parent) > maxSocketPath-len(socketFile)-24 {
			continue
		}
		if dir, err = os.MkdirTemp(parent, "bincard-"); err == nil {
			return dir, nil
		}
	}

	return "", errors.Join(errors.New("the paths of all temporary directories are too long"), err)
}

// removeStale removes the socket of a process that has ended, wherever it is.
func removeStale(name string) {
	if path, moved := redirectTarget(name); moved {
		if info, err := os.Lstat(path); err == nil && info.Mode().Type() == fs.ModeSocket {
			_ = os.Remove(path)
			_ = os.Remove(filepath.Dir(path)) // its temporary directory
		}
	}

	_ = os.Remove(name)
}

// redirectTarget returns the path of the socket in a file.
func redirectTarget(name string) (path string, moved bool) {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	text, err := os.ReadFile(name)
	path = strings.TrimSpace(string(text))
	return path, err == nil && filepath.IsAbs(path) && filepath.Base(path) == socketFile
}

// A listener removes its files when it closes.
type listener struct {
	net.Listener
	name string
	once sync.Once
}

func (l *listener) Close() error {
	err := l.Listener.Close() // removes the socket
	l.once.Do(func() {
		if path, moved := redirectTarget(l.name); moved {
			_ = os.Remove(path)
			_ = os.Remove(filepath.Dir(path))
		}
		_ = os.Remove(l.name)
	})

	return err
}

// Connect connects to the process that has a directory open. The error is
// ErrNotRunning if no process has it open.
func Connect(ctx context.Context, dir string) (net.Conn, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}

	path := filepath.Join(dir, socketFile)
	if to, moved := redirectTarget(path); moved {
		path = to
	}

	c, err := new(net.Dialer).DialContext(ctx, "unix", path)
	switch {
	case err == nil || ctx.Err() != nil:
		return c, err
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("the socket %s belongs to another user: %w", path, err)
	}

	return nil, fmt.Errorf("%w (%w)", ErrNotRunning, err)
}
