package queue_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/tui/label/printer"
	"bincard/tui/label/queue"
)

func add(t *testing.T, q *queue.Queue, printer, title string) queue.Job {
	t.Helper()
	job, err := q.Add(queue.Job{Printer: printer, Title: title, Data: []byte("^XA^FD" + title + "^FS^XZ"), Operator: "Ada"})
	require.NoError(t, err)
	return job
}

// states returns the state of each job, in order.
func states(t *testing.T, q *queue.Queue) (out []queue.State) {
	t.Helper()
	jobs, err := q.Jobs()
	require.NoError(t, err)
	for _, j := range jobs {
		out = append(out, j.State)
	}
	return out
}

// printing returns a worker that notes what it prints.
func printing(q *queue.Queue, printed *[]string) *queue.Worker {
	return &queue.Worker{Queue: q, Printers: printer.List{{Name: "dock", Address: "cups:dock"}},
		Send: func(_ context.Context, _ printer.Printer, data []byte) (string, error) {
			*printed = append(*printed, string(data))
			return "", nil
		}}
}

func TestQueue_SurvivesRestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	q := queue.New(dir, nil)
	first, second := add(t, q, "dock", "one"), add(t, q, "dock", "two")
	require.Equal(t, int64(1), first.ID)
	require.NoError(t, q.Cancel(first.ID))
	again := queue.New(dir, nil)
	jobs, err := again.Jobs()
	require.NoError(t, err)
	require.Len(t, jobs, 2)
	require.Equal(t, queue.Canceled, jobs[0].State)
	require.Equal(t, second, jobs[1])
	require.Equal(t, int64(3), add(t, again, "dock", "three").ID)
	var printed []string
	require.NoError(t, printing(again, &printed).Drain(t.Context(), "dock"))
	require.Equal(t, []string{"^XA^FDtwo^FS^XZ", "^XA^FDthree^FS^XZ"}, printed)
	require.Equal(t, []queue.State{queue.Canceled, queue.Printed, queue.Printed}, states(t, q))
}

// A crash leaves an incomplete last line, which was never acknowledged.
func TestQueue_RemovesIncompleteLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	add(t, queue.New(dir, nil), "dock", "one")
	file := filepath.Join(dir, "queue.jsonl")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(text, `{"id":2,"printer":"do`...), 0o600))
	q := queue.New(dir, nil)
	require.Len(t, states(t, q), 1)
	require.Equal(t, int64(2), add(t, q, "dock", "two").ID)
	require.Len(t, states(t, queue.New(dir, nil)), 2)
}

func TestQueue_DamagedLineIsNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	q := queue.New(dir, nil)
	add(t, q, "dock", "one")
	file := filepath.Join(dir, "queue.jsonl")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(text, "nonsense\n"...), 0o600))
	for _, x := range []*queue.Queue{q, queue.New(dir, nil)} {
		_, err = x.Jobs()
		require.ErrorContains(t, err, "queue.jsonl is damaged in line 3. Move the file away")
	}
	now, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(now), "nonsense", "nothing is removed")
}

// A label that was sent when the program ended is maybe printed, and never sent again by
// itself.
func TestQueue_CrashWhileSending(t *testing.T) {
	t.Parallel()
	dir, crashed := t.TempDir(), filepath.Join(t.TempDir(), "crashed")
	q := queue.New(dir, nil)
	add(t, q, "dock", "one")
	add(t, q, "dock", "two")
	w := &queue.Worker{Queue: q, Printers: printer.List{{Name: "dock", Address: "cups:dock"}},
		Send: func(context.Context, printer.Printer, []byte) (string, error) {
			if _, err := os.Stat(crashed); err != nil {
				require.Equal(t, []queue.State{queue.Sending, queue.Queued}, states(t, q))
				require.NoError(t, os.CopyFS(crashed, os.DirFS(dir)))
			}
			return "", nil
		}}
	require.NoError(t, w.Drain(t.Context(), "dock"))
	after := queue.New(crashed, nil)
	require.Equal(t, []queue.State{queue.MaybePrinted, queue.Queued}, states(t, after))
	job, err := after.Job(1)
	require.NoError(t, err)
	require.Equal(t, "the program ended while the label was sent", job.Reason)
	var printed []string
	require.NoError(t, printing(after, &printed).Drain(t.Context(), "dock"))
	require.Equal(t, []string{"^XA^FDtwo^FS^XZ"}, printed)
	require.NoError(t, after.Retry(1))
	require.NoError(t, printing(after, &printed).Drain(t.Context(), "dock"))
	require.Equal(t, []string{"^XA^FDtwo^FS^XZ", "^XA^FDone^FS^XZ"}, printed)
}

func TestQueue_RetryAndCancelCheckTheState(t *testing.T) {
	t.Parallel()
	q := queue.New(t.TempDir(), nil)
	job := add(t, q, "dock", "one")
	require.EqualError(t, q.Retry(job.ID), "label 1 is not printed. It stays as it is.")
	require.NoError(t, q.Cancel(job.ID))
	require.EqualError(t, q.Cancel(job.ID), "label 1 is canceled. It stays as it is.")
	require.NoError(t, q.Retry(job.ID))
	var missing *queue.NotFoundError
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
			q := queue.New(dir, nil)
			w := &queue.Worker{Queue: q, Printers: printer.List{{Name: "dock", Address: "cups:dock"}},
				Send: func(_ context.Context, _ printer.Printer, data []byte) (string, error) {
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
				if _, err := q.Add(queue.Job{Printer: "dock", Title: "x", Data: fmt.Appendf(nil, "%d/%d", program, i)}); err != nil {
					t.Error(err)
				}
				if err := w.Drain(t.Context(), "dock"); err != nil && err != queue.ErrBusy {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	var rest []string
	require.NoError(t, printing(queue.New(dir, nil), &rest).Drain(t.Context(), "dock"))
	for _, data := range rest {
		printed[data]++
	}
	require.Len(t, printed, 240)
	for data, n := range printed {
		require.Equal(t, 1, n, data)
	}
	jobs, err := queue.New(dir, nil).Jobs()
	require.NoError(t, err)
	require.Equal(t, int64(240), jobs[len(jobs)-1].ID)
	require.LessOrEqual(t, len(jobs), 200, "old jobs are removed")
	info, err := os.Stat(filepath.Join(dir, "queue.jsonl"))
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(500_000))
}

func TestAdd_IsBounded(t *testing.T) {
	t.Parallel()
	q := queue.New(t.TempDir(), nil)
	_, err := q.AddAll(jobs(queue.MaxOpen))
	require.NoError(t, err)
	_, err = q.Add(queue.Job{Printer: "dock", Data: []byte("x")})
	require.ErrorIs(t, err, queue.ErrFull)
	require.NoError(t, q.Cancel(1))
	add(t, q, "dock", "x")
	_, err = q.Add(queue.Job{Printer: "dock", Data: make([]byte, queue.MaxData+1)})
	require.ErrorContains(t, err, "a label has 1 to 262144 bytes")
}

func TestJob_RecordsWhoAndWhen(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	q := queue.New(t.TempDir(), func() time.Time { return at })
	job := add(t, q, "dock", "one")
	require.Equal(t, queue.Job{ID: 1, Printer: "dock", Title: "one", Copies: 1, Operator: "Ada", Created: at, Changed: at, State: queue.Queued, Data: job.Data}, job)
}
