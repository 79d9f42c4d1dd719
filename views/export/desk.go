package export

import (
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

// lookEvery is how often the progress of a file is painted anew.
const lookEvery = 200 * time.Millisecond

// What is what a screen gives away: its name, of which the file's is made, and
// its rows.
type What struct {
	Name   string // "movements"
	Source Source
}

// A Desk is the part of a screen that writes its rows into a file. Take must see
// every message of the screen.
type Desk struct {
	env    tui.Env
	site   *dock.Site
	job    *Job // nil while nothing is written
	cancel context.CancelFunc
	runs   bool // else it stands, to be gone on with
}

type (
	doneMsg struct {
		job *Job
		err error
	}
	lookMsg struct{ job *Job }
)

// Open makes the desk of a screen.
func (d *Desk) Open(env tui.Env, site *dock.Site) { d.env, d.site = env, site }

// Actions are what can be done with the file now; what is asked when one is begun.
func (d *Desk) Actions(disabled func() string, what func() What) []tui.Action {
	act := func(id, key, label, help string, run func() tea.Cmd) tui.Action {
		return tui.Action{ID: "export." + id, Keys: []string{key}, Label: label, Help: help, Run: run}
	}
	switch {
	case d.job != nil && d.runs:
		return []tui.Action{act("stop", "esc", saidStopWriting, helpStop, d.stop)}
	case d.job != nil:
		return []tui.Action{act("goon", "f10", saidGoOnWriting, helpGoOn, d.run), act("drop", "esc", saidGiveUp, helpDrop, d.drop)}
	}
	a := act("begin", "f10", "export", helpExport, func() tea.Cmd { return d.format(what()) })
	a.Disabled = func() string {
		switch {
		case d.site.Exports() == "":
			return noFiles
		case disabled != nil:
			return disabled()
		}
		return ""
	}
	return []tui.Action{a}
}

// Under tells whether a file is begun and not finished.
func (d *Desk) Under() bool { return d.job != nil }

// CanLeave tells whether the screen can be left without losing a file.
func (d *Desk) CanLeave() (bool, string) { return d.job == nil, leavingWords }

// Status is how far the file is, "" while there is none.
func (d *Desk) Status(t theme.Theme, width int) string {
	if d.job == nil {
		return ""
	}
	rows, under, stands := widget.Count(d.job.Rows()), writingWords, haltedWords
	if width < 60 {
		under, stands = writingShort, haltedShort
	}
	if d.runs {
		return t.Unconfirmed(widget.Clip(fmt.Sprintf(under, rows), width-2))
	}
	return t.Refused(widget.Clip(fmt.Sprintf(stands, rows), width-2))
}

// format asks how to write, and then where.
func (d *Desk) format(w What) tea.Cmd {
	options := make([]string, len(Formats))
	for i, f := range Formats {
		options[i] = titles[f]
	}
	return tui.Choose(tui.Choice{Text: fmt.Sprintf(askFormat, w.Name), Options: options,
		OnChoice: func(i int) tea.Cmd { return d.path(w, Formats[i]) }})
}

func (d *Desk) path(w What, f Format) tea.Cmd {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>| `, r) || r < ' ' {
			return '-'
		}
		return r
	}, w.Name)
	name += d.env.Now().Format("-20060102-150405") + f.Extension()
	return tui.Prompt(tui.Request{Text: askPath, Value: filepath.Join(d.site.Exports(), name), Check: sound,
		OnText: func(path string) tea.Cmd { return d.begin(whole(path), f, w.Source) }})
}

// whole is a path as it was typed, with the home folder for "~".
func whole(path string) string {
	path = strings.TrimSpace(path)
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return path
}

// sound refuses a path at which nothing can be written, or something stands.
func sound(path string) error {
	path = whole(path)
	if path == "" {
		return errors.New(noName)
	}
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf(thereAlready, path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf(noFolder, filepath.Dir(path))
	}
	return nil
}

// begin opens the file and writes.
func (d *Desk) begin(path string, f Format, s Source) tea.Cmd {
	job, err := NewJob(path, f, s)
	if err != nil {
		return tui.Fail(err)
	}
	context.AfterFunc(d.env.Context(), job.Drop)
	d.job = job
	return d.run()
}

// run writes, beside the screen's turn and as long as it takes.
func (d *Desk) run() tea.Cmd {
	job := d.job
	ctx, cancel := context.WithCancel(d.env.Context())
	d.cancel, d.runs = cancel, true
	return tea.Batch(d.look(), d.env.Watch(func(context.Context) tea.Msg {
		defer cancel()
		return doneMsg{job, job.Run(ctx)}
	}))
}

func (d *Desk) look() tea.Cmd {
	job := d.job
	return d.env.After(lookEvery, func(time.Time) tea.Msg { return lookMsg{job} })
}

func (d *Desk) stop() tea.Cmd {
	d.cancel() // what was written is dropped when it has ended
	return nil
}

func (d *Desk) drop() tea.Cmd {
	d.job.Drop()
	d.job = nil
	return tui.Warn(givenWords)
}

// Take handles a message and reports whether it was the desk's.
func (d *Desk) Take(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case lookMsg:
		if msg.job == d.job && d.runs {
			return d.look(), true
		}
		return nil, true
	case doneMsg:
		if msg.job != d.job {
			return nil, true
		}
		return d.done(msg.err), true
	}
	return nil, false
}

// done tells what became of the file.
func (d *Desk) done(err error) tea.Cmd {
	job := d.job
	d.runs = false
	switch {
	case errors.Is(err, context.Canceled):
		job.Drop()
		d.job = nil
		return tui.Warn(stoppedWords)
	case err != nil:
		goOn := tui.Action{ID: "export.goon", Keys: []string{"f10"}, Label: saidGoOnWriting, Run: d.run}
		return tui.Fail(fmt.Errorf(failedWords, dock.Words(err), widget.Count(job.Rows())), goOn)
	}
	d.job = nil
	rows := oneRow
	if n := job.Rows(); n != 1 {
		rows = fmt.Sprintf(rowsWords, widget.Count(n))
	}
	path := job.Name()
	return tea.Batch(tui.Accepted(), tui.Confirm(tui.Question{Text: fmt.Sprintf(writtenWords, rows, path), Yes: saidCopyThePath, No: "close",
		OnYes: func() tea.Cmd { return tui.Copy(path) }}))
}
