package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"bincard/cmd/bincard/config"
	"bincard/server/budget"
	"bincard/server/built"
)

// TestScripts runs the scripts in testdata/script with the real program. With the race detector,
// which makes each start of a program slow, it runs those of programs that others use meanwhile.
func TestScripts(t *testing.T) {
	t.Parallel()
	names := []string{"*"}
	if budget.Raced {
		names = []string{"edge", "inbox", "offline", "outbox", "plain", "service", "shared", "ssh"}
	}
	var scripts []string
	for _, name := range names {
		found, err := filepath.Glob(filepath.Join("testdata", "script", name+".txtar"))
		require.NoError(t, err)
		require.NotEmpty(t, found, name)
		scripts = append(scripts, found...)
	}

	testscript.Run(t, testscript.Params{
		Files:     scripts,
		Condition: scriptCondition,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			for _, v := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"} {
				env.Setenv(v, filepath.Join(env.WorkDir, "home", v))
			}
			env.Setenv("GS", "\x1d")
			env.Setenv("ESC", "\x1b")
			env.Setenv("EXPIRY", built.Now().AddDate(1, 0, 0).Format(time.DateOnly))
			env.Vars = append(env.Vars, built.Environ()...)
			env.Setenv("GORACE", "atexit_sleep_ms=0") // by default, a process with the race detector sleeps a second on exit
			return os.MkdirAll(filepath.Join(env.WorkDir, "home"), 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"port": scriptPort, "await": scriptAwait, "http": scriptHTTP, "take": scriptTake,
			"exits": scriptExits, "damage": scriptDamage, "until": scriptUntil, "load": scriptLoad, "unload": scriptUnload, "expand": scriptExpand,
			"clock": scriptClock, "postgres": newPostgres(t).command, "printer": scriptPrinter(t), "site": scriptSite(t),
		},
	})
}

// scriptPort sets a variable to a free port: port NAME.
func scriptPort(ts *testscript.TestScript, _ bool, args []string) {
	addr, err := built.FreeAddress()
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
// as in package built. It sets EXPIRY to a date a year later.
func scriptClock(ts *testscript.TestScript, _ bool, args []string) {
	zone, err := time.LoadLocation(args[1])
	ts.Check(err)
	shift, err := built.ClockAt(args[0], zone)
	ts.Check(err)
	d, err := time.ParseDuration(shift)
	ts.Check(err)

	ts.Setenv("TZ", args[1])
	ts.Setenv(built.ClockVariable, shift)
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

func TestTerminal_RequiresScreen(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := terminal(t.Context(), config.Config{}, nil, &out)
	require.ErrorContains(t, err, "needs a screen")
}
