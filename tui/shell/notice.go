package shell

// A Notice is something that the shell says, and how often the bell rings for it.
type Notice struct {
	Kind  NoticeKind
	Text  string
	Bells int
}

// NoticeKind is the kind of a Notice.
type NoticeKind int

// The kinds of notices.
const (
	NoticeBell        NoticeKind = iota // a bell without text
	NoticeSuccess                       // a success
	NoticeWarning                       // a problem that needs no answer
	NoticeFault                         // an error that stays until acknowledged
	NoticeConfirmScan                   // a scan that has to be repeated to count
	NoticeRefusedScan                   // a scan that was refused because of an error
)
