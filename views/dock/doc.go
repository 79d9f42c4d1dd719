// Package dock provides the shared parts of the job screens: session, counting
// and submission.
//
// A Site is the session: the service, the operator and the location. It learns which
// operations the service supports.
//
// A DocumentScreen loads one document and counts its items on a CountPanel, which
// matches each scanned Label to a Line with its ScanMatcher. A NewDocumentForm describes
// the form for a new document.
//
// Writes are Steps. A Submission sends steps in order, each with its own idempotency
// key, and is saved in the draft of the screen, so that every step is booked exactly
// once, even after a crash. A Submitter sends a single step. A Job books a count
// without a screen.
package dock
