package syncer

import (
	"context"
	"fmt"
	"time"

	"bincard/server/api"
)

const (
	reportPage   = 500 // of the reports
	documentPage = 100 // of the lists of documents
)

// addTask adds a task whose answers are of one type.
func addTask[O any](
	p *poll,
	request func(cursor string, bare bool) *api.Request,
	handle func(context.Context, *O) (*string, error),
) {
	p.tasks = append(p.tasks, &task{request: request, handle: func(ctx context.Context, out any) (*string, error) {
		o, ok := out.(*O)
		if !ok {
			return nil, fmt.Errorf("the answer is a %T", out)
		}
		return handle(ctx, o)
	}})
}

// readList reads all pages of a list, unless it is unavailable.
func readList[I, T any](
	p *poll,
	op api.Operation[I, api.List[T]],
	in func(cursor string, bare bool) I,
	take func(context.Context, []T) error,
) {
	if p.unavailable[op.Spec.ID] {
		return
	}
	request := func(cursor string, bare bool) *api.Request { return NewRequest(op, in(cursor, bare)) }
	addTask(p, request, func(ctx context.Context, page *api.List[T]) (*string, error) {
		return page.NextCursor, take(ctx, page.Items)
	})
}

// readPages reads the pages of one answer. handle returns the cursor of the next page.
func readPages[I, O any](p *poll, op api.Operation[I, O], in func(cursor string) I, handle func(*O) *string) {
	request := func(cursor string, _ bool) *api.Request { return NewRequest(op, in(cursor)) }
	addTask(p, request, func(_ context.Context, out *O) (*string, error) { return handle(out), nil })
}

// readBalances reads the balances of a stock key.
func readBalances(p *poll, at api.StockKey, take func(*api.SnapshotRow)) {
	readList(p, api.ReportSnapshot, func(cursor string, bare bool) api.ReportSnapshotInput {
		return api.ReportSnapshotInput{
			StockFilter: api.StockFilter(at),
			Limit:       pageSize(reportPage, bare),
			Cursor:      cursor,
		}
	}, func(_ context.Context, rows []api.SnapshotRow) error {
		for i := range rows {
			take(&rows[i])
		}
		return nil
	})
}

// pageSize returns a page size, or nil if bare.
func pageSize(n int64, bare bool) *int64 {
	if bare {
		return nil
	}
	return &n
}

func omitIf[S ~string](bare bool, s S) S {
	if bare {
		return ""
	}
	return s
}

func omitTimeIf(bare bool, at *time.Time) *time.Time {
	if bare {
		return nil
	}
	return at
}
