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

// readList reads all pages of a list, unless it is unavailable.
func readList[I, T any](p *poll, op api.Operation[I, api.List[T]], in func(cursor string, bare bool) I, take func(context.Context, []T) error) {
	if p.unavailable[op.Spec.ID] {
		return
	}
	p.tasks = append(p.tasks, &task{
		request: func(cursor string, bare bool) *api.Request { return NewRequest(op, in(cursor, bare)) },
		handle: func(ctx context.Context, out any) (*string, error) {
			page, ok := out.(*api.List[T])
			if !ok {
				return nil, fmt.Errorf("the answer is a %T", out)
			}
			return page.NextCursor, take(ctx, page.Items)
		},
	})
}

// readOne reads one answer.
func readOne[I, O any](p *poll, op api.Operation[I, O], in I, take func(*O) error) {
	p.tasks = append(p.tasks, &task{
		request: func(string, bool) *api.Request { return NewRequest(op, in) },
		handle: func(_ context.Context, out any) (*string, error) {
			o, ok := out.(*O)
			if !ok {
				return nil, fmt.Errorf("the answer is a %T", out)
			}
			return nil, take(o)
		},
	})
}

// readPages reads the pages of one answer. handle returns the cursor of the next page.
func readPages[I, O any](p *poll, op api.Operation[I, O], in func(cursor string) I, handle func(*O) *string) {
	p.tasks = append(p.tasks, &task{
		request: func(cursor string, _ bool) *api.Request { return NewRequest(op, in(cursor)) },
		handle: func(_ context.Context, out any) (*string, error) {
			o, ok := out.(*O)
			if !ok {
				return nil, fmt.Errorf("the answer is a %T", out)
			}
			return handle(o), nil
		},
	})
}

// readBalances reads the balances of a stock key.
func readBalances(p *poll, at api.StockKey, take func(*api.SnapshotRow)) {
	readList(p, api.ReportSnapshot, func(cursor string, bare bool) api.ReportSnapshotInput {
		return api.ReportSnapshotInput{StockFilter: api.StockFilter(at), Limit: pageSize(reportPage, bare), Cursor: cursor}
	}, func(_ context.Context, rows []api.SnapshotRow) error {
		for i := range rows {
			take(&rows[i])
		}
		return nil
	})
}

// pageSize returns a page size, nil if bare.
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
