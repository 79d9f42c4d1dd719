// Package export writes whole reports into files: CSV, CSV as Excel expects it,
// or JSON lines. A Job goes through all pages of a report, may be stopped and
// gone on with, and leaves the file whole or not at all. A Desk is the part of a
// screen that asks what to write and where, and tells how far it is.
package export
