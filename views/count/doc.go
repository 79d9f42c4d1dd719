// Package count counts the items of a document: it matches scans to the lines of the
// document and keeps what was counted. It uses neither a screen nor the service.
//
// ParseLabel reads a scan as a Label. A Line is an Item of the document, what is pending
// of it, and its Count. A ScanMatcher has the lines: Scan counts a label, or says which
// codes to look up, and ResolveScan continues with the matches. The other changes of
// counts, such as a typed quantity, are in change.go.
package count
