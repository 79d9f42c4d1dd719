package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"bincard/server/demo"
	"bincard/server/testenv"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
)

// durations are the measurements of a benchmark.
type durations []time.Duration

// report reports the given ranks in milliseconds instead of the mean.
func (s durations) report(b *testing.B, ranks ...string) {
	b.Helper()
	slices.Sort(s)
	at := map[string]int{"min": 0, "p50": len(s) / 2, "p99": len(s) * 99 / 100, "max": len(s) - 1}
	for _, r := range ranks {
		b.ReportMetric(float64(s[at[r]].Microseconds())/1000, "ms-"+r)
	}
	b.ReportMetric(0, "ns/op")
}

// newDemoMachine returns a machine with the demo's ledger (200 products, a month of work) and
// the ledger's directory.
func newDemoMachine(b *testing.B) (*machine, string) {
	b.Helper()
	h := newMachine(b)
	require.NoError(b, demo.Make(b.Context(), h.path("demo"), testenv.Now()))
	return h, h.path("demo")
}

// BenchmarkFirstFrame measures the time from exec to the first screen, and to its counts,
// on a ledger of 200 products.
func BenchmarkFirstFrame(b *testing.B) {
	h, dir := newDemoMachine(b)
	program(b)
	for name, answering := range map[string]bool{"answering": true, "silent": false} {
		b.Run(name, func(b *testing.B) {
			var frames, counts durations
			for b.Loop() {
				l := h.openLine(answering, "--data", dir, "--location", "WH-1", "--theme", "dark")
				l.waitFor(firstQuestion, 0)
				frames = append(frames, time.Since(l.started))
				l.waitFor(" in stock", 0)
				counts = append(counts, time.Since(l.started))
				l.send("\x11")
				<-l.exited
				l.close()
			}
			frames.report(b, "min", "p50", "max")
			slices.Sort(counts)
			b.ReportMetric(float64(counts[len(counts)/2].Microseconds())/1000, "ms-counts-p50")
		})
	}
}

// BenchmarkIdle measures CPU, output and memory of the idle program for ten seconds.
func BenchmarkIdle(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("it reads /proc")
	}
	h, dir := newDemoMachine(b)
	for b.Loop() {
		l := h.openLine(true, "--data", dir, "--location", "WH-1", "--theme", "dark")
		l.waitFor(" in stock", 0)
		begun, before := time.Now(), cpu(b, l.cmd.Process.Pid)
		written := len(l.bytes())
		<-time.After(10 * time.Second)
		used := cpu(b, l.cmd.Process.Pid) - before
		b.ReportMetric(100*used.Seconds()/time.Since(begun).Seconds(), "%core")
		b.ReportMetric(float64(len(l.bytes())-written)/10, "bytes-painted/s")
		b.ReportMetric(float64(resident(b, l.cmd.Process.Pid))/1e6, "MB-resident")
		b.ReportMetric(0, "ns/op")
		l.close()
	}
}

// cpu returns the CPU time that a process has used.
func cpu(b *testing.B, pid int) time.Duration {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	require.NoError(b, err)
	fields := strings.Fields(string(text[strings.LastIndex(string(text), ")")+1:]))
	user, err := strconv.Atoi(fields[11])
	require.NoError(b, err)
	system, err := strconv.Atoi(fields[12])
	require.NoError(b, err)
	return time.Duration(user+system) * time.Second / 100 // a tick is a hundredth on every Linux
}

// resident returns the resident memory of a process in bytes.
func resident(b *testing.B, pid int) int64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(b, err)
	_, after, _ := strings.Cut(string(text), "VmRSS:")
	kb, err := strconv.ParseInt(strings.Fields(after)[0], 10, 64)
	require.NoError(b, err)
	return kb * 1024
}

// openReceiving starts the program on a large inbound.
func openReceiving(b *testing.B) *ptyTerminal {
	b.Helper()
	h := newMachine(b)
	c := newCompany(b, h.path("data"))
	c.addLargeInbound()
	l := h.openLine(true, "--data", c.dir, "--location", "WH-1", "--theme", "dark", "receive/PO-2")
	l.waitFor("Scan a box", 0)
	return l
}

// alternating are two codes to scan in turn: a code repeated at once counts as one scan.
var alternating = [2]struct {
	code   string
	pieces int64
}{{oatBox, 12}, {oatPiece, 1}}

// BenchmarkScanToAccepted measures the time from the last byte of a scan to the painted
// count, on a local ledger, with the draft on disk.
func BenchmarkScanToAccepted(b *testing.B) {
	l := openReceiving(b)
	var times durations
	total, from := int64(0), len(l.bytes())
	for i := 0; b.Loop(); i++ {
		<-time.After(time.Duration(17+i*7%23) * time.Millisecond) // not in step with the frames
		p := alternating[i%2]
		total += p.pieces
		begun := time.Now()
		l.send(p.code + "\r")
		from = l.waitFor("receive "+i18n.New(i18n.Language{}).Count(total), from)
		times = append(times, time.Since(begun))
	}
	times.report(b, "p50", "p99", "max")
}

// scanTime returns how long BenchmarkTwentyScansASecond scans: 15 s, or
// BINCARD_SCAN_TIME.
func scanTime(b *testing.B) time.Duration {
	b.Helper()
	text := os.Getenv("BINCARD_SCAN_TIME")
	if text == "" {
		return 15 * time.Second
	}
	span, err := time.ParseDuration(text)
	require.NoError(b, err, "BINCARD_SCAN_TIME")
	require.Positive(b, span, "BINCARD_SCAN_TIME")
	return span
}

// BenchmarkTwentyScansASecond scans at that rate and checks that no scan is lost.
func BenchmarkTwentyScansASecond(b *testing.B) {
	const pace = 50 * time.Millisecond
	span := scanTime(b)
	for b.Loop() {
		l := openReceiving(b)
		total, n := int64(0), int(span/pace)
		tick := time.NewTicker(pace)
		for i := range n {
			<-tick.C
			l.send(alternating[i%2].code + "\r")
			total += alternating[i%2].pieces
		}
		tick.Stop()
		l.waitFor("receive "+i18n.New(i18n.Language{}).Count(total), 0)
		b.ReportMetric(float64(n), "scans")
		b.ReportMetric(0, "lost")
		b.ReportMetric(0, "ns/op")
		l.close()
	}
}

// rows is a screen with a list of 100,000 rows.
type rows struct {
	env  tui.Env
	list widget.List[int]
}

func (r *rows) Init(env tui.Env) tea.Cmd { r.env = env; return nil }
func (r *rows) Title() string            { return "Movements" }
func (r *rows) Actions() []tui.Action    { return nil }
func (r *rows) View(s tui.Size) string   { return r.list.View(r.env.Theme, s.Width, s.Height) }

func (r *rows) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok {
		r.list.Key(k)
	}
	return r, nil
}

func manyRows(tui.Env) (tui.Screen, error) {
	r := &rows{list: widget.NewList(func(i int) string { return fmt.Sprint(i) },
		widget.Column[int]{Title: "sku", Cell: func(i int) string { return fmt.Sprintf("OAT-%d", i) }},
		widget.Column[int]{Title: "operation", Width: 17, Rank: 1, Cell: func(int) string { return "inbound_receive" }},
		widget.Column[int]{Title: "after", Width: 9, Right: true, Cell: func(i int) string { return i18n.New(i18n.Language{}).Count(int64(i)) }})}
	all := make([]int, 100_000)
	for i := range all {
		all[i] = i
	}
	r.list.SetRows(all)
	return r, nil
}

// terminalOutput collects the program's output and notifies of each write.
type terminalOutput struct {
	mu     sync.Mutex
	text   bytes.Buffer
	notify chan struct{}
}

func (p *terminalOutput) Write(b []byte) (int, error) {
	p.mu.Lock()
	p.text.Write(b)
	p.mu.Unlock()
	select {
	case p.notify <- struct{}{}:
	default:
	}
	return len(b), nil
}

// waitFor waits until text is painted after the last match.
func (p *terminalOutput) waitFor(b *testing.B, text string) {
	b.Helper()
	late := time.After(waitTimeout)
	for {
		p.mu.Lock()
		found := bytes.Contains([]byte(ansi.Strip(p.text.String())), []byte(text))
		if found {
			p.text.Reset()
		}
		p.mu.Unlock()
		if found {
			return
		}
		select {
		case <-p.notify:
		case <-late:
			b.Fatalf("%q was not painted", text)
		}
	}
}

// BenchmarkKeyToFrame measures the time from a key to the painted bytes, in a list of
// 100,000 rows at 200x60.
func BenchmarkKeyToFrame(b *testing.B) {
	p := &terminalOutput{notify: make(chan struct{}, 1)}
	s := tuitest.Start(b, shell.Options{Registry: tui.NewRegistry().Add("home", "Home", manyRows), Output: p})
	s.Size(200, 60)
	p.waitFor(b, "OAT-50 ")
	var times durations
	for i := 1; b.Loop(); i++ {
		<-time.After(time.Duration(17+i*7%23) * time.Millisecond) // not in step with the frames
		begun := time.Now()
		s.Input("\x1b[B")
		p.waitFor(b, fmt.Sprintf("▸ OAT-%d ", i))
		times = append(times, time.Since(begun))
	}
	times.report(b, "p50", "p99", "max")
}
