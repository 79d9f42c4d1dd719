package intake

import (
	"context"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"bincard/server/api"
)

// readEach reads what each distinct key stands for into a map, several at a time.
func readEach[T any](
	ctx context.Context,
	keys []string,
	into map[string]*T,
	read func(ctx context.Context, key string) (*T, error),
) error {
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

// loadProducts reads the products that the part names.
func (c *checker) loadProducts() error {
	k := &c.catalogue
	k.products, k.gtins, k.barcodes = map[string]*api.Product{}, map[string]*api.Match{}, map[string]*api.Product{}
	var skus, gtins, codes []string
	for _, c.row = range c.part {
		if sku := c.cell("sku"); sku != "" {
			skus = append(skus, foldName(sku))
		}

		for _, code := range strings.Split(c.cell("barcode")+"|"+c.cell("box barcode"), "|") {
			code = normalizeGTIN(code)
			if code != "" {
				codes = append(codes, code)
			}
		}

		if gtin := c.cell("gtin"); checkGTIN(gtin) == "" {
			gtins = append(gtins, normalizeGTIN(gtin))
		}
	}

	product := func(ctx context.Context, in api.ListProductsInput) (*api.Product, error) {
		list, err := api.ListProducts.Call(ctx, c.svc, in)
		if err != nil || len(list.Items) == 0 {
			return nil, err
		}
		return &list.Items[0], nil
	}

	err := readEach(c.ctx, skus, k.products, func(ctx context.Context, sku string) (*api.Product, error) {
		return product(ctx, api.ListProductsInput{SKU: sku})
	})
	if err != nil {
		return err
	}

	err = readEach(c.ctx, codes, k.barcodes, func(ctx context.Context, code string) (*api.Product, error) {
		return product(ctx, api.ListProductsInput{Barcode: code})
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
