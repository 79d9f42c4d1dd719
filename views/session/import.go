package session

import (
	"context"
	"fmt"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
)

// A FileChecker checks a file for an import without writing anything. The error is of the file
// as a whole, or of the service.
type FileChecker func(ctx context.Context, svc api.Service, f ImportFile) (*ImportPlan, error)

// An EncodingError is the error of a FileChecker for a file that is not UTF-8.
type EncodingError struct {
	Line int
	Byte byte
}

func (e *EncodingError) Error() string {
	return i18n.Textf(
		"the file is not UTF-8: line %d has the byte %s. It is probably Windows-1252; press F8 to read it as such",
		e.Line,
		fmt.Sprintf("0x%02X", e.Byte),
	)
}

// An ImportFile is a file to import.
type ImportFile struct {
	Kind string // inbounds, outbounds or transfers
	Path string
	// OnlyNew skips the documents that exist with other content, which are problems otherwise.
	OnlyNew bool
	// Windows1252 reads the file as Windows-1252 if it is not UTF-8.
	Windows1252 bool
	// Columns are the fields of the file's columns by their names, or ImportIgnored. If it is nil,
	// those that were saved for such files apply.
	Columns map[string]string
	// Progress is called with what has been checked or imported; it must be safe for
	// concurrent use.
	Progress func(done, total int)
}

// An ImportProblem is what is wrong with a line, or with the whole file if Line is 0. Sheet is that
// of a workbook, whose rows are the lines, or "".
type ImportProblem struct {
	Sheet           string
	Line            int
	Column, Message string
}

// ImportIgnored is the field of a column that is not imported.
const ImportIgnored = "-"

// An ImportColumn is a column of a file: its name there, its field, which is "" if it is unknown,
// and its first values.
type ImportColumn struct {
	Name, Field string
	Values      []string
}

// An ImportPlan is a checked file.
type ImportPlan struct {
	// Columns are those of the file, and Fields are the columns that an import can have.
	Columns []ImportColumn
	Fields  []string
	// SaveColumns saves the fields of the columns for similar files, whose pattern it returns.
	SaveColumns func() (pattern string, err error)
	// Lines is the number of lines, Documents of the documents that they form. New of these
	// are to be created, Existing are there, and Differ are there with other content.
	Lines, Documents, New, Existing, Differ int
	// Problems are the first bad lines, and MoreProblems is the number of the others. A plan
	// with problems cannot be applied.
	Problems     []ImportProblem
	MoreProblems int
	// Notes describe documents that are there: what was received of them, or how they differ.
	Notes []string
	// Steps is the number of operations that Apply performs.
	Steps int
	// Apply performs the plan. It returns how many operations are done, also with an error.
	// Applying the same file again performs the rest.
	Apply func(ctx context.Context, svc api.Service) (done int, err error)
}

// ImportRoute returns the route of the screen that imports files of a kind.
func ImportRoute(kind string) string { return "import/" + kind }

// ImportActions returns the action of a list that opens the import of its documents. There is
// none if this terminal imports no files.
func (s *Site) ImportActions(id, kind string) []tui.Action {
	if !s.ImportsFiles() {
		return nil
	}
	t := s.T()
	return []tui.Action{{ID: id, Key: "ctrl+o", Label: t.Get("import a file"), NoFooter: true,
		Help: t.Get("Import documents from a file"), Run: tui.Opens(ImportRoute(kind))}}
}

// ImportsFiles reports whether this terminal can import files.
func (s *Site) ImportsFiles() bool { return s.opts.CheckFile != nil }

// CheckFile checks a file for an import.
func (s *Site) CheckFile(ctx context.Context, f ImportFile) (*ImportPlan, error) {
	return s.opts.CheckFile(ctx, operatorService{service: s.service, operator: s.Operator()}, f)
}

// ApplyImport performs a plan as the site's operator. approvedBy is the supervisor who approved
// it, or "".
func (s *Site) ApplyImport(ctx context.Context, p *ImportPlan, approvedBy string) (done int, err error) {
	return p.Apply(ctx, operatorService{s.service, s.Operator(), approvedBy})
}

// An operatorService performs all operations as one operator.
type operatorService struct {
	service              api.Service
	operator, approvedBy string
}

func (s operatorService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	named := *req
	named.Operator, named.ApprovedBy = s.operator, s.approvedBy
	return s.service.Do(ctx, &named)
}
