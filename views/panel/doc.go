// Package panel provides the parts that screens are made of.
//
// Choose, AskReason and ChooseLocation ask, and Navigate goes where a scan leads; a
// ScanLookup looks up the scans of a screen outside the update loop. NewForm makes the screen
// of a NewDocumentForm. UnsentDrafts and DraftRoute tell about saved drafts.
//
// A DocumentScreen loads one document and counts its items on a CountPanel, which connects
// parts that do not know each other or the panel:
//
//   - counter has the lines, which one is current and who chose it, and what can be undone;
//   - sender has the steps that record the count, and what became of each line;
//   - feed shows what was counted, and what became of it;
//   - receipts makes the labels of what was received;
//   - finder looks up where serials are, pickableStock what can be picked, and a stockCheck
//     compares the recorded stock with what is there;
//   - draft is all of it, encoded;
//   - Frame is what the panel shows at one moment, and draws it.
//
// The phase of a panel, which update.go defines, decides what the operator can do:
//
//	phase       a scan, a number      enter               the draft
//	loading     are refused           loads again         is kept as it was
//	counting    count                 records the count   has the counts
//	unsent      count                 sends the steps     has the steps, which a count discards
//	sending     waits, is refused     does nothing        has the steps, the next one as sent
//	unanswered  are refused           sends the step      has the steps, the next one as sent
//	            with the way out      again, with its key
//	partDone    are refused           sends the step      has the steps
//	            with the way out      again, with its key
//	closed      may be the next       opens the next      is kept
//	            document, is refused  document
//
// While counting, a lot form or the marking of damaged serials takes the scans and keys, and
// after the program went to another line, a lineGuard holds back what may be meant for the
// line before. A question is one of the shell: it takes the keys while it is open, and its
// answer looks for its line again, because the document may be loaded meanwhile.
//
// Read the CountPanel from count_panel.go: what a screen does with the count is in
// count_job.go, what the panel does with a message or key in update.go, with a scan in
// scan.go, with a booking in booking.go, and with a refusal in refusal.go.
package panel
