// Package export writes whole reports to files as CSV, CSV for Excel or JSON lines.
// A FileExport reads all pages of a report, can be resumed after an error, and
// leaves either a complete file or none. An Exporter is the part of a screen that
// asks for format and path and shows the progress.
package export
