package bench_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/api"
	"bincard/server/httpapi"
	"bincard/server/ledger"
)

const (
	roleVar    = "BINCARD_BENCH_ROLE" // empty or service
	argVar     = "BINCARD_BENCH_ARG"  // of empty: the bytes of its answer; of service: the data directory
	profileVar = "BINCARD_BENCH_PROFILE"
	spread     = 1000 // balances
)

// A world is what the generator has to know of a child.
type world struct {
	URL      string
	Key      string
	Org      api.ID
	Location api.ID
	Products []api.ID
}

// start runs a child until the test ends, or until the returned stop is called,
// which answers the processor time that the child took.
func start(b *testing.B, role, arg string) (w world, stop func() time.Duration) {
	b.Helper()
	exe, err := os.Executable()
	require.NoError(b, err)
	log, err := os.Create(filepath.Join(b.TempDir(), role+".log"))
	require.NoError(b, err)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), roleVar+"="+role, argVar+"="+arg, profileVar+"="+*profile)
	cmd.Stderr = log
	in, err := cmd.StdinPipe() // its end is the child's sign to end
	require.NoError(b, err)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	stop = sync.OnceValue(func() time.Duration {
		_ = in.Close()
		require.NoError(b, cmd.Wait())
		_ = log.Close()
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	})
	b.Cleanup(func() { stop() })
	line, err := bufio.NewReader(out).ReadBytes('\n')
	require.NoError(b, err)
	require.NoError(b, json.Unmarshal(line, &w))
	return w, stop
}

// play is the child's whole life.
func play(role string) int {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	var err error
	if role == "service" {
		err = playService(ctx, os.Getenv(argVar))
	} else if size, bad := strconv.Atoi(os.Getenv(argVar)); bad == nil {
		err = serve(ctx, emptyHandler(size), world{Products: make([]api.ID, 1)})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func serve(ctx context.Context, h http.Handler, w world) error {
	return httpapi.Serve(ctx, httpapi.ServeConfig{Addr: "127.0.0.1:0", Handler: h, Listening: func(a net.Addr) {
		w.URL = "http://" + a.String()
		line, _ := json.Marshal(w)
		fmt.Printf("%s\n", line)
	}})
}

// emptyHandler reads the body and answers so many bytes.
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

// playService is what `bincard serve` does, on a small warehouse.
func playService(ctx context.Context, dir string) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // as the command does
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	s, err := server.Open(server.Config{Dir: dir, Log: log})
	if err != nil {
		return err
	}
	defer s.Close()
	w, err := furnish(ctx, s)
	if err != nil {
		return err
	}
	done, err := profiled(os.Getenv(profileVar))
	if err != nil {
		return err
	}
	if err := serve(ctx, s.Handler(), w); err != nil {
		return err
	}
	return done()
}

// furnish makes an organization with a key, a location and the products.
func furnish(ctx context.Context, s *server.Server) (w world, err error) {
	org, err := s.Ledger.CreateOrganization(ctx, "Harbour Goods")
	if err != nil {
		return w, err
	}
	w.Org = org.ID
	if w.Key, _, err = s.Ledger.CreateKey(ctx, ledger.KeyInput{Organization: org.ID, Environment: api.Test, Scopes: api.Scopes}); err != nil {
		return w, err
	}
	svc := as(s, org.ID)
	place, err := api.CreateLocation.Call(ctx, svc, api.CreateLocationInput{Code: "WH-1", Name: "Main warehouse", Type: "warehouse"})
	if err != nil {
		return w, err
	}
	w.Location = place.ID
	for i := range spread {
		p, err := api.CreateProduct.Call(ctx, svc, api.CreateProductInput{SKU: fmt.Sprintf("OAT-%d", i), Name: fmt.Sprintf("Oat milk %d", i)})
		if err != nil {
			return w, err
		}
		w.Products = append(w.Products, p.ID)
	}
	return w, nil
}

func as(s *server.Server, org api.ID) api.Service {
	return api.As(s.Ledger, api.Caller{Organization: org, Environment: api.Test, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.User, Label: "bench"}}, "")
}

// profiled begins the profiles of this process; done writes them.
func profiled(dir string) (done func() error, err error) {
	if dir == "" {
		return func() error { return nil }, nil
	}
	runtime.MemProfileRate = 512 << 10
	cpu, err := os.Create(filepath.Join(dir, "cpu.pprof"))
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
		allocs, err := os.Create(filepath.Join(dir, "allocs.pprof"))
		if err != nil {
			return err
		}
		defer allocs.Close()
		return pprof.Lookup("allocs").WriteTo(allocs, 0)
	}, nil
}
