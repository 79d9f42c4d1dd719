// Package panel provides the parts that screens are made of.
//
// A ListPanel shows a list of documents, and a ScanFinder finds the row that a scan
// means. Choose and ChooseLocation ask, Navigate goes where a scan leads. A
// NewDocumentForm describes the form for a new document.
//
// A DocumentScreen loads one document and counts its items on a CountPanel. Read the
// CountPanel from count_panel.go: its fields are in count_job.go, what it does with a
// message or key in update.go, with a scan in scan.go, and with a booking in booking.go
// and step_failed.go.
package panel
