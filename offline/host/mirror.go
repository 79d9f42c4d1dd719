package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/server/api"
)

// mirrorFile holds the path of the directory with the journal's second copy, so that every
// program which opens the node writes it.
const mirrorFile = "mirror"

// NoMirror is the Mirror of a Config that ends the second copy.
const NoMirror = "none"

// mirrorFolder returns the folder of the journal's second copy, nil for none.
func mirrorFolder(dir, mirror string) (journal.Folder, error) {
	name := filepath.Join(dir, mirrorFile)
	saved, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}

	before := strings.TrimSpace(string(saved))
	switch mirror {
	case "":
		if before == "" {
			return nil, nil
		}
		return journal.Dir(before), nil
	case NoMirror:
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		return nil, nil
	}

	path, err := filepath.Abs(mirror)
	if err != nil {
		return nil, err
	}
	if path == before {
		return journal.Dir(path), nil
	}
	if err := checkMirror(dir, path); err != nil {
		return nil, err
	}

	return journal.Dir(path), journal.ReplaceFile(journal.Dir(dir), mirrorFile, []byte(path+"\n"))
}

// checkMirror returns an error unless a directory can hold the second copy of the journal
// in dir.
func checkMirror(dir, mirror string) error {
	there, err := os.Stat(mirror)
	if err != nil {
		return fmt.Errorf("cannot use the mirror: %w. Create the directory on another disk first", err)
	}

	here, err := os.Stat(dir)
	if err == nil && os.SameFile(here, there) || !there.IsDir() {
		return errors.New(api.Textf("the mirror %s must be another directory than the data, on another disk", mirror))
	}

	return err
}

// mirrorAdvice adds what to do to the error of a journal that lacks what its mirror has.
func mirrorAdvice(err error, dir string, folder journal.Folder) error {
	if !errors.As(err, new(*journal.BehindError)) {
		return err
	}

	return fmt.Errorf(
		"%w. Nothing was started, so that no work is lost. Restore it with: bincard edge restore-journal --data %s --mirror %v",
		err,
		dir,
		folder,
	)
}

// RestoreJournal replaces the journal of a node by its mirror, and returns the number of
// records. No process may have the node open.
func RestoreJournal(dir, mirror string) (records int, err error) {
	if err := checkMirror(dir, mirror); err != nil {
		return 0, err
	}
	if !HasJournal(mirror) {
		return 0, errors.New(api.Textf("there is no journal in %s: specify the --mirror directory of the edge", mirror))
	}

	release, err := Lock(dir)
	if err != nil {
		return 0, err
	}

	found, err := journal.Restore(journal.Dir(dir), offline.JournalName, outbox.JournalMirror(journal.Dir(mirror)))
	if err = errors.Join(err, release()); err != nil {
		return 0, err
	}

	return len(found.Records), nil
}
