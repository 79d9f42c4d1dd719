package e2e_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/testenv"
)

// newSerials numbers serials, whose labels stay in the queue of a printer that cannot be
// reached.
const newSerials = `
serials = "BC{NNNNN}"

[[printers]]
name    = "dock"
address = "tcp://127.0.0.1:1"
`

// killAfter runs a command and kills it after a time. It returns what it wrote and whether
// it ended before.
func (h *machine) killAfter(d time.Duration, args ...string) (out string, ended bool) {
	var text bytes.Buffer
	cmd := exec.Command(program(h.t), args...)
	cmd.Env, cmd.Stdout = h.env, &text
	if err := cmd.Start(); err != nil {
		h.t.Error(err)
		return "", false
	}
	timer := time.AfterFunc(d, func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
	defer timer.Stop()
	_ = cmd.Wait() // an error if it was killed
	return text.String(), cmd.ProcessState.Exited()
}

// queuedSerials returns the serial numbers of SCA-5 in the label queue.
func (h *machine) queuedSerials() (serials []string) {
	h.t.Helper()
	var list []struct {
		Title string `json:"title"`
	}
	require.NoError(h.t, json.Unmarshal([]byte(h.mustRun("label", "queue", "--all", "--json")), &list))
	for _, job := range list {
		serials = append(serials, strings.TrimPrefix(job.Title, "SCA-5 "))
	}
	return serials
}

// TestNewNumbers_KilledPrograms kills programs that give serial numbers at many moments,
// several at a time. No number is given twice, and those that a program reported are in the
// queue.
func TestNewNumbers_KilledPrograms(t *testing.T) {
	t.Parallel()
	rounds := testenv.KilledNumbering.Cases(t)
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	h.setUpLabels(newSerials)
	service := h.serve(c, "")
	h = h.withService(c, service.url)
	args := func(n int) []string {
		return []string{"label", "serial", "--sku", "SCA-5", "--next", strconv.Itoa(n), "--wait", "0s", "--json"}
	}
	whole := time.Minute // the shortest of a few runs
	for range 3 {
		begin := time.Now()
		_, ended := h.killAfter(time.Minute, args(1)...)
		require.True(t, ended)
		whole = min(whole, time.Since(begin))
	}

	const programs = 4
	var mu sync.Mutex
	var reported []string
	killed := 0
	for round := range rounds {
		var all sync.WaitGroup
		for i := range programs {
			// Those of a round run longer than one alone. The last ones are not killed.
			moment := whole * time.Duration(programs*round+i+1) / time.Duration(2*rounds)
			if round == rounds-1 {
				moment = time.Minute
			}
			all.Go(func() {
				out, ended := h.killAfter(moment, args(1+i)...)
				mu.Lock()
				defer mu.Unlock()
				if !ended {
					killed++
					return
				}
				var result struct {
					Numbers []string `json:"numbers"`
				}
				if err := json.Unmarshal([]byte(out), &result); err != nil {
					t.Errorf("%v: %s", err, out)
				}
				reported = append(reported, result.Numbers...)
			})
		}
		all.Wait()
	}
	given := map[string]int{}
	for _, serial := range h.queuedSerials() {
		given[serial]++
		require.Equal(t, 1, given[serial], "%s was given twice", serial)
	}
	for _, serial := range reported {
		require.Equal(t, 1, given[serial], "%s was reported, but has no label", serial)
	}
	t.Logf("%d of %d programs killed, %d numbers given, %d reported", killed, rounds*programs, len(given), len(reported))
	require.NotZero(t, killed)
	require.NotEmpty(t, reported)
	rest, err := filepath.Glob(h.path("data_home", "bincard", "labels", ".*"))
	require.NoError(t, err)
	require.Empty(t, rest, "killed programs leave files behind")
}
