package imports

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/submit"
)

const (
	// maxEntries is how many entries of a folder are read, and maxOffered how many files are
	// offered.
	maxEntries, maxOffered = 5000, 200
	// parentFolder is the name of the folder above.
	parentFolder = ".." + string(filepath.Separator)
)

// endings are how the names of the offered files end.
var endings = []string{".xlsx", ".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json"}

type (
	filesMsg struct{ names []string }
	// chosenMsg is a path that was chosen or typed.
	chosenMsg struct {
		path   string
		folder bool
		err    error
	}
)

// choose offers the files of the folder, the newest first, and its folders.
func (s *screen) choose() tea.Cmd {
	dir := s.dir
	return s.Do(func(context.Context) tea.Msg { return filesMsg{filesIn(dir)} })
}

// filesIn returns the names of the files and folders to offer. Those of folders end with a
// separator.
func filesIn(dir string) []string {
	names := []string{parentFolder}
	d, err := os.Open(dir)
	if err != nil {
		return names
	}

	defer d.Close()
	entries, _ := d.ReadDir(maxEntries)
	type file struct {
		name string
		info fs.FileInfo
	}
	var files []file
	var folders []string
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(dir, e.Name())) // follows links
		switch {
		case err != nil || strings.HasPrefix(e.Name(), "."):
		case info.IsDir():
			folders = append(folders, e.Name()+string(filepath.Separator))
		case info.Mode().IsRegular() && slices.Contains(endings, strings.ToLower(filepath.Ext(e.Name()))):
			files = append(files, file{e.Name(), info})
		}
	}

	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(b.info.ModTime().Compare(a.info.ModTime()), strings.Compare(a.name, b.name))
	})
	slices.Sort(folders)
	names = names[:0]
	for _, f := range files[:min(len(files), maxOffered)] {
		names = append(names, f.name)
	}

	return append(append(names, parentFolder), folders[:min(len(folders), maxOffered)]...)
}

// offer asks for one of the files, or a path.
func (s *screen) offer(m filesMsg) tea.Cmd {
	t := s.T
	return tui.Choose(
		tui.Choice{Text: t.Get("Which file in %s? Or type a path", filepath.Base(s.dir)), Options: m.names,
			OnChoice: func(i int) tea.Cmd { return s.look(m.names[i]) }, OnText: s.look},
	)
}

// look finds out what a path is.
func (s *screen) look(text string) tea.Cmd {
	path := strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		if home, err := os.UserHomeDir(); err == nil {
			path = home + rest
		}
	}

	if !filepath.IsAbs(path) {
		path = filepath.Join(s.dir, path)
	}

	path = filepath.Clean(path)

	return s.Do(func(context.Context) tea.Msg {
		info, err := os.Stat(path)
		if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			err = s.T.NewError("%s is not a file. Choose another one.", path)
		}
		return chosenMsg{path, err == nil && info.IsDir(), err}
	})
}

// chosen checks a chosen file, or offers the files of a chosen folder.
func (s *screen) chosen(m chosenMsg) tea.Cmd {
	switch {
	case m.err != nil:
		return tui.Fail(errors.New(fileError(s.T, m.path, m.err)))
	case m.folder:
		s.dir = m.path
		return s.choose()
	}

	s.path, s.dir, s.onlyNew = m.path, filepath.Dir(m.path), false
	s.other, s.columns, s.note = false, nil, ""

	return s.check()
}

// fileError says why a file cannot be read or checked.
func fileError(t *i18n.Translator, path string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t.Get("%s does not exist. Check the path.", path)
	case errors.Is(err, fs.ErrPermission):
		return t.Get("Cannot read %s. Check the file's permissions.", path)
	}

	return submit.UserMessage(t, err)
}
