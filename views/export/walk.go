package export

import (
	"context"
	"sync/atomic"
)

// A Fetch returns a page of a report, the first one for an empty cursor. On the last
// page next is nil.
type Fetch[T any] func(ctx context.Context, cursor string) (items []T, next *string, err error)

// A Walk visits all pages of a report. After an error it resumes at the failed page.
// Only one goroutine may call Run at a time; Rows and Done are safe to call
// concurrently.
type Walk[T any] struct {
	fetch  Fetch[T]
	cursor string
	rows   atomic.Int64
	done   atomic.Bool
}

// NewWalk returns a walk over the pages of fetch.
func NewWalk[T any](fetch Fetch[T]) *Walk[T] { return &Walk[T]{fetch: fetch} }

// Run passes each page to visit until the last page, an error, or the end of ctx.
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

// Rows returns the number of rows visited so far.
func (w *Walk[T]) Rows() int64 { return w.rows.Load() }

// Done reports whether the last page was visited.
func (w *Walk[T]) Done() bool { return w.done.Load() }
