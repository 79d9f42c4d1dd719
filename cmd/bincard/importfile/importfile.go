// Package importfile reads and checks the files that the program imports.
package importfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"bincard/server/api"
	"bincard/server/intake"
	"bincard/server/sheet"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// Read reads a file of at most sheet.MaxSize bytes.
func Read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadFrom(f, path)
}

// ReadFrom reads all of in, which has a name, and at most sheet.MaxSize bytes.
func ReadFrom(in io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, sheet.MaxSize+1))
	if err == nil && len(data) > sheet.MaxSize {
		err = fmt.Errorf("%s is larger than %d MiB; split it", name, sheet.MaxSize>>20)
	}
	return data, err
}

// Check checks a file for the import screens. It is a session.FileChecker.
func Check(ctx context.Context, svc api.Service, f session.ImportFile) (*session.ImportPlan, error) {
	data, err := Read(f.Path)
	if err != nil {
		return nil, err
	}
	table, err := sheet.Read(data)
	if err != nil {
		return nil, err
	}
	p, err := intake.Prepare(ctx, svc, intake.Kind(f.Kind), table, intake.Options{OnlyNew: f.OnlyNew, Progress: f.Progress})
	if err != nil {
		return nil, CheckError(err)
	}
	out := &session.ImportPlan{Lines: p.Lines, MoreProblems: p.MoreProblems, Notes: p.Notes(), Steps: p.Steps()}
	if n := p.Documents; n != nil {
		out.Documents, out.New, out.Existing, out.Differ = n.Total, n.New, n.Existing, n.Differ
	}
	for _, problem := range p.Problems {
		out.Problems = append(out.Problems, problem.String())
	}
	out.Apply = func(ctx context.Context, svc api.Service) (int, error) {
		done, err := p.Apply(ctx, svc)
		return done.Applied + done.Repeated, err
	}
	return out, nil
}

// CheckError returns the error to show for an error of intake.Prepare.
func CheckError(err error) error {
	if api.HasCode(err, api.NotFound) {
		return errors.New(i18n.Textf("this service has no catalog to check the file against (/products, /locations or /balances is missing); import with --data instead"))
	}
	return err
}
