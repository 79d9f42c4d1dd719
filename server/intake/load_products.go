package intake

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"bincard/server/api"
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

// loadProducts reads the products that the table names.
func (c *checker) loadProducts() error {
	k := &c.catalogue
	k.products, k.gtins = map[string]*api.Product{}, map[string]*api.Match{}
	var skus, gtins []string
	for _, c.row = range c.table.Rows {
		if sku := c.cell("sku"); sku != "" {
			skus = append(skus, foldName(sku))
		}
		if gtin := c.cell("gtin"); checkGTIN(gtin) == "" {
			gtins = append(gtins, normalizeGTIN(gtin))
		}
	}
	err := readEach(c.ctx, skus, k.products, func(ctx context.Context, sku string) (*api.Product, error) {
		list, err := api.ListProducts.Call(ctx, c.svc, api.ListProductsInput{SKU: sku})
		if err != nil || len(list.Items) == 0 {
			return nil, err
		}
		return &list.Items[0], nil
	})
	if err != nil {
		return err
	}
	return readEach(c.ctx, gtins, k.gtins, func(ctx context.Context, gtin string) (*api.Match, error) {
		found, err := api.LookUp.Call(ctx, c.svc, api.LookupInput{Code: gtin, Kind: api.KindProduct})
		if err != nil || len(found.Matches) == 0 {
			return nil, err
		}
		return &found.Matches[0], nil
	})
}
