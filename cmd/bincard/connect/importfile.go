package connect

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"bincard/server/api"
	"bincard/server/intake"
	"bincard/server/sheet"
	"bincard/tui/i18n"
	"bincard/views/export"
	"bincard/views/session"
)

// CheckImport checks a file for the import screens. It is a session.FileChecker.
func CheckImport(ctx context.Context, svc api.Service, f session.ImportFile) (*session.ImportPlan, error) {
	in, err := os.Open(f.Path)
	if err != nil {
		return nil, err
	}

	defer in.Close()
	var other encoding.Encoding
	if f.Windows1252 {
		other = charmap.Windows1252
	}

	table, err := sheet.ReadAs(in, other)
	if bad, ok := errors.AsType[*sheet.EncodingError](err); ok {
		return nil, (*session.EncodingError)(bad)
	}
	if err != nil {
		return nil, err
	}

	folder, name := FolderOf(f.Path), filepath.Base(f.Path)
	kind, columns := intake.Kind(f.Kind), f.Columns
	if columns == nil {
		if columns, err = folder.Columns(kind, name); err != nil {
			return nil, err
		}
	}

	p, err := intake.Prepare(ctx, svc, kind, table,
		intake.Options{OnlyNew: f.OnlyNew, Columns: columns, Progress: f.Progress})
	if err != nil {
		return nil, ImportError(err)
	}

	out := &session.ImportPlan{Lines: p.Lines, MoreProblems: p.MoreProblems, Notes: p.Notes(), Steps: p.Steps()}
	if n := p.Documents; n != nil {
		out.Documents, out.New, out.Existing, out.Differ = n.Total, n.New, n.Existing, n.Differ
	}
	required, optional := kind.Columns()
	out.Fields = append(required, optional...)
	for _, c := range p.Columns() {
		out.Columns = append(out.Columns, session.ImportColumn(c))
	}
	for _, problem := range p.Problems {
		out.Problems = append(out.Problems, session.ImportProblem(problem))
	}

	out.Apply = func(ctx context.Context, svc api.Service) (int, error) {
		done, err := p.Apply(ctx, svc)
		return done.Applied + done.Repeated, err
	}

	out.SaveColumns = func() (string, error) {
		data, pattern, err := folder.AddColumns(kind, name, columns)
		if err != nil {
			return "", err
		}

		return pattern, export.WriteFile(nil, filepath.Join(filepath.Dir(f.Path), intake.MappingsName), 0o644,
			func(w io.Writer) error { _, err := w.Write(data); return err })
	}

	return out, nil
}

// FolderOf returns the folder of a file.
func FolderOf(file string) intake.Folder {
	return func(name string) (*os.File, error) { return os.Open(filepath.Join(filepath.Dir(file), name)) }
}

// ImportError returns the error to show for an error of intake.Prepare.
func ImportError(err error) error {
	if api.HasCode(err, api.NotFound) {
		return errors.New(i18n.Textf(
			"this service has no catalog to check the file against (/products, /locations or /balances is missing); import with --data instead",
		))
	}

	return err
}
