package scanner

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/widget"
)

// Route is the route of the screen.
const Route = "scanner"

// scanTimeout is slightly less than the time after which the shell completes a code
// without a terminator. A scan that is older on arrival had none.
const scanTimeout = 45 * time.Millisecond

// Open is the factory of the screen.
func Open(env tui.Env) (tui.Screen, error) {
	return &screen{Env: env, feed: widget.Feed{Max: 20}}, nil
}

// screen shows the last code and how it arrived.
type screen struct {
	tui.Env
	last     *receivedCode
	feed     widget.Feed
	typed    []rune
	firstKey time.Time // of the typed characters
	lastKey  time.Time
	top      int // first line that is shown on a small screen
}

func (s *screen) Init(tui.Env) tea.Cmd { return nil }

func (s *screen) Title() string { return s.T.Get("Scanner") }

// OnScan shows a code with advice.
func (s *screen) OnScan(got scan.Scan) tea.Cmd {
	r := receivedCode{scan: got, method: terminated}
	switch {
	case got.Pasted:
		r.method = pasted
	case s.Now().Sub(got.At) >= scanTimeout:
		r.method = unterminated
	}

	s.typed = nil
	s.show(r)

	return tui.Accepted()
}

func (s *screen) show(r receivedCode) {
	r.advice = adviceFor(s.T, r)
	s.last, s.top = &r, 0
	cells := []string{i18n.Clock(s.Now(), s.Now()), r.scan.Symbology, showControls(r.scan.Raw)}
	if len(r.advice) > 0 || !r.scan.OK() {
		s.feed.Refused(cells...)
		return
	}
	s.feed.OK(cells...)
}

// AcceptsKey accepts every character, because a scanner may send it.
func (s *screen) AcceptsKey(k tea.KeyMsg) bool {
	switch k.Type {
	case tea.KeyRunes, tea.KeySpace:
		return !k.Alt
	case tea.KeyEnter, tea.KeyTab, tea.KeyEsc:
		return len(s.typed) > 0
	}

	return false
}

// Update records single keys, which come from a person or from a scanner that is too
// slow.
func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	k, ok := msg.(tea.KeyMsg)
	if !ok {
		return s, nil
	}

	switch k.Type {
	case tea.KeyUp:
		s.top--
	case tea.KeyDown:
		s.top++
	case tea.KeyEsc:
		s.typed = nil
	case tea.KeyEnter, tea.KeyTab:
		s.endTyping()
	case tea.KeySpace:
		s.addTyped(' ')
	case tea.KeyRunes:
		s.addTyped(k.Runes...)
	}

	return s, nil
}

func (s *screen) addTyped(runes ...rune) {
	now := s.Now()
	if len(s.typed) == 0 {
		s.firstKey = now
	}
	s.typed, s.lastKey = append(s.typed, runes...), now
}

// evenGap is the longest average gap between characters that counts as a slow
// scanner.
const evenGap = 120 * time.Millisecond

func (s *screen) endTyping() {
	n := len(s.typed)
	if n == 0 {
		return
	}

	r := receivedCode{scan: scan.Parse(string(s.typed), s.Now()), method: typedByHand}
	if n > 1 {
		r.gap = s.lastKey.Sub(s.firstKey) / time.Duration(n-1)
	}
	if n >= 6 && r.gap <= evenGap {
		r.method = slow
	}

	s.typed = nil
	s.show(r)
}

func (s *screen) Actions() []tui.Action {
	t := s.T

	emptyReason := func() string {
		if s.last == nil {
			return t.Get("Nothing has been scanned yet")
		}
		return ""
	}

	return []tui.Action{
		{
			ID:       "scanner.copy",
			Key:      "ctrl+y",
			Label:    t.Get("copy the code"),
			Short:    t.Get("copy"),
			Disabled: emptyReason,
			Help:     t.Get("Copy the raw code with control characters visible"),
			Run:      func() tea.Cmd { return tui.Copy(showControls(s.last.scan.Raw)) },
		},
		{
			ID:       "scanner.clear",
			Key:      "f8",
			Label:    t.Get("clear"),
			Disabled: emptyReason,
			Help:     t.Get("Clear the scans on this screen"),
			Run: func() tea.Cmd {
				s.last = nil
				s.feed.Clear()
				return nil
			},
		},
	}
}

// summary says how the code arrived.
func (r receivedCode) summary(t *i18n.Translator) string {
	n := len([]rune(r.scan.Raw))
	switch r.method {
	case unterminated:
		return t.Get("scanner: %d characters, no end key", n)
	case pasted:
		return t.Get("paste: %d characters at once", n)
	case slow:
		return t.Get("keys: %d characters, %d ms each", n, r.gap.Milliseconds())
	case typedByHand:
		return t.Get("typed by hand, %d ms per character", r.gap.Milliseconds())
	}

	return t.Get("scanner: %d characters, ended by a key", n)
}
