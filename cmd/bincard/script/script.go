// Package script runs scripts with the real program, in the format of testscript, and has the
// commands that they need beside it: a printer, a database, a load, requests over HTTP.
package script

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"bincard/offline/edge"
	"bincard/server/api"
	"bincard/server/httpapi"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store/pgstore/pgtest"
	"bincard/server/testenv"
	"bincard/tui/label/labeltest"
	"bincard/views/viewtest"
)

// Run runs scripts. A program of "" means the one that testscript.Main has as bincard.
func Run(t *testing.T, program string, files ...string) {
	t.Helper()

	var programs string
	if program != "" {
		programs = t.TempDir()
		require.NoError(t, os.Symlink(program, filepath.Join(programs, filepath.Base(program))))
	}

	testscript.Run(t, testscript.Params{
		Files:     files,
		Condition: scriptCondition,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			for _, v := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"} {
				env.Setenv(v, filepath.Join(env.WorkDir, "home", v))
			}

			env.Setenv("GS", "\x1d")
			env.Setenv("ESC", "\x1b")
			env.Setenv("EXPIRY", testenv.Now().AddDate(1, 0, 0).Format(time.DateOnly))
			env.Vars = append(env.Vars, testenv.Environ()...)
			if programs != "" {
				env.Setenv("PATH", programs+string(filepath.ListSeparator)+env.Getenv("PATH"))
			}

			// By default, a process with the race detector sleeps a second on exit.
			env.Setenv("GORACE", "atexit_sleep_ms=0")

			return os.MkdirAll(filepath.Join(env.WorkDir, "home"), 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"port": scriptPort, "await": scriptAwait, "http": scriptHTTP, "take": scriptTake, "exits": scriptExits,
			"completes": scriptCompletes,
			"damage":    scriptDamage, "until": scriptUntil, "load": scriptLoad, "unload": scriptUnload,
			"expand": scriptExpand, "clock": scriptClock, "postgres": newPostgres(t).command,
			"printer": scriptPrinter(t), "site": scriptSite(t), "demo": scriptDemo(t),
		},
	})
}

// scriptPort sets a variable to a free port: port NAME.
func scriptPort(ts *testscript.TestScript, _ bool, args []string) {
	addr, err := testenv.FreeAddress()
	ts.Check(err)
	_, port, err := net.SplitHostPort(addr)
	ts.Check(err)
	ts.Setenv(args[0], port)
}

// scriptAwait waits until a URL answers with status 200: await URL.
func scriptAwait(ts *testscript.TestScript, _ bool, args []string) {
	poll(ts, args[0]+" does not answer", func() error {
		res, err := http.Get(args[0])
		if err != nil {
			return err
		}

		res.Body.Close()
		if res.StatusCode != http.StatusOK {
			return errors.New(res.Status)
		}

		return nil
	})
}

// poll waits until a condition returns no error.
func poll(ts *testscript.TestScript, failure string, condition func() error) {
	timeout := time.After(time.Minute)
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()

	for err := condition(); err != nil; err = condition() {
		select {
		case <-timeout:
			ts.Fatalf("%s: %v", failure, err)
		case <-again.C:
		}
	}
}

// scriptClock sets the clock and the time zone of the programs: clock DATE ZONE, with a DATE
// as in package testenv. It sets EXPIRY to a date a year later.
func scriptClock(ts *testscript.TestScript, _ bool, args []string) {
	zone, err := time.LoadLocation(args[1])
	ts.Check(err)
	shift, err := testenv.ClockAt(args[0], zone)
	ts.Check(err)
	d, err := time.ParseDuration(shift)
	ts.Check(err)

	ts.Setenv("TZ", args[1])
	ts.Setenv(testenv.ClockVariable, shift)
	ts.Setenv("EXPIRY", time.Now().In(zone).Add(d).AddDate(1, 0, 0).Format(time.DateOnly))
}

// scriptHTTP sends a request and prints the status and the body: http METHOD URL KEY
// [IDEMPOTENCY-KEY BODY]. The body is also written to the file answer.
func scriptHTTP(ts *testscript.TestScript, neg bool, args []string) {
	var body io.Reader
	if len(args) > 4 {
		body = bytes.NewReader([]byte(args[4]))
	}

	req, err := http.NewRequest(args[0], args[1], body)
	ts.Check(err)
	req.Header.Set("Authorization", "Bearer "+args[2])
	if len(args) > 4 {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", args[3])
	}

	res, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	ts.Check(err)
	replayed := ""
	if res.Header.Get("Idempotent-Replayed") == "true" {
		replayed = " replayed"
	}

	ts.Check(os.WriteFile(ts.MkAbs("answer"), text, 0o600))
	fmt.Fprintf(ts.Stdout(), "%d%s %s\n", res.StatusCode, replayed, text)
	if bad := res.StatusCode >= 400; bad != neg {
		ts.Fatalf("%s %s answered %d: %s", args[0], args[1], res.StatusCode, text)
	}
}

// scriptExits runs bincard and requires its exit status: exits STATUS ARGS….
func scriptExits(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec("bincard", args[1:]...)
	status := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		status = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("bincard %q: %v", args[1:], err)
	}

	if fmt.Sprint(status) != args[0] {
		ts.Fatalf("bincard %q ended with %d, not %s", args[1:], status, args[0])
	}
}

// scriptCompletes completes a command like the shell: completes ARG.... A completion that takes
// too long is empty; it asks until it is not.
func scriptCompletes(ts *testscript.TestScript, _ bool, args []string) {
	args = append([]string{"__complete"}, args...)
	poll(ts, "no completion", func() error {
		err := ts.Exec("bincard", args...)
		if err == nil && strings.HasPrefix(ts.ReadFile("stdout"), ":") {
			err = fmt.Errorf("bincard %q is empty", args)
		}
		return err
	})
}

// scriptTake sets a variable to what the pattern's first group matches in a file: take
// NAME FILE PATTERN.
func scriptTake(ts *testscript.TestScript, _ bool, args []string) {
	found := regexp.MustCompile(args[2]).FindStringSubmatch(ts.ReadFile(args[1]))
	if len(found) < 2 {
		ts.Fatalf("%s is not in %s", args[2], args[1])
	}
	ts.Setenv(args[0], found[1])
}

// scriptExpand replaces the variables in files by their values: expand FILE….
func scriptExpand(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		text := os.Expand(ts.ReadFile(name), ts.Getenv)
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
	}
}

// scriptDamage copies a file and damages the copy: damage FROM TO half|middle. It cuts
// off the second half, or overwrites the middle.
func scriptDamage(ts *testscript.TestScript, _ bool, args []string) {
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	switch args[2] {
	case "half":
		data = data[:len(data)/2]
	case "middle":
		copy(data[4*os.Getpagesize():], bytes.Repeat([]byte{0xAA}, len(data)))
	default:
		ts.Fatalf("damage half or middle, not %s", args[2])
	}

	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o600))
}

// scriptUntil waits until a file or a response matches a pattern: until FILE PATTERN,
// until URL PATTERN KEY.
func scriptUntil(ts *testscript.TestScript, _ bool, args []string) {
	pattern := regexp.MustCompile(args[1])
	poll(ts, fmt.Sprintf("%s does not match %s", args[0], args[1]), func() error {
		text, err := readSource(ts, args)
		if err == nil && !pattern.Match(text) {
			err = errors.New(string(text))
		}
		return err
	})
}

func readSource(ts *testscript.TestScript, args []string) ([]byte, error) {
	if len(args) < 3 {
		return os.ReadFile(ts.MkAbs(args[0]))
	}

	req, err := http.NewRequest("GET", args[0], nil)
	ts.Check(err)
	req.Header.Set("Authorization", "Bearer "+args[2])
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}

	defer res.Body.Close()

	return io.ReadAll(res.Body)
}

// scriptPrinter starts a label printer and sets a variable to its address: printer NAME
// [good|out|reset|refuse].... Each connection behaves as the next word says, and as one that
// works after them.
func scriptPrinter(t *testing.T) func(*testscript.TestScript, bool, []string) {
	behaviors := map[string]labeltest.PrinterBehavior{
		"good":   labeltest.GoodPrinter,
		"out":    {CloseAfter: -1, Status: labeltest.MediaOut},
		"reset":  {CloseAfter: -1, Reset: true},
		"refuse": {Refuse: true},
	}

	return func(ts *testscript.TestScript, _ bool, args []string) {
		next := args[1:]
		fake := labeltest.StartPrinter(t, func() labeltest.PrinterBehavior {
			if len(next) == 0 {
				return labeltest.GoodPrinter
			}
			word := next[0]
			next = next[1:]
			return behaviors[word]
		})

		ts.Setenv(args[0], strings.TrimPrefix(fake.Address, "tcp://"))
	}
}

// loads maps a running script to its load.
var loads sync.Map

// A load writes to a service until it is stopped.
type load struct {
	stop  context.CancelFunc
	ended chan error
}

// scriptLoad creates locations in a service until unload: load URL KEY. It returns after
// the first twenty.
func scriptLoad(ts *testscript.TestScript, _ bool, args []string) {
	ctx, cancel := context.WithCancel(context.Background())
	l := &load{stop: cancel, ended: make(chan error, 1)}
	var written atomic.Int64
	started := make(chan struct{})
	url, key := args[0], args[1]
	go func() {
		for i := int64(1); ctx.Err() == nil; i++ {
			body := fmt.Sprintf(`{"code":"load-%d","name":"Load","type":"store"}`, i)
			req, err := http.NewRequest("POST", url+"/locations", strings.NewReader(body))
			if err != nil {
				l.ended <- err
				return
			}

			req.Header.Set("Authorization", "Bearer "+key)
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Idempotency-Key", fmt.Sprintf("load-%d", i))
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				l.ended <- err
				return
			}

			res.Body.Close()
			if res.StatusCode != http.StatusCreated {
				l.ended <- fmt.Errorf("write %d: %s", i, res.Status)
				return
			}
			if written.Add(1) == 20 {
				close(started)
			}
		}

		l.ended <- nil
	}()

	ts.Defer(cancel)
	select {
	case <-started:
	case err := <-l.ended:
		ts.Fatalf("the load ended: %v", err)
	}

	loads.Store(ts, l)
}

// scriptUnload stops the load and fails if a write failed.
func scriptUnload(ts *testscript.TestScript, _ bool, _ []string) {
	l, ok := loads.LoadAndDelete(ts)
	if !ok {
		ts.Fatalf("no load is running")
	}
	l.(*load).stop()
	ts.Check(<-l.(*load).ended)
}

// scriptCondition evaluates the conditions [postgres], whether tests that need PostgreSQL run,
// and [long], whether those of make test-long run.
func scriptCondition(name string) (bool, error) {
	switch name {
	case "postgres":
		return pgtest.IsRequired(), nil
	case "long":
		return testenv.Long(), nil
	}

	return false, fmt.Errorf("unknown condition %q", name)
}

// scriptDemo returns a command that copies a demo warehouse, which takes a second to make, to
// the script's home directory: demo.
func scriptDemo(t *testing.T) func(*testscript.TestScript, bool, []string) {
	home := t.TempDir()
	made := filepath.Join(home, "demo")
	makeDemo := sync.OnceValue(func() error {
		program, err := testenv.Commands()
		if err != nil {
			return err
		}

		cmd := exec.Command(program, "report", "snapshot", "--demo", "--data", made, "--limit", "1")
		cmd.Env = append(testenv.Environ(), "HOME="+home)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("the demo cannot be made: %w\n%s", err, out)
		}

		return nil
	})

	return func(ts *testscript.TestScript, _ bool, _ []string) {
		ts.Check(makeDemo())
		ts.Check(os.CopyFS(filepath.Join(ts.Getenv("XDG_DATA_HOME"), "bincard", "demo"), os.DirFS(made)))
	}
}

// A postgres runs the PostgreSQL servers of scripts, which end with the test.
type postgres struct {
	t       *testing.T
	servers sync.Map // *pgtest.Server by *testscript.TestScript
}

func newPostgres(t *testing.T) *postgres { return &postgres{t: t} }

// command gives the script a database, or a server of its own, which takes seconds:
//
//	postgres database NAME  creates an empty database, and sets NAME to its URL
//	postgres start          starts a server, and sets DB to a database's URL, and PGDIR to the socket's directory
//	postgres stop|restart
//	postgres standby        restarts the server as a standby
//	postgres passwords      requires passwords of all roles but the superuser
//	postgres run SQL        runs a statement in the database DB
func (p *postgres) command(ts *testscript.TestScript, _ bool, args []string) {
	switch args[0] {
	case "database":
		ts.Setenv(args[1], pgtest.Common(p.t).Database(p.t))
		return
	case "start":
		s := pgtest.Start(p.t)
		p.servers.Store(ts, s)
		ts.Setenv("DB", s.Database(p.t))
		ts.Setenv("PGDIR", filepath.Dir(s.Socket()))
		return

	case "run":
		conn, err := pgx.Connect(context.Background(), ts.Getenv("DB"))
		ts.Check(err)
		defer func() { _ = conn.Close(context.Background()) }()
		_, err = conn.Exec(context.Background(), args[1])
		ts.Check(err)
		return
	}

	found, ok := p.servers.Load(ts)
	if !ok {
		ts.Fatalf("postgres start comes first")
	}

	s := found.(*pgtest.Server)
	switch args[0] {
	case "stop":
		s.Kill()
	case "restart":
		s.Restart(p.t)
	case "standby":
		s.BecomeStandby(p.t)
	case "passwords":
		s.RequirePasswords(p.t)
	default:
		ts.Fatalf("postgres database, start, stop, restart, standby, passwords or run, not %s", args[0])
	}
}

// scriptSite starts the service of a site with work in every state before it is synced, and
// sets BINCARD_URL, BINCARD_ORG and BINCARD_KEY to it: site. Nothing syncs the work. Three
// operations of scanner-1 and two of scanner-2 failed. The service recorded other work with
// the key night-0, gave no answer to sent, and does not have unrecorded.
func scriptSite(t *testing.T) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, _ bool, _ []string) {
		w := ledgertest.Open(t)
		mug, main := w.Product("MUG-W", api.TrackNone), w.Location("WH-1")
		cup, jar := w.Product("CUP-1", api.TrackNone), w.Product("JAR-1", api.TrackNone)
		w.Stock(mug.ID, main.ID, 30)
		proxy := viewtest.NewFaultProxy(w.Service)
		node := viewtest.NewNode(t, w, proxy)
		office := api.Caller{Organization: w.Org.ID, Environment: api.Live, Scopes: api.Scopes, KeyID: uuid.New(),
			Actor: api.Actor{Type: api.APIKey, ID: "office", Label: "office"}}
		site := edge.New(node.Node, office, api.Access{Organization: w.Org, Environment: api.Live, Scopes: api.Scopes})
		adjust := func(at api.Service, product api.Product, delta int64, options ...api.Option) {
			in := api.AdjustStockInput{StockKey: api.StockKey{ProductID: product.ID, LocationID: main.ID},
				InventoryState: api.OnHand, QuantityDelta: delta, Reason: "counted"}
			_, err := api.AdjustStock.Call(t.Context(), at, in, options...)
			require.NoError(t, err)
		}

		node.Disconnect()
		adjust(w.Service, mug, 5, api.Key("night-0"), api.By("Ada"))
		adjust(node, mug, 7, api.Key("night-0"), api.By("Ben"))
		for _, device := range []string{"scanner-1", "scanner-1", "scanner-1", "scanner-2", "scanner-2"} {
			scanner := office
			scanner.KeyID, scanner.KeyLabel = uuid.New(), device
			adjust(api.As(site, scanner, ""), mug, -1)
		}

		adjust(w.Service, mug, -35)
		node.Connect()

		proxy.Fail(api.AdjustStock.Spec, &api.Error{Code: api.Unavailable, Message: "connection reset"}, nil)
		adjust(node, cup, 1, api.Key("unrecorded"))
		for range 20 {
			w.Clock.Advance(4 * time.Minute)
			node.Sync()
		}

		w.Clock.Advance(31 * time.Second)
		adjust(node, jar, 1, api.Key("sent"))
		node.Sync()

		srv := httptest.NewServer(httpapi.New(httpapi.Config{Service: site, Extra: api.NodeOperations(),
			Now: w.Clock.Now, Logger: slog.New(slog.DiscardHandler),
			Authenticate: func(context.Context, string) (*api.Caller, error) { return &office, nil }}))
		ts.Defer(srv.Close)
		ts.Setenv("BINCARD_URL", srv.URL)
		ts.Setenv("BINCARD_ORG", w.Org.ID.String())
		ts.Setenv("BINCARD_KEY", "bc_live_office")
	}
}
