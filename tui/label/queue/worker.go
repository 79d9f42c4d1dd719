package queue

import (
	"context"
	"errors"
	"sync"
	"time"

	"bincard/tui/i18n"
	"bincard/tui/label/printer"
)

// A Worker sends the jobs of a queue.
type Worker struct {
	Queue    *Queue
	Printers printer.List
	// Send sends a label as printer.Sender does; that of the zero Sender if nil.
	Send func(ctx context.Context, p printer.Printer, data []byte) (note string, err error)
	// Changed is called after a job was sent, from any goroutine; may be nil.
	Changed func()
}

// ErrBusy reports that another program sends the labels of a printer.
var ErrBusy = errors.New("another program prints the labels of this printer")

// Run polls for labels that other programs added. After each failure of a printer in a
// row, it waits twice as long.
const (
	pollEvery    = 2 * time.Second
	firstDelay   = time.Second
	longestDelay = time.Minute
)

// Run sends jobs until ctx ends. Each printer has its own order and delays: one that does
// not answer delays no other.
func (w *Worker) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	states := map[string]*printerState{}
	for ctx.Err() == nil {
		jobs, _ := w.Queue.Jobs() // an error stays until the next round
		for _, job := range jobs {
			if job.State != Queued {
				continue
			}
			s := states[job.Printer]
			if s == nil {
				s = &printerState{}
				states[job.Printer] = s
			}
			if s.begin(w.Queue.now()) {
				all.Go(func() {
					s.end(w.Drain(ctx, job.Printer), w.Queue.now())
					w.Queue.wake()
				})
			}
		}
		w.wait(ctx)
	}
}

func (w *Worker) wait(ctx context.Context) {
	timer := time.NewTimer(pollEvery)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-w.Queue.added:
	}
}

// A printerState is when Run sends to a printer next.
type printerState struct {
	mu     sync.Mutex
	active bool
	fails  int
	next   time.Time
}

// begin reports whether to send now; then end follows.
func (s *printerState) begin(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active || now.Before(s.next) {
		return false
	}
	s.active = true
	return true
}

func (s *printerState) end(err error, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active = false
	if err == nil {
		s.fails = 0
		return
	}
	s.next = now.Add(min(longestDelay, firstDelay<<min(s.fails, 10)))
	s.fails++
}

// Drain sends the jobs of a printer in order, until there are none or one fails. The
// error is ErrBusy if another program does that.
func (w *Worker) Drain(ctx context.Context, name string) error {
	unlock, err := w.Queue.lockPrinter(name)
	if err != nil {
		return err
	}
	if unlock == nil {
		return ErrBusy
	}
	defer unlock()
	if err := w.Queue.recover(name); err != nil {
		return err
	}
	for ctx.Err() == nil {
		job, ok, err := w.Queue.begin(name)
		if err != nil || !ok {
			return err
		}
		note, failed := w.send(ctx, job)
		if err := w.Queue.finish(job, note, failed); err != nil {
			return err // the job stays as being sent, and is then maybe printed
		}
		if w.Changed != nil {
			w.Changed()
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
		return "", &printer.Error{Reason: err.Error()}
	}
	send := w.Send
	if send == nil {
		send = printer.Sender{}.Send
	}
	sending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(finishTime, cancel) })()
	return send(sending, p, job.Data)
}

// finishTime is how long a label that is being sent may still take when the program ends,
// so that it is not maybe printed.
const finishTime = 3 * time.Second

// begin marks the first queued job of a printer as being sent.
func (q *Queue) begin(name string) (job Job, ok bool, err error) {
	err = q.locked(func(j *journal) error {
		for _, next := range j.sorted() {
			if next.Printer == name && next.State == Queued {
				next.State, next.Changed, next.Reason = Sending, q.now().UTC(), ""
				next.Attempts++
				job, ok = next, true
				return j.append(next)
			}
		}
		return nil
	})
	return job, ok, err
}

// finish records the result of a job that was sent.
func (q *Queue) finish(job Job, note string, failed error) error {
	return q.locked(func(j *journal) error {
		job.State, job.Changed, job.Reason = Printed, q.now().UTC(), note
		if note != "" {
			job.Reason = i18n.Textf("the printer prints it later: %v", note)
		}
		if failed != nil {
			job.State, job.Reason = Queued, failed.Error()
			if printer.MayBePrinted(failed) {
				job.State = MaybePrinted
			}
		}
		return j.append(job)
	})
}
