package drafts

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lockFile is locked in the folder of a running terminal.
const lockFile = ".lock"

// Claim returns a folder for the drafts of one terminal, until release is called or the
// process ends: dir, or dir-2, dir-3 and so on while other terminals use those before.
// Two terminals with the same drafts would book the same count twice. The drafts that
// other terminals left move to the claimed folder; if that fails, the error says why.
func Claim(dir string) (claimed string, release func(), err error) {
	for n := 1; ; n++ {
		claimed = numbered(dir, n)
		lock, err := tryLock(claimed)
		if err != nil {
			return "", nil, err
		}
		if lock == nil {
			continue
		}

		return claimed, func() { _ = lock.Unlock() }, adopt(dir, n)
	}
}

func numbered(dir string, n int) string {
	if n == 1 {
		return dir
	}
	return fmt.Sprintf("%s-%d", dir, n)
}

// tryLock locks a folder, and creates it if it is missing. It returns nil if another
// terminal has it locked.
func tryLock(dir string) (*flock.Flock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}

	lock := flock.New(filepath.Join(dir, lockFile), flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	if err != nil || !locked {
		return nil, err
	}

	return lock, nil
}

// adopt moves the drafts of the folders that no terminal uses to folder own.
func adopt(dir string, own int) error {
	for n := 1; ; n++ {
		from := numbered(dir, n)
		if _, err := os.Stat(from); err != nil {
			return nil
		}
		if n == own {
			continue
		}

		lock, err := tryLock(from)
		if err != nil {
			return err
		}
		if lock == nil {
			continue
		}

		err = moveDrafts(from, numbered(dir, own))
		if unlocked := lock.Unlock(); err == nil {
			err = unlocked
		}
		if err != nil {
			return err
		}
	}
}

// moveDrafts moves drafts to another folder, except those of routes that have one there.
func moveDrafts(from, to string) error {
	names, err := filepath.Glob(filepath.Join(from, "*.draft"))
	if err != nil {
		return err
	}

	for _, name := range names {
		target := filepath.Join(to, filepath.Base(name))
		if _, err := os.Lstat(target); err == nil {
			continue
		}
		if err := os.Rename(name, target); err != nil {
			return err
		}
	}

	return nil
}
