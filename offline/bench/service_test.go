package bench_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/api"
	"bincard/server/httpapi"
	"bincard/server/ledger"
)

const (
	roleVar = "BINCARD_BENCH_ROLE" // the data directory of a service
	wide    = 5000                 // products, each at every place
	places  = 4
	open    = 500 // documents
)

// A world is what a node has to know of its service.
type world struct {
	URL      string
	Key      string
	Org      api.ID
	Places   []api.ID
	Products []api.ID
}

// start runs a service in a process of its own, until the test ends.
func start(b *testing.B) (w world) {
	b.Helper()
	exe, err := os.Executable()
	require.NoError(b, err)
	log, err := os.Create(filepath.Join(b.TempDir(), "service.log"))
	require.NoError(b, err)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), roleVar+"="+filepath.Join(b.TempDir(), "service"))
	cmd.Stderr = log
	in, err := cmd.StdinPipe() // its end is the child's sign to end
	require.NoError(b, err)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		_ = in.Close()
		require.NoError(b, cmd.Wait())
		_ = log.Close()
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	require.NoError(b, err)
	require.NoError(b, json.Unmarshal(line, &w))
	return w
}

// play is the service's whole life.
func play(dir string) int {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	if err := serve(ctx, dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func serve(ctx context.Context, dir string) error {
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	s, err := server.Open(server.Config{Dir: dir, Log: log, NoSync: true})
	if err != nil {
		return err
	}
	w, err := furnish(ctx, s.Ledger)
	if err != nil {
		return err
	}
	s.Close()
	if s, err = server.Open(server.Config{Dir: dir, Log: log}); err != nil {
		return err
	}
	defer s.Close()
	return httpapi.Serve(ctx, httpapi.ServeConfig{Addr: "127.0.0.1:0", Handler: s.Handler(), Listening: func(a net.Addr) {
		w.URL = "http://" + a.String()
		line, _ := json.Marshal(w)
		fmt.Printf("%s\n", line)
	}})
}

// furnish makes an organization with a key, its catalogue, stock of every
// product at every place, and open documents.
func furnish(ctx context.Context, l *ledger.Ledger) (w world, err error) {
	org, err := l.CreateOrganization(ctx, "Harbour Goods")
	if err != nil {
		return w, err
	}
	w.Org = org.ID
	if w.Key, _, err = l.CreateKey(ctx, ledger.KeyInput{Organization: org.ID, Environment: api.Test, Scopes: api.Scopes}); err != nil {
		return w, err
	}
	svc := api.As(l, w.caller(), "")
	for i := range places {
		p, err := api.CreateLocation.Call(ctx, svc, api.CreateLocationInput{Code: fmt.Sprintf("WH-%d", i+1), Name: fmt.Sprintf("Warehouse %d", i+1), Type: api.Warehouse})
		if err != nil {
			return w, err
		}
		w.Places = append(w.Places, p.ID)
	}
	w.Products = make([]api.ID, wide)
	return w, crowd(wide, func(i int) error {
		p, err := api.CreateProduct.Call(ctx, svc, api.CreateProductInput{SKU: fmt.Sprintf("OAT-%d", i), Name: fmt.Sprintf("Oat milk %d", i)})
		if err != nil {
			return err
		}
		w.Products[i] = p.ID
		for _, place := range w.Places {
			if _, err := api.AdjustStock.Call(ctx, svc, adjust(p.ID, place)); err != nil {
				return err
			}
		}
		if i < open {
			_, err = api.CreateInbound.Call(ctx, svc, api.CreateInboundInput{ProductID: p.ID, LocationID: w.Places[0], ExpectedQuantity: 1000})
		}
		return err
	})
}

func (w *world) caller() api.Caller {
	return api.Caller{Organization: w.Org, Environment: api.Test, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.APIKey, ID: "dock", Label: "Dock"}}
}

func adjust(product, place api.ID) api.AdjustStockInput {
	return api.AdjustStockInput{ProductID: product, LocationID: place, InventoryState: api.Available, QuantityDelta: 5, Reason: "counted"}
}

// crowd does n things, 64 at once.
func crowd(n int, do func(i int) error) error {
	const hands = 64
	var wg sync.WaitGroup
	failed := make([]error, hands)
	for k := range hands {
		wg.Go(func() {
			for i := k; i < n && failed[k] == nil; i += hands {
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
