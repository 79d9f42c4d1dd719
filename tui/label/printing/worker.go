package printing

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"bincard/tui/i18n"
)

// A Worker sends the jobs of a queue.
type Worker struct {
	Queue    *Queue
	Printers Printers
	// Send sends a label as printer.Sender does; that of the zero Sender if nil.
	Send func(ctx context.Context, p Printer, data []byte) (note string, err error)
}

// ErrBusy reports that another program sends the labels of a printer.
var ErrBusy = errors.New("another program prints the labels of this printer")

// Run polls for labels that other programs added. After each failure of a printer in a
// row, it waits twice as long.
const (
	queuePollEvery = 2 * time.Second
	firstDelay     = time.Second
	longestDelay   = time.Minute
)

// Run sends jobs until ctx ends. Each printer has its own order and delays: one that does
// not answer delays no other.
func (w *Worker) Run(ctx context.Context) {
	type state struct {
		active bool
		fails  int
		next   time.Time // when to send again
	}
	var all sync.WaitGroup
	defer all.Wait()
	var mu sync.Mutex // of the states
	states := map[string]state{}
	begin := func(name string) {
		mu.Lock()
		defer mu.Unlock()
		s := states[name]
		if s.active || w.Queue.now().Before(s.next) {
			return
		}

		s.active = true
		states[name] = s
		all.Go(func() {
			err := w.Drain(ctx, name)
			mu.Lock()
			defer mu.Unlock()
			states[name] = state{}
			if err != nil {
				states[name] = state{
					fails: s.fails + 1,
					next:  w.Queue.now().Add(min(longestDelay, firstDelay<<min(s.fails, 10))),
				}
			}

			w.Queue.wake()
		})
	}

	poll := time.NewTicker(queuePollEvery)
	defer poll.Stop()
	for ctx.Err() == nil {
		jobs, _ := w.Queue.Jobs() // an error stays until the next round
		for _, job := range jobs {
			if job.State == Queued {
				begin(job.Printer)
			}
		}

		select {
		case <-ctx.Done():
		case <-poll.C:
		case <-w.Queue.added:
		}
	}
}

// Drain sends the jobs of a printer in order, until there are none or one fails. The
// error is ErrBusy if another program does that.
func (w *Worker) Drain(ctx context.Context, name string) error {
	if _, err := w.Queue.Jobs(); err != nil { // marks what another program was sending when it ended
		return err
	}

	unlock, err := w.Queue.lockPrinter(name)
	if err != nil {
		return err
	}
	if unlock == nil {
		return ErrBusy
	}

	defer unlock()
	for ctx.Err() == nil {
		job, ok, err := w.Queue.begin(name)
		if err != nil || !ok {
			return err
		}

		note, failed := w.send(ctx, job)
		if err := w.Queue.finish(job, note, failed); err != nil {
			return err // the job stays as being sent, and is then possibly printed
		}
		if failed != nil {
			return failed
		}
	}

	return ctx.Err()
}

func (w *Worker) send(ctx context.Context, job Job) (note string, err error) {
	p, err := w.Printers.Find(job.Printer)
	if err != nil {
		return "", &PrinterError{Reason: err.Error()}
	}

	send := w.Send
	if send == nil {
		send = Sender{}.Send
	}

	sending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(finishTime, cancel) })()

	return send(sending, p, job.Data)
}

// finishTime is how long a label that is being sent may still take when the program ends,
// so that it is not possibly printed.
const finishTime = 3 * time.Second

// begin marks the first queued job of a printer as being sent.
func (q *Queue) begin(name string) (job Job, ok bool, err error) {
	err = q.locked(func(j *queueJournal) error {
		at := slices.IndexFunc(j.jobs, func(job Job) bool { return job.Printer == name && job.State == Queued })
		if ok = at >= 0; !ok {
			return nil
		}
		job = j.jobs[at]
		job.State, job.Reason = Sending, ""
		job.Attempts++
		return q.save(j, job)
	})

	return job, ok, err
}

// finish records the result of a job that was sent.
func (q *Queue) finish(job Job, note string, failed error) error {
	job.State, job.Reason = Printed, note
	switch {
	case MayBePrinted(failed):
		job.State, job.Reason = MaybePrinted, failed.Error()
	case failed != nil:
		job.State, job.Reason = Queued, failed.Error()
	case note != "":
		job.Reason = i18n.Textf("the printer prints it later: %v", note)
	}

	return q.locked(func(j *queueJournal) error { return q.save(j, job) })
}
