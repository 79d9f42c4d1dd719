package tui

import (
	"strings"

	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// A Speech is what a screen says where nothing is painted: on a line of text,
// to a screen reader. Its texts are bare, one line each, of any width.
type Speech struct {
	Facts     []string // where one stands, what matters most first
	Feed      []string // what was said of scans, the newest first
	FeedCount int      // how many were said in all, those forgotten too
	Question  string   // the few words that ask: "scan or number"
	// List are rows to choose from by number, or nil.
	List *Listing
	// Form is asked field by field, or nil.
	Form *widget.Form
	// Numbers tells that a number is a quantity: rows are chosen with "#".
	Numbers bool
	// Search tells that words narrow the list.
	Search bool
}

// A Listing is rows of which only those that are read out are asked for.
type Listing struct {
	Len  int
	Noun string // what the rows are: "expected", "movements"
	More bool   // there are others that are not here
	Line func(row int) string
	// Select chooses a row; what enter does then is done with it.
	Select func(row int)
	// Activate is what is done with a row instead; may be nil.
	Activate func(row int) tea.Cmd
}

// A Speaker says itself without being painted. A screen that is none is read
// out as it is painted.
type Speaker interface {
	Speech() Speech
}

// speech is what the screen on top says; one that cannot speak is read out.
func (m *Model) speech(f *frame) Speech {
	if s, ok := f.screen.(Speaker); ok {
		return s.Speech()
	}
	size := Size{Width: max(20, m.width), Height: 60, Class: ClassOf(m.width, 24)}
	lines, at := takeMarker(strings.Split(f.screen.View(size), "\n"))
	var s Speech
	for i, line := range lines {
		line = strings.TrimSpace(widget.Clean(ansi.Strip(line)))
		switch {
		case strings.Trim(line, "─ ") == "":
		case i == at:
			s.Question = strings.TrimSpace(strings.TrimPrefix(line, "▸"))
		default:
			s.Facts = append(s.Facts, line)
		}
	}
	return s
}

// A Notice is something the shell says: what succeeded, what did not, and how
// often the bell rings for it.
type Notice struct {
	Kind  NoticeKind
	Text  string
	Bells int
}

// NoticeKind tells what a verdict is.
type NoticeKind int

// The kinds of verdicts.
const (
	NoticeBell        NoticeKind = iota // a bell alone: no text
	NoticeSuccess                       // it is done
	NoticeWarning                       // not as wished, but needs no answer
	NoticeFault                         // an error that stands until it is acknowledged
	NoticeConfirmScan                   // a scan that must be made again to count
	NoticeRefusedScan                   // a scan that was refused because of what stands
)

func (m *Model) notify(v Notice) {
	if m.opts.OnNotice != nil {
		m.opts.OnNotice(v)
	}
}
