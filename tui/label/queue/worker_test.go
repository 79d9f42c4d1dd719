package queue_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/budget"
	"bincard/tui/label/printer"
	"bincard/tui/label/printer/printertest"
	"bincard/tui/label/queue"
)

// Labels on a printer that closes, resets, stalls and runs out of labels: each is
// printed once, or shown as maybe printed and then printed at most once.
func TestDrain_EachLabelOnceOrShown(t *testing.T) {
	t.Parallel()
	labels := budget.DrainedLabels.Cases(t)
	random := rand.New(rand.NewPCG(budget.Seed(t), 7))
	fake := printertest.Start(t, func() printertest.Behavior {
		b := printertest.Good
		switch random.IntN(20) {
		case 0, 1:
			b.Refuse = true
		case 2, 3:
			b.Status = printertest.MediaOut
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
	q := queue.New(t.TempDir(), nil)
	label := func(n int) string { return fmt.Sprintf("^XA^FO1,1^A0N,20,20^FDlabel %03d^FS^XZ", n) }
	for n := range labels {
		_, err := q.Add(queue.Job{Printer: "dock", Title: fmt.Sprint(n), Data: []byte(label(n))})
		require.NoError(t, err)
	}
	w := &queue.Worker{Queue: q, Printers: printer.List{{Name: "dock", Address: fake.Address}}, Send: printer.Sender{Answer: 150 * time.Millisecond}.Send}
	count := func() (out map[queue.State]int) {
		out = map[queue.State]int{}
		for _, s := range states(t, q) {
			out[s]++
		}
		return out
	}
	for count()[queue.Queued] > 0 {
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
		if job.State == queue.Printed {
			require.Equal(t, 1, printed[label(n)], "label %d is shown as printed", n)
			continue
		}
		require.Equal(t, queue.MaybePrinted, job.State)
		require.NotEmpty(t, job.Reason)
		require.LessOrEqual(t, printed[label(n)], 1, "label %d is doubled", n)
	}
	t.Logf("%v, %d labels on paper", count(), len(fake.Printed()))
	require.NotZero(t, count()[queue.MaybePrinted])
	require.NotZero(t, count()[queue.Printed])
}

// An unreachable printer keeps its labels, is tried less and less often, and delays no
// other printer.
func TestRun_BacksOffPerPrinter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var tries, other []time.Duration
		q := queue.New(dir, nil)
		w := &queue.Worker{Queue: q, Printers: printer.List{{Name: "dock", Address: "cups:dock"}, {Name: "office", Address: "cups:office"}},
			Send: func(_ context.Context, p printer.Printer, _ []byte) (string, error) {
				if p.Name == "office" {
					other = append(other, time.Since(start))
					return "", nil
				}
				tries = append(tries, time.Since(start))
				if len(tries) < 5 {
					return "", &printer.Error{Reason: "out of labels"}
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
		require.Equal(t, []queue.State{queue.Queued, queue.Queued, queue.Printed}, states(t, q))
		job, err := q.Job(1)
		require.NoError(t, err)
		require.Equal(t, "out of labels", job.Reason)
		time.Sleep(2 * time.Minute)
		require.Equal(t, []queue.State{queue.Printed, queue.Printed, queue.Printed}, states(t, q))
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
	q := queue.New(t.TempDir(), nil)
	add(t, q, "gone", "one")
	w := &queue.Worker{Queue: q}
	require.ErrorContains(t, w.Drain(t.Context(), "gone"), `there is no printer "gone"`)
	require.Equal(t, []queue.State{queue.Queued}, states(t, q))
}

// What may be printed is not sent again, and the next label follows.
func TestDrain_MaybePrintedIsNotRepeated(t *testing.T) {
	t.Parallel()
	q := queue.New(t.TempDir(), nil)
	add(t, q, "dock", "one")
	add(t, q, "dock", "two")
	var sent []string
	w := printing(q, &sent)
	good := w.Send
	w.Send = func(context.Context, printer.Printer, []byte) (string, error) {
		return "", &printer.Error{Reason: "lost", MayBePrinted: true, Err: errors.New("reset")}
	}
	require.ErrorContains(t, w.Drain(t.Context(), "dock"), "lost")
	w.Send = good
	require.NoError(t, w.Drain(t.Context(), "dock"))
	require.Equal(t, []string{"^XA^FDtwo^FS^XZ"}, sent)
	require.Equal(t, []queue.State{queue.MaybePrinted, queue.Printed}, states(t, q))
}
