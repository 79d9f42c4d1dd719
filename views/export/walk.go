package export

import (
	"context"
	"sync/atomic"
)

// A Fetch answers one page of a report: the first one for an empty cursor. A
// nil next is the end.
type Fetch[T any] func(ctx context.Context, cursor string) (items []T, next *string, err error)

// A Walk goes through all pages of a report. Stopped or failed, it goes on with
// the page at which it stopped. Run is for one goroutine at a time; Rows and
// Done may be asked by others meanwhile.
type Walk[T any] struct {
	fetch  Fetch[T]
	cursor string
	rows   atomic.Int64
	done   atomic.Bool
}

// NewWalk makes a walk through what fetch answers.
func NewWalk[T any](fetch Fetch[T]) *Walk[T] { return &Walk[T]{fetch: fetch} }

// Run hands every page to visit, until the last one, an error, or the end of ctx.
func (w *Walk[T]) Run(ctx context.Context, visit func(rows []T) error) error {
	for !w.done.Load() {
		if err := ctx.Err(); err != nil {
			return err
		}
		items, next, err := w.fetch(ctx, w.cursor)
		if err != nil {
			return err
		}
		if err := visit(items); err != nil {
			return err
		}
		w.rows.Add(int64(len(items)))
		if next == nil || *next == w.cursor {
			w.done.Store(true)
			return nil
		}
		w.cursor = *next
	}
	return nil
}

// Rows is how many rows were visited so far.
func (w *Walk[T]) Rows() int64 { return w.rows.Load() }

// Done tells whether the last page was visited.
func (w *Walk[T]) Done() bool { return w.done.Load() }
