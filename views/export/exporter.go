package export

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// progressInterval is how often the progress is redrawn.
const progressInterval = 200 * time.Millisecond

// Content is what a screen exports.
type Content struct {
	Name   string // part of the file name: "movements"
	Title  string // what the operator reads; Name if empty
	Source Source
}

// An Exporter is the part of a screen that exports its rows to a file. Update must
// receive every message of the screen.
type Exporter struct {
	tui.Env
	site    *session.Site
	export  *FileExport // nil if no export is in progress
	cancel  context.CancelFunc
	running bool // false if the export stopped and can be resumed
}

type (
	doneMsg struct {
		export *FileExport
		err    error
	}
	progressMsg struct{ export *FileExport }
)

// Init prepares the exporter of a screen.
func (e *Exporter) Init(env tui.Env, site *session.Site) { e.Env, e.site = env, site }

// Actions returns the export actions for the current state. It calls what when an
// export starts.
func (e *Exporter) Actions(disabled func() string, content func() Content) []tui.Action {
	t := e.T

	act := func(id, key, label, help string, run func() tea.Cmd) tui.Action {
		return tui.Action{ID: "export." + id, Key: key, Label: label, Help: help, Run: run}
	}
	switch {
	case e.export != nil && e.running:
		return []tui.Action{
			act("stop", "esc", t.Get("stop export"), t.Get("Stop the export. No file is written."), e.stop),
		}
	case e.export != nil:
		return []tui.Action{
			act("goon", "f10", t.Get("resume export"), t.Get("Resume the export where it stopped"), e.run),
			act("drop", "esc", t.Get("discard"), t.Get("Discard the unfinished file"), e.discard),
		}
	}

	a := act("export", "f10", t.Get("export"), t.Get("Export all matching rows to Excel, CSV or JSON lines"),
		func() tea.Cmd { return e.chooseFormat(content()) })
	a.Disabled = func() string {
		switch {
		case e.site.Exports() == "":
			return t.Get("This terminal cannot write files. Use 'bincard export'.")
		case disabled != nil:
			return disabled()
		}

		return ""
	}

	a.Short = t.GetC("export", "short")

	return []tui.Action{a}
}

// Active reports whether an export is running or can be resumed.
func (e *Exporter) Active() bool { return e.export != nil }

// CanLeave reports whether the screen can be left without losing an export.
func (e *Exporter) CanLeave() (bool, string) {
	return e.export == nil, e.T.Get("An export is in progress. Esc stops it.")
}

// Status returns the progress line, or "" if there is no export.
func (e *Exporter) Status(t widget.Theme, width int) string {
	if e.export == nil {
		return ""
	}

	rows := e.T.Count(e.export.Rows())
	running := e.T.Get("writing… %s rows   esc stops", rows)
	stopped := e.T.Get("The export stopped at %s rows. F10 resumes, esc discards it.", rows)
	if width < 60 {
		running, stopped = e.T.Get("… %s rows", rows), e.T.Get("F10 resumes (%s)", rows)
	}
	if e.running {
		return t.Unconfirmed(widget.Clip(running, width-2))
	}

	return t.Refused(widget.Clip(stopped, width-2))
}

// chooseFormat asks for the format, then for the path.
func (e *Exporter) chooseFormat(w Content) tea.Cmd {
	options := make([]string, len(Formats))
	for i, f := range Formats {
		options[i] = e.T.Get(formatNames[f])
	}
	return tui.Choose(tui.Choice{Text: e.T.Get("Export %s as", cmp.Or(w.Title, w.Name)), Options: options,
		OnChoice: func(i int) tea.Cmd { return e.askPath(w, Formats[i]) }})
}

func (e *Exporter) askPath(w Content, f Format) tea.Cmd {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>| `, r) || r < ' ' {
			return '-'
		}
		return r
	}, w.Name)

	name += e.Now().Format("-20060102-150405") + f.Extension()

	return tui.Prompt(tui.Request{
		Text:   e.T.Get("Export to which file?"),
		Value:  filepath.Join(e.site.Exports(), name),
		Check:  checkPath(e.T),
		OnText: func(path string) tea.Cmd { return e.start(expandPath(path), f, w.Source) },
	})
}

// expandPath trims path and replaces a leading "~" by the home directory.
func expandPath(path string) string {
	path = strings.TrimSpace(path)
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}

	return path
}

// checkPath rejects a path that exists or whose folder does not exist.
func checkPath(t *i18n.Translator) func(path string) error {
	return func(path string) error {
		path = expandPath(path)
		if path == "" {
			return t.NewError("enter a file name")
		}
		if _, err := os.Stat(path); err == nil {
			return t.NewError("%s already exists: choose another name", path)
		}
		if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
			return t.NewError("folder %s does not exist", filepath.Dir(path))
		}

		return nil
	}
}

// start creates the file and starts writing.
func (e *Exporter) start(path string, f Format, s Source) tea.Cmd {
	file, err := NewFileExport(e.T, path, f, s)
	if err != nil {
		return tui.Fail(err)
	}
	context.AfterFunc(e.Context(), file.Discard)
	e.export = file
	return e.run()
}

// run writes in the background until the export ends.
func (e *Exporter) run() tea.Cmd {
	file := e.export
	ctx, cancel := context.WithCancel(e.Context())
	e.cancel, e.running = cancel, true
	return tea.Batch(e.pollProgress(), e.Watch(func(context.Context) tea.Msg {
		defer cancel()
		return doneMsg{file, file.Run(ctx)}
	}))
}

func (e *Exporter) pollProgress() tea.Cmd {
	file := e.export
	return e.After(progressInterval, func(time.Time) tea.Msg { return progressMsg{file} })
}

func (e *Exporter) stop() tea.Cmd {
	e.cancel() // finished discards the file once the export has ended
	return nil
}

func (e *Exporter) discard() tea.Cmd {
	e.export.Discard()
	e.export = nil
	return tui.Warn(e.T.Get("Discarded. No file was written."))
}

// Update handles a message and reports whether it was for the exporter.
func (e *Exporter) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case progressMsg:
		if msg.export == e.export && e.running {
			return e.pollProgress(), true
		}
		return nil, true
	case doneMsg:
		if msg.export != e.export {
			return nil, true
		}
		return e.finished(msg.err), true
	}

	return nil, false
}

// finished reports the result of the export.
func (e *Exporter) finished(err error) tea.Cmd {
	t := e.T

	file := e.export
	e.running = false
	switch {
	case errors.Is(err, context.Canceled):
		file.Discard()
		e.export = nil
		return tui.Warn(t.Get("Stopped. No file was written."))
	case err != nil:
		resume := tui.Action{ID: "export.goon", Key: "f10", Label: t.Get("resume export"), Run: e.run}
		return tui.Fail(
			t.NewError("%s The export stopped at %s rows. F10 resumes, esc discards it.", submit.UserMessage(t, err),
				t.Count(file.Rows())),
			resume,
		)
	}

	e.export = nil
	rows := t.GetN(int(file.Rows()), "%s row", "%s rows")

	path := file.Name()

	return tui.Accept(tui.Confirm(tui.Question{
		Text:  t.Get("Wrote %s to %s", rows, path),
		Yes:   t.Get("copy the path"),
		No:    t.GetC("close", "verb"),
		OnYes: func() tea.Cmd { return tui.Copy(path) },
	}))
}

// formatNames are the names of the formats.
var formatNames = i18n.Texts[Format]{
	CSV:       "CSV",
	Excel:     "Excel",
	JSONLines: "JSON, one object per line",
}
