package intake

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// readEach reads what each distinct key stands for into a map, several at a time.
func readEach[T any](ctx context.Context, keys []string, into map[string]*T, read func(ctx context.Context, key string) (*T, error)) error {
	slices.Sort(keys)
	var mu sync.Mutex
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(concurrency)
	for _, key := range slices.Compact(keys) {
		work.Go(func() error {
			x, err := read(ctx, key)
			mu.Lock()
			defer mu.Unlock()
			into[key] = x
			return err
		})
	}
	return work.Wait()
}
