package export

import (
	"bincard/tui/i18n"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// progressInterval is how often the progress is redrawn.
const progressInterval = 200 * time.Millisecond

// Content is what a screen exports.
type Content struct {
	Name   string // part of the file name: "movements"
	Source Source
}

// An Exporter is the part of a screen that exports its rows to a file. Update must
// receive every message of the screen.
type Exporter struct {
	env     tui.Env
	site    *dock.Site
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
func (d *Exporter) Init(env tui.Env, site *dock.Site) { d.env, d.site = env, site }

// Actions returns the export actions for the current state. It calls what when an
// export starts.
func (d *Exporter) Actions(disabled func() string, what func() Content) []tui.Action {
	t := d.env.T

	act := func(id, key, label, help string, run func() tea.Cmd) tui.Action {
		return tui.Action{ID: "export." + id, Keys: []string{key}, Label: label, Help: help, Run: run}
	}
	switch {
	case d.export != nil && d.running:
		return []tui.Action{act("stop", "esc", t.Get("stop export"), t.Get("Stop the export. No file is written"), d.stop)}
	case d.export != nil:
		return []tui.Action{act("goon", "f10", t.Get("resume export"), t.Get("Resume the export where it stopped"), d.run), act("drop", "esc", t.Get("discard"), t.Get("Discard the unfinished file"), d.discard)}
	}
	a := act("begin", "f10", t.Get("export"), t.Get("Export all matching rows as CSV, CSV for Excel or JSON lines"), func() tea.Cmd { return d.chooseFormat(what()) })
	a.Disabled = func() string {
		switch {
		case d.site.Exports() == "":
			return t.Get(`This terminal cannot write files. Use "bincard export"`)
		case disabled != nil:
			return disabled()
		}
		return ""
	}
	return []tui.Action{a}
}

// Active reports whether an export is running or can be resumed.
func (d *Exporter) Active() bool { return d.export != nil }

// CanLeave reports whether the screen can be left without losing an export.
func (d *Exporter) CanLeave() (bool, string) {
	return d.export == nil, d.env.T.Get("An export is in progress. Esc stops it.")
}

// Status returns the progress line, or "" if there is no export.
func (d *Exporter) Status(t theme.Theme, width int) string {
	if d.export == nil {
		return ""
	}
	rows, under, stands := d.env.T.Count(d.export.Rows()), d.env.T.Get("writing … %s rows   esc stops"), d.env.T.Get("The export stopped at %s rows. F10 resumes, esc discards it")
	if width < 60 {
		under, stands = d.env.T.Get("… %s rows"), d.env.T.Get("F10 resumes (%s)")
	}
	if d.running {
		return t.Unconfirmed(widget.Clip(fmt.Sprintf(under, rows), width-2))
	}
	return t.Refused(widget.Clip(fmt.Sprintf(stands, rows), width-2))
}

// chooseFormat asks for the format, then for the path.
func (d *Exporter) chooseFormat(w Content) tea.Cmd {
	options := make([]string, len(Formats))
	for i, f := range Formats {
		options[i] = d.env.T.Get(titles[f])
	}
	return tui.Choose(tui.Choice{Text: d.env.T.Get("Export %s as", w.Name), Options: options,
		OnChoice: func(i int) tea.Cmd { return d.askPath(w, Formats[i]) }})
}

func (d *Exporter) askPath(w Content, f Format) tea.Cmd {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>| `, r) || r < ' ' {
			return '-'
		}
		return r
	}, w.Name)
	name += d.env.Now().Format("-20060102-150405") + f.Extension()
	return tui.Prompt(tui.Request{Text: d.env.T.Get("Export to which file?"), Value: filepath.Join(d.site.Exports(), name), Check: checkPath(d.env.T),
		OnText: func(path string) tea.Cmd { return d.start(expandPath(path), f, w.Source) }})
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
			return errors.New(t.Get("enter a file name"))
		}
		if _, err := os.Stat(path); err == nil {
			return errors.New(t.Get("%s already exists: choose another name", path))
		}
		if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
			return errors.New(t.Get("folder %s does not exist", filepath.Dir(path)))
		}
		return nil
	}
}

// start creates the file and starts writing.
func (d *Exporter) start(path string, f Format, s Source) tea.Cmd {
	job, err := NewFileExport(d.env.T, path, f, s)
	if err != nil {
		return tui.Fail(err)
	}
	context.AfterFunc(d.env.Context(), job.Discard)
	d.export = job
	return d.run()
}

// run writes in the background until the export ends.
func (d *Exporter) run() tea.Cmd {
	job := d.export
	ctx, cancel := context.WithCancel(d.env.Context())
	d.cancel, d.running = cancel, true
	return tea.Batch(d.pollProgress(), d.env.Watch(func(context.Context) tea.Msg {
		defer cancel()
		return doneMsg{job, job.Run(ctx)}
	}))
}

func (d *Exporter) pollProgress() tea.Cmd {
	job := d.export
	return d.env.After(progressInterval, func(time.Time) tea.Msg { return progressMsg{job} })
}

func (d *Exporter) stop() tea.Cmd {
	d.cancel() // finished discards the file once the export has ended
	return nil
}

func (d *Exporter) discard() tea.Cmd {
	d.export.Discard()
	d.export = nil
	return tui.Warn(d.env.T.Get("Discarded. No file was written"))
}

// Update handles a message and reports whether it was for the exporter.
func (d *Exporter) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case progressMsg:
		if msg.export == d.export && d.running {
			return d.pollProgress(), true
		}
		return nil, true
	case doneMsg:
		if msg.export != d.export {
			return nil, true
		}
		return d.finished(msg.err), true
	}
	return nil, false
}

// finished reports the result of the export.
func (d *Exporter) finished(err error) tea.Cmd {
	t := d.env.T

	job := d.export
	d.running = false
	switch {
	case errors.Is(err, context.Canceled):
		job.Discard()
		d.export = nil
		return tui.Warn(t.Get("Stopped. No file was written"))
	case err != nil:
		goOn := tui.Action{ID: "export.goon", Keys: []string{"f10"}, Label: t.Get("resume export"), Run: d.run}
		return tui.Fail(errors.New(t.Get("%s The export stopped at %s rows. F10 resumes, esc discards it.", dock.UserMessage(t, err), t.Count(job.Rows()))), goOn)
	}
	d.export = nil
	rows := t.Get("1 row")
	if n := job.Rows(); n != 1 {
		rows = t.Get("%s rows", t.Count(n))
	}
	path := job.Name()
	return tea.Batch(tui.Accepted(), tui.Confirm(tui.Question{Text: t.Get("Wrote %s to %s", rows, path), Yes: t.Get("copy the path"), No: "close",
		OnYes: func() tea.Cmd { return tui.Copy(path) }}))
}

// titles are the names of the formats.
var titles = map[Format]string{
	CSV:       i18n.Text("CSV"),
	Excel:     i18n.Text("CSV for Excel"),
	JSONLines: i18n.Text("JSON, one object per line"),
}
