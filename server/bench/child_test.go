package bench_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strconv"
	"sync"
	"testing"

	"bincard/server"
	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/bench"
	"bincard/server/memory"
)

const (
	profileVar = "BINCARD_BENCH_PROFILE"
	spread     = 1000 // balances
)

// A world is what the load generator needs to know of a child.
type world struct {
	URL      string
	Key      string
	Org      api.ID
	Location api.ID
	Products []api.ID

	// Pid is the child's process. Other is another organization, with a Balance
	// that has a history and the Last of its changes.
	Pid     int
	Other   *world
	Balance api.ID
	Last    int64
}

// start runs a child until the test ends or stop is called.
func start(b *testing.B, role, arg string) (w world, stop func()) {
	b.Helper()
	stop = bench.StartChild(b, role, arg, &w, profileVar+"="+*profile)
	return w, stop
}

// runChild runs a child: a service in the data directory or on the database arg, or an
// emptyHandler with answers of arg bytes.
func runChild(ctx context.Context, role, arg string) error {
	switch role {
	case "service", "shared":
		return runServiceChild(ctx, server.Config{Dir: arg}, role)
	case "database", "node":
		return runServiceChild(ctx, server.Config{Database: arg, CreateTables: true}, role)
	}
	size, err := strconv.Atoi(arg)
	if err != nil {
		return err
	}
	return serve(ctx, emptyHandler(size), world{Products: make([]api.ID, 1), Pid: os.Getpid()})
}

func serve(ctx context.Context, h http.Handler, w world) error {
	return bench.ServeChild(ctx, h, func(url string) any {
		w.URL = url
		return w
	})
}

// emptyHandler reads the body and writes size bytes.
func emptyHandler(size int) http.Handler {
	body := make([]byte, size)
	for i := range body {
		body[i] = '0' + byte(i%10)
	}
	length := []string{strconv.Itoa(len(body))}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header()["Content-Type"] = []string{"application/json"}
		w.Header()["Content-Length"] = length
		_, _ = w.Write(body)
	})
}

// runServiceChild serves as `bincard serve` does: in the role "node" what is in the
// database, in the others a new small warehouse, in "shared" and "database" beside that of
// another organization.
func runServiceChild(ctx context.Context, cfg server.Config, role string) error {
	memory.Manage(ctx)
	cfg.Log = slog.New(slog.NewJSONHandler(os.Stderr, nil))
	s, err := server.Open(cfg)
	if err != nil {
		return err
	}
	defer s.Close()
	var w world
	if role != "node" {
		if w, err = furnish(ctx, s); err != nil {
			return err
		}
	}
	if role == "shared" || role == "database" {
		if w.Other, err = furnishOther(ctx, s); err != nil {
			return err
		}
	}
	w.Pid = os.Getpid()
	done, err := profiled(os.Getenv(profileVar))
	if err != nil {
		return err
	}
	if err := serve(ctx, s.Handler(), w); err != nil {
		return err
	}
	return done()
}

// furnish creates an organization with a key, a location and the products.
func furnish(ctx context.Context, s *server.Server) (w world, err error) {
	org, err := s.Ledger.CreateOrganization(ctx, "Harbor Goods")
	if err != nil {
		return w, err
	}
	w.Org = org.ID
	if w.Key, _, err = s.Ledger.CreateKey(ctx, account.KeyInput{Organization: org.ID, Environment: api.Test, Scopes: api.Scopes}); err != nil {
		return w, err
	}
	svc := as(s, org.ID)
	location, err := api.CreateLocation.Call(ctx, svc, api.CreateLocationInput{Code: "WH-1", Name: "Main warehouse", Type: "warehouse"})
	if err != nil {
		return w, err
	}
	w.Location = location.ID
	for i := range spread {
		p, err := api.CreateProduct.Call(ctx, svc, api.CreateProductInput{SKU: fmt.Sprintf("OAT-%d", i), Name: fmt.Sprintf("Oat milk %d", i)})
		if err != nil {
			return w, err
		}
		w.Products = append(w.Products, p.ID)
	}
	return w, nil
}

// furnishOther creates another organization, with a history.
func furnishOther(ctx context.Context, s *server.Server) (*world, error) {
	w, err := furnish(ctx, s)
	if err != nil {
		return nil, err
	}
	svc := as(s, w.Org)
	adjust := func() (api.StockResult, error) {
		return api.AdjustStock.Call(ctx, svc, api.AdjustStockInput{StockKey: api.StockKey{ProductID: w.Products[0], LocationID: w.Location},
			InventoryState: api.Available, QuantityDelta: 5, Reason: "count"})
	}
	var all sync.WaitGroup
	for range 2 * spread {
		all.Go(func() { _, _ = adjust() }) // the last one below fails as they do
	}
	all.Wait()
	last, err := adjust()
	if err != nil {
		return nil, err
	}
	w.Balance = last.Balance.ID
	changes, err := api.ListChanges.Call(ctx, svc, api.ListChangesInput{})
	if err != nil {
		return nil, err
	}
	w.Last = changes.Latest
	return &w, nil
}

func as(s *server.Server, org api.ID) api.Service {
	return api.As(s.Ledger, api.Caller{Organization: org, Environment: api.Test, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.User, Label: "bench"}}, "")
}

// profiled starts profiling this process, of which there may be several; done writes the
// profiles.
func profiled(dir string) (done func() error, err error) {
	if dir == "" {
		return func() error { return nil }, nil
	}
	runtime.MemProfileRate = 512 << 10
	cpu, err := os.Create(filepath.Join(dir, fmt.Sprintf("cpu-%d.pprof", os.Getpid())))
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		if err := cpu.Close(); err != nil {
			return err
		}
		allocs, err := os.Create(filepath.Join(dir, fmt.Sprintf("allocs-%d.pprof", os.Getpid())))
		if err != nil {
			return err
		}
		defer allocs.Close()
		return pprof.Lookup("allocs").WriteTo(allocs, 0)
	}, nil
}
