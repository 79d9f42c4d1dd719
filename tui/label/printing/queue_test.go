package printing_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/testenv"
	"bincard/tui/label/labeltest"
	"bincard/tui/label/printing"
)

func add(t *testing.T, q *printing.Queue, printer, title string) printing.Job {
	t.Helper()
	job, err := q.Add(printing.Job{Printer: printer, Title: title, Data: []byte("^XA^FD" + title + "^FS^XZ"), Operator: "Ada"})
	require.NoError(t, err)
	return job
}

// states returns the state of each job, in order.
func states(t *testing.T, q *printing.Queue) (out []printing.JobState) {
	t.Helper()
	jobs, err := q.Jobs()
	require.NoError(t, err)
	for _, j := range jobs {
		out = append(out, j.State)
	}
	return out
}

// recorder returns a worker that notes what it prints.
func recorder(q *printing.Queue, printed *[]string) *printing.Worker {
	return &printing.Worker{Queue: q, Printers: printing.Printers{{Name: "dock", Address: "cups:dock"}},
		Send: func(_ context.Context, _ printing.Printer, data []byte) (string, error) {
			*printed = append(*printed, string(data))
			return "", nil
		}}
}

func TestQueue_SurvivesRestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	q := printing.NewQueue(dir, nil)
	first, second := add(t, q, "dock", "one"), add(t, q, "dock", "two")
	require.Equal(t, int64(1), first.ID)
	require.NoError(t, q.Cancel(first.ID))
	again := printing.NewQueue(dir, nil)
	jobs, err := again.Jobs()
	require.NoError(t, err)
	require.Len(t, jobs, 2)
	require.Equal(t, printing.Canceled, jobs[0].State)
	require.Equal(t, second, jobs[1])
	require.Equal(t, int64(3), add(t, again, "dock", "three").ID)
	var printed []string
	require.NoError(t, recorder(again, &printed).Drain(t.Context(), "dock"))
	require.Equal(t, []string{"^XA^FDtwo^FS^XZ", "^XA^FDthree^FS^XZ"}, printed)
	require.Equal(t, []printing.JobState{printing.Canceled, printing.Printed, printing.Printed}, states(t, q))
}

// A crash leaves an incomplete last line, which was never acknowledged.
func TestQueue_RemovesIncompleteLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	add(t, printing.NewQueue(dir, nil), "dock", "one")
	file := filepath.Join(dir, "queue.jsonl")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(text, `{"id":2,"printer":"do`...), 0o600))
	q := printing.NewQueue(dir, nil)
	require.Len(t, states(t, q), 1)
	require.Equal(t, int64(2), add(t, q, "dock", "two").ID)
	require.Len(t, states(t, printing.NewQueue(dir, nil)), 2)
}

// The lines of earlier versions: a header, receipts, and jobs that changed their state.
const earlier = `{"queue":1,"generation":3,"next":5}
{"receipts":["r-1"]}
{"id":3,"printer":"dock","title":"OAT-1L L1","copies":2,"operator":"Ada","created":"2026-06-15T12:00:00Z","data":"XlhBXlha","state":"queued","changed":"2026-06-15T12:00:00Z","receipt":"r-2"}
{"id":4,"printer":"dock","title":"WH-1","copies":1,"created":"2026-06-15T12:00:01Z","data":"XlhBXlha","state":"queued","changed":"2026-06-15T12:00:01Z"}
{"id":3,"printer":"dock","title":"OAT-1L L1","copies":2,"operator":"Ada","created":"2026-06-15T12:00:00Z","state":"sending","changed":"2026-06-15T12:00:02Z","attempts":1,"receipt":"r-2"}
`

func TestQueue_OpensEarlierFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "queue.jsonl"), []byte(earlier), 0o600))
	q := printing.NewQueue(dir, nil)
	require.Equal(t, []printing.JobState{printing.MaybePrinted, printing.Queued}, states(t, q))
	for receipt, want := range map[string]int{"r-1": 0, "r-2": 1} {
		known, err := q.AddOnce(receipt, jobs(1))
		require.NoError(t, err)
		require.Len(t, known, want)
	}
	job, err := q.Job(3)
	require.NoError(t, err)
	require.Equal(t, []any{"^XA^XZ", 2, 1}, []any{string(job.Data), job.Copies, job.Attempts})
	require.Equal(t, int64(5), add(t, q, "dock", "next").ID)
}

func TestQueue_DamagedLineIsNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	q := printing.NewQueue(dir, nil)
	add(t, q, "dock", "one")
	file := filepath.Join(dir, "queue.jsonl")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(text, "nonsense\n"...), 0o600))
	for _, x := range []*printing.Queue{q, printing.NewQueue(dir, nil)} {
		_, err = x.Jobs()
		require.ErrorContains(t, err, "queue.jsonl is damaged in line 3. Move the file away")
	}
	now, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(now), "nonsense", "nothing is removed")
}

// A label that was sent when the program ended is possibly printed, and never sent again by
// itself.
func TestQueue_CrashWhileSending(t *testing.T) {
	t.Parallel()
	dir, crashed := t.TempDir(), filepath.Join(t.TempDir(), "crashed")
	q := printing.NewQueue(dir, nil)
	add(t, q, "dock", "one")
	add(t, q, "dock", "two")
	w := &printing.Worker{Queue: q, Printers: printing.Printers{{Name: "dock", Address: "cups:dock"}},
		Send: func(context.Context, printing.Printer, []byte) (string, error) {
			if _, err := os.Stat(crashed); err != nil {
				require.Equal(t, []printing.JobState{printing.Sending, printing.Queued}, states(t, q))
				require.NoError(t, os.CopyFS(crashed, os.DirFS(dir)))
			}
			return "", nil
		}}
	require.NoError(t, w.Drain(t.Context(), "dock"))
	after := printing.NewQueue(crashed, nil)
	require.Equal(t, []printing.JobState{printing.MaybePrinted, printing.Queued}, states(t, after))
	job, err := after.Job(1)
	require.NoError(t, err)
	require.Equal(t, "the program ended while the label was sent", job.Reason)
	var printed []string
	require.NoError(t, recorder(after, &printed).Drain(t.Context(), "dock"))
	require.Equal(t, []string{"^XA^FDtwo^FS^XZ"}, printed)
	require.NoError(t, after.Retry(1))
	require.NoError(t, recorder(after, &printed).Drain(t.Context(), "dock"))
	require.Equal(t, []string{"^XA^FDtwo^FS^XZ", "^XA^FDone^FS^XZ"}, printed)
}

func TestQueue_RetryAndCancelCheckTheState(t *testing.T) {
	t.Parallel()
	q := printing.NewQueue(t.TempDir(), nil)
	job := add(t, q, "dock", "one")
	require.EqualError(t, q.Retry(job.ID), "label 1 is not printed. It stays as it is.")
	require.NoError(t, q.Cancel(job.ID))
	require.EqualError(t, q.Cancel(job.ID), "label 1 is canceled. It stays as it is.")
	require.NoError(t, q.Retry(job.ID))
	var missing *printing.NotFoundError
	require.ErrorAs(t, q.Cancel(7), &missing)
}

// Programs share the queue: no ID is given twice, and one sends at a time.
func TestQueue_SharedByPrograms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var all sync.WaitGroup
	var mu sync.Mutex
	printed := map[string]int{}
	sending := 0
	for program := range 4 {
		all.Go(func() {
			q := printing.NewQueue(dir, nil)
			w := &printing.Worker{Queue: q, Printers: printing.Printers{{Name: "dock", Address: "cups:dock"}},
				Send: func(_ context.Context, _ printing.Printer, data []byte) (string, error) {
					mu.Lock()
					sending++
					if sending > 1 {
						t.Error("two programs send to one printer")
					}
					mu.Unlock()
					mu.Lock()
					defer mu.Unlock()
					sending--
					printed[string(data)]++
					return "", nil
				}}
			for i := range 60 {
				if _, err := q.Add(printing.Job{Printer: "dock", Title: "x", Data: fmt.Appendf(nil, "%d/%d", program, i)}); err != nil {
					t.Error(err)
				}
				if err := w.Drain(t.Context(), "dock"); err != nil && err != printing.ErrBusy {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	var rest []string
	require.NoError(t, recorder(printing.NewQueue(dir, nil), &rest).Drain(t.Context(), "dock"))
	for _, data := range rest {
		printed[data]++
	}
	require.Len(t, printed, 240)
	for data, n := range printed {
		require.Equal(t, 1, n, data)
	}
	jobs, err := printing.NewQueue(dir, nil).Jobs()
	require.NoError(t, err)
	require.Equal(t, int64(240), jobs[len(jobs)-1].ID)
	require.LessOrEqual(t, len(jobs), 200, "old jobs are removed")
	info, err := os.Stat(filepath.Join(dir, "queue.jsonl"))
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(500_000))
}

func TestJob_RecordsWhoAndWhen(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	q := printing.NewQueue(t.TempDir(), func() time.Time { return at })
	job := add(t, q, "dock", "one")
	require.Equal(t, printing.Job{ID: 1, Printer: "dock", Title: "one", Copies: 1, Operator: "Ada", Created: at, Changed: at, State: printing.Queued, Data: job.Data}, job)
}

// jobs returns n labels to add.
func jobs(n int) (out []printing.Job) {
	for i := range n {
		out = append(out, printing.Job{Printer: "dock", Title: fmt.Sprint(i), Data: []byte("^XA^XZ")})
	}
	return out
}

func TestAddAll_AddsAllOrNone(t *testing.T) {
	t.Parallel()
	q := printing.NewQueue(t.TempDir(), nil)
	added, err := q.AddAll(jobs(3))
	require.NoError(t, err)
	require.Equal(t, int64(3), added[2].ID)
	require.Equal(t, int64(4), add(t, q, "dock", "next").ID)
	_, err = q.AddAll(jobs(printing.MaxOpen - 3))
	require.ErrorIs(t, err, printing.ErrFull)
	_, err = q.Add(printing.Job{Printer: "dock", Data: make([]byte, printing.MaxData+1)})
	require.ErrorContains(t, err, "a label has 1 to 262144 bytes")
	_, err = q.AddAll(append(jobs(1), printing.Job{Printer: "dock"}))
	require.ErrorContains(t, err, "a label has 1 to")
	require.Len(t, states(t, q), 4)
	added, err = q.AddAll(nil)
	require.NoError(t, err)
	require.Empty(t, added)

	_, err = q.AddAll(jobs(printing.MaxOpen - 4))
	require.NoError(t, err)
	_, err = q.Add(jobs(1)[0])
	require.ErrorIs(t, err, printing.ErrFull)
	require.NoError(t, q.Cancel(1))
	add(t, q, "dock", "it has room now")
}

func TestCancelAll_LeavesWhatIsPrinted(t *testing.T) {
	t.Parallel()
	q := printing.NewQueue(t.TempDir(), nil)
	first := add(t, q, "dock", "printed")
	var printed []string
	require.NoError(t, recorder(q, &printed).Drain(t.Context(), "dock"))
	added, err := q.AddAll(jobs(2))
	require.NoError(t, err)
	n, err := q.CancelAll([]int64{first.ID, added[0].ID, added[1].ID, 99})
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Equal(t, []printing.JobState{printing.Printed, printing.Canceled, printing.Canceled}, states(t, q))
}

func TestAddOnce_AddsTheLabelsOfAReceiptOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	q := printing.NewQueue(dir, nil)
	first, err := q.AddOnce("r-1", jobs(3))
	require.NoError(t, err)
	again, err := printing.NewQueue(dir, nil).AddOnce("r-1", jobs(3))
	require.NoError(t, err)
	require.Equal(t, first, again)
	other, err := q.AddOnce("r-2", jobs(1))
	require.NoError(t, err)
	require.Equal(t, int64(4), other[0].ID)
	require.NoError(t, q.Cancel(4))
	other, err = q.AddOnce("r-2", jobs(1))
	require.NoError(t, err)
	require.Equal(t, printing.Canceled, other[0].State, "a person does not want it")
	require.Len(t, states(t, q), 4)
	_, err = q.AddOnce("r-3", jobs(printing.MaxOpen))
	require.ErrorIs(t, err, printing.ErrFull)
}

// Labels that were printed long ago are not added again, although their jobs are gone.
func TestAddOnce_KnowsReceiptsWhoseLabelsAreGone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	q := printing.NewQueue(dir, nil)
	var printed []string
	const receipts, labels = 50, 5
	addAll := func(q *printing.Queue) {
		for i := range receipts {
			_, err := q.AddOnce(fmt.Sprint("r-", i), jobs(labels))
			require.NoError(t, err)
		}
		require.NoError(t, recorder(q, &printed).Drain(t.Context(), "dock"))
	}

	addAll(q)
	require.Less(t, len(states(t, q)), 201)
	for _, q := range []*printing.Queue{q, printing.NewQueue(dir, nil)} {
		addAll(q)
		require.Len(t, printed, receipts*labels)
	}
}

// A crash while the labels were written kept only the first one.
func TestAddOnce_AddsTheRestAfterACrash(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	q := printing.NewQueue(dir, nil)
	_, err := q.AddOnce("r-1", jobs(1))
	require.NoError(t, err)
	file := filepath.Join(dir, "queue.jsonl")
	kept, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(kept, `{"id":2,"printer":"do`...), 0o600))
	added, err := printing.NewQueue(dir, nil).AddOnce("r-1", jobs(3))
	require.NoError(t, err)
	require.Equal(t, []string{"0", "1", "2"}, []string{added[0].Title, added[1].Title, added[2].Title})
	require.Len(t, states(t, q), 3)
}

// Labels on a printer that closes, resets, stalls and runs out of labels: each is
// printed once, or shown as possibly printed and then printed at most once.
func TestDrain_EachLabelOnceOrShown(t *testing.T) {
	t.Parallel()
	labels := max(60, testenv.DrainedLabels.Cases(t)) // fewer may all be printed
	random := rand.New(rand.NewPCG(testenv.Seed(t), 7))
	fake := labeltest.StartPrinter(t, func() labeltest.PrinterBehavior {
		b := labeltest.GoodPrinter
		switch random.IntN(20) {
		case 0, 1:
			b.Refuse = true
		case 2, 3:
			b.Status = labeltest.MediaOut
		case 4, 5:
			b.CloseAfter = random.IntN(40)
		case 6, 7:
			b.Reset = true
		case 8:
			b.Stall = true
		case 9:
			b.Silent = true
		}
		return b
	})
	q := printing.NewQueue(t.TempDir(), nil)
	label := func(n int) string { return fmt.Sprintf("^XA^FO1,1^A0N,20,20^FDlabel %03d^FS^XZ", n) }
	for n := range labels {
		_, err := q.Add(printing.Job{Printer: "dock", Title: fmt.Sprint(n), Data: []byte(label(n))})
		require.NoError(t, err)
	}
	w := &printing.Worker{Queue: q, Printers: printing.Printers{{Name: "dock", Address: fake.Address}}, Send: printing.Sender{Answer: 150 * time.Millisecond}.Send}
	count := func() (out map[printing.JobState]int) {
		out = map[printing.JobState]int{}
		for _, s := range states(t, q) {
			out[s]++
		}
		return out
	}
	for count()[printing.Queued] > 0 {
		_ = w.Drain(t.Context(), "dock")
	}
	printed := map[string]int{}
	for _, text := range fake.Printed() {
		printed[text]++
	}
	jobs, err := q.Jobs()
	require.NoError(t, err)
	require.Len(t, jobs, labels)
	for n, job := range jobs {
		if job.State == printing.Printed {
			require.Equal(t, 1, printed[label(n)], "label %d is shown as printed", n)
			continue
		}
		require.Equal(t, printing.MaybePrinted, job.State)
		require.NotEmpty(t, job.Reason)
		require.LessOrEqual(t, printed[label(n)], 1, "label %d is doubled", n)
	}
	t.Logf("%v, %d labels on paper", count(), len(fake.Printed()))
	require.NotZero(t, count()[printing.MaybePrinted])
	require.NotZero(t, count()[printing.Printed])
}

// An unreachable printer keeps its labels, is tried less and less often, and delays no
// other printer.
func TestRun_BacksOffPerPrinter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var tries, other []time.Duration
		q := printing.NewQueue(dir, nil)
		w := &printing.Worker{Queue: q, Printers: printing.Printers{{Name: "dock", Address: "cups:dock"}, {Name: "office", Address: "cups:office"}},
			Send: func(_ context.Context, p printing.Printer, _ []byte) (string, error) {
				if p.Name == "office" {
					other = append(other, time.Since(start))
					return "", nil
				}
				tries = append(tries, time.Since(start))
				if len(tries) < 5 {
					return "", &printing.PrinterError{Reason: "out of labels"}
				}
				return "", nil
			}}
		add(t, q, "dock", "one")
		add(t, q, "dock", "two")
		add(t, q, "office", "three")
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { w.Run(ctx); close(ended) }()
		time.Sleep(time.Second / 2)
		require.Equal(t, []printing.JobState{printing.Queued, printing.Queued, printing.Printed}, states(t, q))
		job, err := q.Job(1)
		require.NoError(t, err)
		require.Equal(t, "out of labels", job.Reason)
		time.Sleep(2 * time.Minute)
		require.Equal(t, []printing.JobState{printing.Printed, printing.Printed, printing.Printed}, states(t, q))
		require.Len(t, tries, 6, "the second label follows at once")
		for i, delay := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second} {
			require.GreaterOrEqual(t, tries[i+1]-tries[i], delay)
			require.LessOrEqual(t, tries[i+1]-tries[i], delay+3*time.Second)
		}
		require.Less(t, other[0], time.Second)
		cancel()
		<-ended
	})
}

func TestDrain_UnknownPrinterKeepsTheLabel(t *testing.T) {
	t.Parallel()
	q := printing.NewQueue(t.TempDir(), nil)
	add(t, q, "gone", "one")
	w := &printing.Worker{Queue: q}
	require.ErrorContains(t, w.Drain(t.Context(), "gone"), `there is no printer "gone"`)
	require.Equal(t, []printing.JobState{printing.Queued}, states(t, q))
}

// What may be printed is not sent again, and the next label follows.
func TestDrain_MaybePrintedIsNotRepeated(t *testing.T) {
	t.Parallel()
	q := printing.NewQueue(t.TempDir(), nil)
	add(t, q, "dock", "one")
	add(t, q, "dock", "two")
	var sent []string
	w := recorder(q, &sent)
	good := w.Send
	w.Send = func(context.Context, printing.Printer, []byte) (string, error) {
		return "", &printing.PrinterError{Reason: "lost", MayBePrinted: true, Err: errors.New("reset")}
	}
	require.ErrorContains(t, w.Drain(t.Context(), "dock"), "lost")
	w.Send = good
	require.NoError(t, w.Drain(t.Context(), "dock"))
	require.Equal(t, []string{"^XA^FDtwo^FS^XZ"}, sent)
	require.Equal(t, []printing.JobState{printing.MaybePrinted, printing.Printed}, states(t, q))
}
