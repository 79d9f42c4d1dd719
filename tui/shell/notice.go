package shell

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
