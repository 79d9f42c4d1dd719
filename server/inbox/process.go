package inbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"bincard/server/api"
	"bincard/server/intake"
	"bincard/server/memory"
	"bincard/server/sheet"
)

// reportEnd ends the name of a report, after the name of its file.
const reportEnd = ".report.txt"

// errTakenOver is the error of an import whose claim another process has taken over.
var errTakenOver = errors.New("another process has taken over the file")

// process imports a claimed file and moves it to its folder. If the service fails, the file
// stays claimed, and its import is repeated when the claim is stale.
func (x *Inbox) process(ctx context.Context, c *claim) {
	defer memory.LimitGrowth()()
	report, ok, err := x.importFile(ctx, c)
	if err != nil {
		if ctx.Err() != nil { // this process ends
			x.release(c)
		}
		x.log.Warn("cannot import a file now; it is tried again later", "file", c.name, "error", err)
		return
	}

	folder, count := done, &x.results.done
	if !ok {
		folder, count = failed, &x.results.failed
	}
	if err := x.finish(c, folder, report); err != nil {
		x.log.Error("cannot move an imported file", "file", c.name, "error", err)
		return
	}

	count.Add(1)
	x.log.Info("imported a file", "file", c.name, "kind", string(c.kind), "result", folder)
}

// importFile imports a claimed file. The report says what was imported, or if ok is false,
// why nothing was. The error is of the service.
func (x *Inbox) importFile(ctx context.Context, c *claim) (report string, ok bool, err error) {
	table, err := x.read(ctx, c)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, errTakenOver
	case ctx.Err() != nil:
		return "", false, ctx.Err()
	case err != nil:
		return fmt.Sprintf("%s: %v.\n", c.name, err), false, nil
	}

	folder := intake.Folder(func(name string) (*os.File, error) { return x.open(filepath.Join(string(c.kind), name)) })
	columns, err := folder.Columns(c.kind, c.name)
	if err != nil {
		return fmt.Sprintf("%s: %v\n", c.name, err), false, nil
	}

	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	plan, err := intake.Prepare(ctx, x.svc, c.kind, table, intake.Options{Columns: columns, Progress: func(int, int) {
		if !x.renew(c) {
			stop(errTakenOver)
		}
	}})
	if err != nil {
		return "", false, cause(ctx, err)
	}
	if len(plan.Problems) > 0 {
		return problemReport(c, plan), false, nil
	}

	out, err := plan.Apply(ctx, x.svc)
	switch {
	case err == nil:
		return plan.ResultText(c.name, out) + "\n", true, nil
	case ctx.Err() != nil || temporary(err):
		return "", false, cause(ctx, err)
	}

	text := fmt.Sprintf("%s: the import stopped: %v.\n"+
		"Put the file into %s again to finish it; nothing is imported twice.\n", c.name, err, c.kind)

	return text, false, nil
}

// cause returns why an import ended: the cause of ctx, or err if it has none.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// temporary reports whether an import may succeed later.
func temporary(err error) bool {
	var e *api.Error
	return !errors.As(err, &e) || e.Code == api.Unavailable || e.Code == api.InternalError || e.Code == api.RateLimited
}

// problemReport lists the problems of a file.
func problemReport(c *claim, plan *intake.Plan) string {
	var b strings.Builder
	for _, p := range plan.Problems {
		fmt.Fprintf(&b, "%s: %s\n", c.name, p)
	}
	if plan.MoreProblems > 0 {
		fmt.Fprintf(&b, "%s: and %d more problems\n", c.name, plan.MoreProblems)
	}

	fmt.Fprintf(&b, "Nothing was changed. Fix the file and put it into %s again.\n", c.kind)

	return b.String()
}

// read reads the file of a claim, unless something else has taken its place.
func (x *Inbox) read(ctx context.Context, c *claim) (*sheet.Table, error) {
	named, err := x.root.Lstat(c.path())
	if err == nil && !named.Mode().IsRegular() {
		err = fmt.Errorf("it is a %s, not a regular file", typeName(named.Mode()))
	}
	if err != nil {
		return nil, err
	}

	f, err := x.open(c.path())
	if err != nil {
		return nil, err
	}

	defer f.Close()
	before, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case severalNames(before):
		return nil, errors.New("it has another name, a hard link; copy it instead")
	case !unchanged(named, before) || c.info != nil && !unchanged(c.info, before):
		return nil, errChanged
	}

	table, err := sheet.Read(contextReader{ctx, f})
	if after, changed := f.Stat(); changed != nil || !unchanged(before, after) {
		return nil, errChanged
	}

	return table, err
}

var errChanged = errors.New(
	"it changed while it was imported; write it under another name and rename it when it is complete")

func typeName(mode fs.FileMode) string {
	switch mode.Type() {
	case fs.ModeDir:
		return "directory"
	case fs.ModeSymlink:
		return "link"
	case fs.ModeNamedPipe:
		return "pipe"
	}

	return "device or socket"
}

// A contextReader stops reading when its context ends.
type contextReader struct {
	ctx context.Context
	io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// finish writes the report and moves the file beside it, under a name that no other file has.
func (x *Inbox) finish(c *claim, folder, report string) error {
	name := filepath.Join(folder, strings.Join([]string{x.now().UTC().Format(claimTime), c.id, c.name}, "-"))
	if err := x.root.WriteFile(name+reportEnd, []byte(report), 0o640); err != nil {
		return err
	}

	err := x.root.Rename(c.path(), name)
	if err != nil { // another process has taken the file over, and reports it
		err = errors.Join(err, x.root.Remove(name+reportEnd))
	}

	return err
}
