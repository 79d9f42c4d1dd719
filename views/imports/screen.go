package imports

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/views/session"
	"bincard/views/submit"
)

// progressInterval is how often the progress is painted.
const progressInterval = 250 * time.Millisecond

// A stage is how far an import is.
type stage int

const (
	choosing stage = iota
	checking
	checked
	importing
	imported
	stopped
)

// screen imports one file after the other.
type screen struct {
	tui.Env
	site *session.Site
	kind *kind

	dir     string // where files are chosen
	path    string // the chosen file
	onlyNew bool
	encoded bool              // the file is not UTF-8
	other   bool              // it is read as Windows-1252
	columns map[string]string // what its columns are, if that was set here
	note    string            // about saving this
	stage   stage
	plan    *session.ImportPlan // after checking
	errText string              // why the file cannot be checked, or why the import stopped
	done    int                 // operations done by an import that stopped
	offline bool                // the service could not be reached when the import ended
	scroll  int                 // the first line of the report that is shown
	page    int                 // how many of its lines are shown
	cancel  context.CancelFunc  // ends the check or the import
	step    *progress
}

// A progress is how far a check or an import is.
type progress struct{ done, total atomic.Int64 }

func (p *progress) set(done, total int) {
	p.done.Store(int64(done))
	p.total.Store(int64(total))
}

type (
	checkedMsg struct {
		plan *session.ImportPlan
		err  error
	}
	importedMsg struct {
		done int
		err  error
		note string
	}
	tickMsg struct {
		of    *progress
		stage stage
	}
)

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.Env = env
	if dir, err := os.Getwd(); err == nil {
		s.dir = dir
	}
	return s.choose()
}

func (s *screen) Title() string {
	title := s.T.Get(s.kind.title)
	if s.path != "" {
		title += " › " + s.name()
	}
	return title
}

func (s *screen) ShortTitle() string { return s.T.Get(s.kind.title) }

// name returns the name of the chosen file.
func (s *screen) name() string { return filepath.Base(s.path) }

func (s *screen) Busy() bool { return s.stage == importing }

func (s *screen) CanLeave() (ok bool, reason string) {
	if s.stage == importing {
		return false, s.T.Get("The import is not finished. Press F5 to stop it.")
	}
	return true, ""
}

// begin starts a check or an import, and shows its progress. It uses Env.Watch because an
// import may take hours, and the shell reports the work of Env.Do as late.
func (s *screen) begin(next stage, work func(context.Context) tea.Msg) tea.Cmd {
	s.stage, s.errText, s.scroll = next, "", 0
	ended, cancel := context.WithCancel(s.Context())
	s.cancel = cancel

	return tea.Batch(s.tick(), s.Watch(func(ctx context.Context) tea.Msg {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(ended, stop)()
		return work(ctx)
	}))
}

func (s *screen) tick() tea.Cmd {
	next := tickMsg{s.step, s.stage}
	return s.After(progressInterval, func(time.Time) tea.Msg { return next })
}

// check checks the chosen file.
func (s *screen) check() tea.Cmd {
	step := &progress{}
	s.plan, s.step = nil, step
	file := session.ImportFile{
		Kind:        s.kind.name,
		Path:        s.path,
		OnlyNew:     s.onlyNew,
		Windows1252: s.other,
		Columns:     s.columns,
		Progress:    step.set,
	}

	return s.begin(checking, func(ctx context.Context) tea.Msg {
		plan, err := s.site.CheckFile(ctx, file)
		return checkedMsg{plan, err}
	})
}

// apply imports the checked file.
func (s *screen) apply() tea.Cmd {
	t, plan, approvedBy, save := s.T, s.plan, s.ApprovedBy(), s.columns != nil
	s.step.set(0, plan.Steps)
	return s.begin(importing, func(ctx context.Context) tea.Msg {
		done, err := s.site.ApplyImport(ctx, plan, approvedBy)
		if err != nil || !save {
			return importedMsg{done: done, err: err}
		}
		return importedMsg{done: done, note: saveColumns(t, plan)}
	})
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case filesMsg:
		return s, s.offer(msg)
	case chosenMsg:
		return s, s.chosen(msg)
	case checkedMsg:
		s.cancel()
		if s.stage = checked; msg.err != nil {
			s.encoded = errors.As(msg.err, new(*session.EncodingError))
			s.errText = cmp.Or(s.stoppedText(msg.err), fileError(s.T, s.path, msg.err))
		}
		s.plan = msg.plan

	case importedMsg:
		s.cancel()
		s.stage, s.done, s.offline = imported, msg.done, s.isOffline()
		s.note = msg.note
		if msg.err != nil {
			s.stage, s.errText = stopped, cmp.Or(s.stoppedText(msg.err), submit.UserMessage(s.T, msg.err))
		}

	case tickMsg:
		if msg.of == s.step && msg.stage == s.stage && (s.stage == checking || s.stage == importing) {
			return s, s.tick()
		}
	case tea.KeyMsg:
		s.move(msg)
	}

	return s, nil
}

// AcceptsKey reports whether a key moves through the report.
func (s *screen) AcceptsKey(k tea.KeyMsg) bool {
	return k.Type == tea.KeyUp || k.Type == tea.KeyDown || k.Type == tea.KeyPgUp || k.Type == tea.KeyPgDown
}

// move moves through the report. View limits the position.
func (s *screen) move(k tea.KeyMsg) {
	switch page := max(1, s.page-1); k.Type {
	case tea.KeyUp:
		s.scroll--
	case tea.KeyDown:
		s.scroll++
	case tea.KeyPgUp:
		s.scroll -= page
	case tea.KeyPgDown:
		s.scroll += page
	}

	s.scroll = max(0, s.scroll)
}
