package printing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockWait is how long lockFile waits for another program.
const lockWait = 5 * time.Second

// lockFile locks a file, which it creates with its folder.
func lockFile(ctx context.Context, name string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}

	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock := newFileLock(name)
	locked := make(chan error, 1)
	go func() { locked <- lock.Lock() }() // Lock waits in line; beside many others, TryLock may never succeed

	select {
	case err := <-locked:
		if err != nil {
			return nil, err
		}
		return func() { _ = lock.Unlock() }, nil

	case <-ctx.Done():
		go func() {
			if err := <-locked; err == nil {
				_ = lock.Unlock()
			}
		}()

		return nil, fmt.Errorf("%s is in use: %w", name, ctx.Err())
	}
}

// tryLockFile is lockFile without waiting. unlock is nil if another one has the lock.
func tryLockFile(name string) (unlock func(), err error) {
	lock := newFileLock(name)
	if ok, err := lock.TryLock(); err != nil || !ok {
		return nil, err
	}
	return func() { _ = lock.Unlock() }, nil
}

func newFileLock(name string) *flock.Flock { return flock.New(name, flock.SetPermissions(0o600)) }

// replaceFile replaces a file and returns when it is on disk. The caller has its lock: a program
// that was killed leaves its new file, with a tilde after the name, for the next one.
func replaceFile(name string, data []byte) error {
	f, err := os.OpenFile(name+"~", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}

	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return err
	}
	if folder, err := os.Open(filepath.Dir(name)); err == nil {
		defer folder.Close()
		_ = folder.Sync() // some systems cannot flush directories
	}

	return nil
}
