// Package bench measures the service as clients use it: over HTTP on loopback,
// durable, with a key and an idempotency key per request. For comparison it
// measures a handler that stores nothing behind the same server.
//
// Each side runs in another process, which is this test binary again, so that
// the load generator's garbage is not the service's. All share one machine:
// the ratios are the result, the rates depend on what else runs.
//
//	go test -run '^$' -bench . ./server/bench
//	go test -run '^$' -bench Load ./server/bench -profile DIR   writes cpu-PID.pprof and allocs-PID.pprof of each service
//	go test -run '^$' -bench Fair ./server/bench -flood reports          one organization while another floods the service
//	go test -run '^$' -bench Fair ./server/bench -rest 1m -timeout 30m   and the memory of the service a minute after each flood
//	BINCARD_MOVEMENTS=10000000 go test -run '^$' -bench Large ./server/bench -timeout 3h
package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/httpapi"
)

const (
	roleVar = "BINCARD_BENCH_ROLE"
	argVar  = "BINCARD_BENCH_ARG"
)

// StartChild runs a child in a role until the test ends or stop is called. What the
// child writes when it is ready is decoded into ready. Variables of the form
// NAME=VALUE are added to its environment.
func StartChild(b *testing.B, role, arg string, ready any, variables ...string) (stop func()) {
	b.Helper()
	exe, err := os.Executable()
	require.NoError(b, err)
	log, err := os.Create(filepath.Join(b.TempDir(), role+".log"))
	require.NoError(b, err)
	cmd := exec.Command(exe)
	cmd.Env = append(append(os.Environ(), roleVar+"="+role, argVar+"="+arg), variables...)
	cmd.Stderr = log
	in, err := cmd.StdinPipe() // closing it ends the child
	require.NoError(b, err)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	stop = sync.OnceFunc(func() {
		_ = in.Close()
		require.NoError(b, cmd.Wait())
		_ = log.Close()
	})
	b.Cleanup(stop)
	line, err := bufio.NewReader(out).ReadBytes('\n')
	require.NoError(b, err)
	require.NoError(b, json.Unmarshal(line, ready))

	return stop
}

// RunIfChild is for TestMain: in a child it calls run with a context that ends
// when the parent closes its pipe, and exits. Elsewhere it does nothing.
func RunIfChild(run func(ctx context.Context, role, arg string) error) {
	role := os.Getenv(roleVar)
	if role == "" {
		return
	}

	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	if err := run(ctx, role, os.Getenv(argVar)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}

	os.Exit(0)
}

// ServeChild serves on loopback until ctx ends. It writes the result of ready,
// which is called with the URL, to the parent.
func ServeChild(ctx context.Context, h http.Handler, ready func(url string) any) error {
	return httpapi.Serve(ctx, httpapi.ServeConfig{Addr: "127.0.0.1:0", Handler: h, Listening: func(a net.Addr) {
		line, err := json.Marshal(ready("http://" + a.String()))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		fmt.Printf("%s\n", line)
	}})
}
