package offline

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// exportWork returns all operations that are not confirmed. They stay here
// too: because of their keys, sending them twice is harmless.
func (r *resolver) exportWork(_ context.Context, _ *api.Request, _ *api.SyncInput) (*api.WorkFile, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	org, err := uuid.Parse(r.cfg.Owner.Organization)
	if err != nil {
		return nil, api.Internal(err)
	}

	file := &api.WorkFile{Format: outbox.Format, Service: r.cfg.Owner.Service, Organization: org,
		Environment: api.Environment(r.cfg.Owner.Environment), Items: []api.Metadata{}}
	for _, op := range r.queue.Operations() {
		if !op.State.Open() {
			continue
		}
		data, err := r.queue.Export(op)
		if err != nil {
			return nil, api.Internal(err)
		}
		file.Items = append(file.Items, data)
	}

	return file, nil
}

// importWork imports exported operations: all of them, or none.
func (r *resolver) importWork(ctx context.Context, req *api.Request, in *api.ImportWorkInput) (*api.Imported, error) {
	switch {
	case in.Format > outbox.Format:
		return nil, importError(
			"it was written by a newer Bincard (format %d, this version reads up to %d): import it with that version",
			in.Format, outbox.Format)
	case in.Organization.String() != r.cfg.Owner.Organization:
		return nil, importError("it belongs to organization %s, and this is %s: import it at its own organization",
			in.Organization, r.cfg.Owner.Organization)
	case string(in.Environment) != r.cfg.Owner.Environment:
		return nil, importError("it is from %s, and this is %s: import it with a key of %s", in.Environment,
			r.cfg.Owner.Environment, in.Environment)
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	entries := []*outbox.Entry{r.source().epochEntry(ctx)}
	out, seen := &api.Imported{}, map[string]bool{}
	for i, data := range in.Items {
		exported, err := outbox.ReadExported(data)
		var saved *api.Request
		if err == nil {
			saved, err = exported.Request()
		}
		if err != nil {
			return nil, importError("cannot import item %d of %d: %v", i+1, len(in.Items), messageOf(err))
		}
		if r.queue.Operation(exported.Key) != nil || seen[exported.Key] {
			out.Known++
			continue
		}

		outbox.Approve(saved, req.ApprovedBy)
		seen[exported.Key], exported.ApprovedBy = true, saved.ApprovedBy
		out.Taken++
		entries = append(entries, exported.Entries()...)
	}

	if err := r.queue.Commit(entries...); err != nil {
		return nil, notSavedError(err)
	}

	r.notify()

	return out, r.rebuild(context.WithoutCancel(ctx))
}

// messageOf returns the text of an error without its code.
func messageOf(err error) string {
	var e *api.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

func importError(format string, args ...any) error {
	return api.Fail(api.ValidationError, nil, "Nothing was imported: %v.", api.Textf(format, args...))
}
