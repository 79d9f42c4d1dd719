package panel

import (
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/submit"
)

// A sender has the steps that record a count, and what became of each line. It knows no
// screen and sends nothing itself: answers come in, and a progress says what is next.
type sender struct {
	preparing  bool               // the steps are being built
	submission *submit.Submission // nil if nothing is to be sent
	lines      lineBooking        // of the submission, or of the last one
	result     *lineResult        // waits for the document, or nil
	nextScan   *scan.Scan         // to be counted afterwards
}

// A lineBooking is what became of the lines of a booking whose steps book each line on its
// own. Its JSON is part of a draft.
type lineBooking struct {
	// Recorded has the counts of the lines that are recorded, by line. They are not among
	// the counts of the panel.
	Recorded map[string]count.Count `json:"recorded,omitempty"`
	// Refused says why lines were not recorded, by line. Their counts stay.
	Refused map[string]string `json:"refused,omitempty"`
	// Unsynced and AtRisk report whether lines were saved only on this machine, and
	// whether the service may reject some of them.
	Unsynced bool `json:"unsynced,omitempty"`
	AtRisk   bool `json:"atRisk,omitempty"`
	// Keys are the keys of the operations that were saved only on this machine.
	Keys []string `json:"keys,omitempty"`

	// receipts are the keys of the first steps of recorded lines, by line. After a crash the
	// submission has them.
	receipts map[string]string
	// offers are the actions for the line that was refused first.
	offers []tui.Action
}

// A lineResult is the result of a booking by line that waits for the document. text says what
// was done if all of it was done, and skipped which steps were not; both may be empty.
type lineResult struct{ text, skipped string }

// reloadWait is how long the result of a booking waits for the document.
const reloadWait = 2 * time.Second

// reloadLateMsg ends the wait of a result.
type reloadLateMsg struct{ result *lineResult }

// A progress says how far the steps are after an answer.
type progress int

const (
	stepFailed  progress = iota // the step was not done
	stepInvalid                 // the step is done, and the one after it cannot be built
	stepDone                    // the step is done, or postponed: proceed
	allDone                     // all steps are done, which book the count as a whole
	lineRefused                 // the service refused the first step of a line
	lineNotSent                 // the next line could not be sent
)

// stepsMsg has the steps that were built, or why they were not.
type stepsMsg struct {
	submission *submit.Submission
	err        error
}

// isSending reports whether steps are built or sent, or a result waits for the document.
func (s *sender) isSending() bool {
	return s.preparing || s.submission.Sending() || s.result != nil
}

// start begins a submission, unless an earlier one is not finished.
func (s *sender) start(submission *submit.Submission) bool {
	if s.isSending() || s.submission.Unfinished() {
		return false
	}
	s.submission, s.nextScan, s.lines = submission, nil, lineBooking{}
	return true
}

// prepare begins to build the steps of a count, after which a scan is counted unless it is nil.
func (s *sender) prepare(next *scan.Scan) {
	s.preparing, s.nextScan, s.lines = true, next, lineBooking{}
}

// prepared takes the steps that were built, or returns why they were not.
func (s *sender) prepared(m stepsMsg) error {
	s.preparing = false
	if m.err == nil {
		s.submission = m.submission
	}
	return m.err
}

// discard discards the steps that are left.
func (s *sender) discard() { s.submission = nil }

// byLine reports whether the next step books one line on its own.
func (s *sender) byLine() bool {
	sub := s.submission
	return sub != nil && sub.Next < len(sub.Steps) && sub.Steps[sub.Next].Line != ""
}

// inLine reports whether a part of what the next step belongs to is done already.
func (s *sender) inLine() bool {
	sub := s.submission
	return sub.Next > 0 && (!s.byLine() || sub.Steps[sub.Next].DependsOnPrevious)
}

// answered handles the answer to the next step. A line whose first step is done leaves the
// count. It returns what is wrong with the step, or nil.
func (s *sender) answered(a submit.Answer, lines []*count.Line) (progress, error) {
	sub, first := s.submission, a.Step.Line != "" && !a.Step.DependsOnPrevious
	err := sub.Answered(a)
	if a.Step.Line != "" && (err == nil || a.Err == nil) {
		s.lines.record(a, lineWithKey(lines, a.Step.Line))
	}

	switch {
	case err == nil && a.Step.Line == "" && sub.State() == submit.Done:
		return allDone, nil
	case err == nil:
		return stepDone, nil
	case a.Err == nil:
		return stepInvalid, err
	case sub.State() == submit.Refused && first:
		return lineRefused, err
	case sub.State() == submit.Refused && a.Step.Line != "" && sub.PostponeLine():
		return stepDone, nil
	case sub.State() == submit.Idle && first && sub.Next > 0:
		return lineNotSent, err
	}

	return stepFailed, err
}

// record takes a line out of the count when its first step is done.
func (b *lineBooking) record(a submit.Answer, l *count.Line) {
	b.AtRisk = b.AtRisk || a.AtRisk()
	if a.AtRisk() || a.Response != nil && a.Response.CommittedBy != "" {
		b.Unsynced, b.Keys = b.Unsynced || !a.AtRisk(), append(b.Keys, a.Step.Key)
	}
	if l == nil || a.Step.DependsOnPrevious {
		return
	}
	if b.Recorded == nil {
		b.Recorded = map[string]count.Count{}
	}

	b.addReceipt(l.Key, a.Step.Key)
	if l.For != "" { // until the orders are read again
		l.Pending = max(0, l.Pending-l.Count.Quantity)
	}
	b.Recorded[l.Key], l.Count = l.Count, count.Count{}
	delete(b.Refused, l.Key)
}

// addReceipt records the key of the first step of a line.
func (b *lineBooking) addReceipt(line, key string) {
	if b.receipts == nil {
		b.receipts = map[string]string{}
	}
	b.receipts[line] = key
}

// refuse drops the steps of the next line, which stays counted, and keeps why.
func (s *sender) refuse(why string, offers []tui.Action) {
	b := &s.lines
	if len(b.Refused) == 0 {
		b.Refused, b.offers = map[string]string{}, offers
	}
	b.Refused[s.submission.Steps[s.submission.Next].Line] = why
	s.submission.DropLine()
}

// receipt returns what the next step receives, unless a later step of its line receives more.
// The steps of a count without lines receive all of it.
func (s *sender) receipt(lines []*count.Line) (r receipt, ok bool) {
	sub := s.submission
	if sub.Pieces == 0 || sub.KeepCounts || !sub.EndsReceipt() {
		return r, false
	}

	key := sub.Steps[sub.Next].Line
	if key == "" {
		return receipt{sub.FirstKey(""), receivedLines(lines)}, true
	}

	l := lineWithKey(lines, key)
	if l == nil {
		return r, false
	}

	received := *l
	if c, ok := s.lines.Recorded[key]; ok { // by an earlier step
		received.Count = c
		return receipt{s.lines.receipts[key], []count.Line{received}}, true
	}

	return receipt{sub.FirstKey(key), []count.Line{received}}, true
}

// stop gives up the scan to be counted afterwards, and says why the next line could not be sent.
func (s *sender) stop(t *i18n.Translator, err error) (why string) {
	s.nextScan = nil
	if submit.NeverSent(err) && api.HasCode(err, api.Unavailable) {
		return t.Get("The service cannot be reached. Unrecorded counts are kept. Retry.")
	}
	return s.submission.FailureText(t, err, "")
}

// await makes the result of a submission that is done wait for the document.
func (s *sender) await(text string) *lineResult {
	s.result, s.submission = &lineResult{text, s.submission.Skipped()}, nil
	return s.result
}

// takeResult returns and clears the result that waits for the document. It may be nil.
func (s *sender) takeResult() *lineResult {
	r := s.result
	s.result = nil
	return r
}

// keepRest ends a submission by line, of which it keeps the steps that are not done.
func (s *sender) keepRest() (rest *submit.Submission, done lineResult) {
	rest = s.submission
	rest.DropDone()
	done.skipped = rest.Skipped()
	if len(rest.Steps) == 0 {
		rest = nil
	}
	return rest, done
}

// A lineReport is what became of the lines of a submission that has ended.
type lineReport struct {
	recorded []count.Line // with what was counted of them
	pieces   int64        // recorded
	receipts []receipt
	sync     count.SyncResult
	keys     []string // of the operations that are not synced
	refused  []string // why lines were refused
	first    *count.Line
	offers   []tui.Action // for the first refused line
}

// endLines ends a submission by line.
func (s *sender) endLines(t *i18n.Translator, lines []*count.Line) lineReport {
	b := s.lines
	s.lines, s.submission = lineBooking{Refused: b.Refused}, nil
	r := lineReport{keys: b.Keys, offers: b.offers}
	for _, l := range lines {
		if c, ok := b.Recorded[l.Key]; ok {
			line := *l
			line.Count = c
			r.recorded, r.pieces = append(r.recorded, line), r.pieces+c.Quantity+c.OverReceipt
			r.receipts = append(r.receipts, receipt{b.receipts[l.Key], []count.Line{line}})
		}

		if why, ok := b.Refused[l.Key]; ok {
			if r.first == nil {
				r.first = l
			}
			r.refused = append(r.refused, t.Get("%s was not recorded: %s", l.Name(), why))
		}
	}

	switch {
	case b.AtRisk:
		r.sync = count.AtRisk
	case b.Unsynced:
		r.sync = count.NotSynced
	}

	return r
}

// takeScan returns and clears the scan to count afterwards. It may be nil.
func (s *sender) takeScan() *scan.Scan {
	next := s.nextScan
	s.nextScan = nil
	return next
}

// lineIndex returns the index of the line with a key, or -1.
func lineIndex(lines []*count.Line, key string) int {
	return slices.IndexFunc(lines, func(l *count.Line) bool { return l.Key == key })
}

func lineWithKey(lines []*count.Line, key string) *count.Line {
	if i := lineIndex(lines, key); i >= 0 {
		return lines[i]
	}
	return nil
}
