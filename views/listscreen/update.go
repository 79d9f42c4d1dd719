package listscreen

import (
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/panel"
	"bincard/views/session"
)

// New returns the factory of a list. define returns its kind for a new screen.
func New[R any](site *session.Site, define func(s *Screen) Kind[R]) tui.Factory {
	return newFactory(site, func(s *Screen) *Kind[any] { return boxed(s, define(s)) })
}

func newFactory(site *session.Site, define func(s *Screen) *Kind[any]) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		s := &Screen{Site: site, Env: env}
		s.kind = define(s)
		s.List.KeyOf, s.marks.routes = s.kind.Key, s.kind.Routes
		if s.kind.Scan != nil || s.kind.Find != nil {
			return scanning{s}, nil
		}
		return s, nil
	}
}

// scanning is a list that accepts scans.
type scanning struct{ *Screen }

func (s scanning) Update(msg tea.Msg) (tui.Screen, tea.Cmd) { return s.updated(s, msg) }

// OnScan opens what was scanned.
func (s scanning) OnScan(got scan.Scan) tea.Cmd { return s.LookUp(got) }

func (s *Screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) { return s.updated(s, msg) }

// updated handles a message of self, which is s or wraps it.
func (s *Screen) updated(self tui.Screen, msg tea.Msg) (tui.Screen, tea.Cmd) {
	cmd := s.update(msg)
	if !s.Unsupported || s.kind.Unsupported == nil {
		return self, cmd
	}

	other, err := s.kind.Unsupported(s.Env)
	if err != nil {
		return self, tui.Fail(err)
	}

	return other, other.Init(s.Env)
}

func (s *Screen) update(msg tea.Msg) tea.Cmd {
	cmd := s.handle(msg)
	_, reloaded := msg.(loadedMsg)
	return tea.Batch(cmd, s.readPreview(reloaded))
}

func (s *Screen) handle(msg tea.Msg) tea.Cmd {
	if s.kind.Update != nil {
		if cmd, handled := s.kind.Update(msg); handled {
			return cmd
		}
	}

	if cmd, handled := s.exporter.Update(msg); handled {
		return cmd
	}
	if cmd, handled := s.scans.Found(s.Site, msg); handled {
		return cmd
	}

	switch msg := msg.(type) {
	case loadedMsg:
		s.loaded(msg)
	case tui.PresenceMsg:
		s.marks.load(s.Env)
	case lotsMsg:
		s.preview.read(msg)
	case refreshMsg:
		return tea.Batch(s.Reload(), s.refreshLater())
	case tickMsg:
		return tea.Batch(s.kind.Tick(), s.tick())
	case panel.LocationChangedMsg:
		return s.Reload()
	case tea.KeyMsg:
		return s.key(msg)
	case tea.MouseMsg:
		if msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft && s.preview.inList(msg.X) {
			s.List.Click(msg.Y - s.Top)
		}
	}

	return nil
}

func (s *Screen) loaded(msg loadedMsg) {
	s.Loading, s.Err, s.Unsupported = false, msg.err, session.IsUnsupported(msg.err)
	if msg.err != nil {
		return
	}

	s.loadedRows, s.More, s.loadedAt = msg.rows, msg.more, s.Now()
	s.marks.load(s.Env)
	if s.sort(); s.toTop {
		s.List.MoveTo(0)
	}

	s.toTop = false
	if s.kind.Loaded != nil {
		s.kind.Loaded()
	}
}

// key handles a key for the rows or their filter, which a digit starts.
func (s *Screen) key(k tea.KeyMsg) tea.Cmd {
	if s.kind.FilterText != nil && len(k.Runes) == 1 && unicode.IsDigit(k.Runes[0]) {
		s.filtering = true
	}

	switch {
	case !s.AcceptsKey(k):
		s.List.Key(k)
	case s.kind.Input != nil:
		return s.kind.Input.Key(k)
	default:
		s.filter.Key(k)
		s.ApplyFilter()
	}

	return nil
}
