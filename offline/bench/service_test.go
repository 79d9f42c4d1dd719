package bench_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"bincard/server"
	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/bench"
	"bincard/server/ledger"
)

const (
	documentCount = 500
	productsVar   = "BINCARD_BENCH_PRODUCTS"  // the number of products, for the service
	locationsVar  = "BINCARD_BENCH_LOCATIONS" // the number of locations, for the service
)

// A serviceInfo is what a node needs to know of its service.
type serviceInfo struct {
	URL      string
	Key      string
	Org      api.ID
	Places   []api.ID
	Products []api.ID
}

// start runs a service in another process until the test ends.
func start(b *testing.B) (w serviceInfo) {
	b.Helper()
	bench.StartChild(b, "service", filepath.Join(b.TempDir(), "service"), &w, fmt.Sprint(productsVar, "=", *products), fmt.Sprint(locationsVar, "=", *locations))
	return w
}

// runService runs the service on a data directory.
func runService(ctx context.Context, _, dir string) error {
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	s, err := server.Open(server.Config{Dir: dir, Log: log, NoSync: true})
	if err != nil {
		return err
	}
	productCount, err := strconv.Atoi(os.Getenv(productsVar))
	if err != nil {
		return err
	}
	locationCount, err := strconv.Atoi(os.Getenv(locationsVar))
	if err != nil {
		return err
	}
	w, err := seed(ctx, s.Ledger, productCount, locationCount)
	if err != nil {
		return err
	}
	s.Close()
	if s, err = server.Open(server.Config{Dir: dir, Log: log}); err != nil {
		return err
	}
	defer s.Close()
	return bench.ServeChild(ctx, s.Handler(), func(url string) any {
		w.URL = url
		return w
	})
}

// seed creates an organization with a key, stock of every product at every
// location, and open documents.
func seed(ctx context.Context, l *ledger.Ledger, productCount, locationCount int) (w serviceInfo, err error) {
	org, err := l.CreateOrganization(ctx, "Harbor Goods")
	if err != nil {
		return w, err
	}
	w.Org = org.ID
	if w.Key, _, err = l.CreateKey(ctx, account.KeyInput{Organization: org.ID, Environment: api.Test, Scopes: api.Scopes}); err != nil {
		return w, err
	}
	svc := api.As(l, w.caller(), "")
	for i := range locationCount {
		p, err := api.CreateLocation.Call(ctx, svc, api.CreateLocationInput{Code: fmt.Sprintf("WH-%d", i+1), Name: fmt.Sprintf("Warehouse %d", i+1), Type: api.Warehouse})
		if err != nil {
			return w, err
		}
		w.Places = append(w.Places, p.ID)
	}
	w.Products = make([]api.ID, productCount)
	return w, inParallel(productCount, func(i int) error {
		p, err := api.CreateProduct.Call(ctx, svc, api.CreateProductInput{SKU: fmt.Sprintf("OAT-%d", i), Name: fmt.Sprintf("Oat milk %d", i)})
		if err != nil {
			return err
		}
		w.Products[i] = p.ID
		for _, location := range w.Places {
			if _, err := api.AdjustStock.Call(ctx, svc, adjust(p.ID, location)); err != nil {
				return err
			}
		}
		if i < documentCount {
			_, err = api.CreateInbound.Call(ctx, svc, api.CreateInboundInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: w.Places[0]}, ExpectedQuantity: 1000})
		}
		return err
	})
}

func (w *serviceInfo) caller() api.Caller {
	return api.Caller{Organization: w.Org, Environment: api.Test, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.APIKey, ID: "dock", Label: "Dock"}}
}

func adjust(product, location api.ID) api.AdjustStockInput {
	return api.AdjustStockInput{StockKey: api.StockKey{ProductID: product, LocationID: location}, InventoryState: api.Available, QuantityDelta: 5, Reason: "counted"}
}

// inParallel calls do for 0 to n-1, 64 at once.
func inParallel(n int, do func(i int) error) error {
	const workers = 64
	var wg sync.WaitGroup
	failed := make([]error, workers)
	for k := range workers {
		wg.Go(func() {
			for i := k; i < n && failed[k] == nil; i += workers {
				failed[k] = do(i)
			}
		})
	}
	wg.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}
