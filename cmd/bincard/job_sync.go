package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"bincard/cmd/bincard/connect"
	"bincard/offline/host"
	"bincard/server/api"
	"bincard/views/submit"
)

const (
	// answerPatience is how long a job waits for the service before it prints that its
	// work is saved and not synced.
	answerPatience = 150 * time.Millisecond
	// answerInterval is how often it looks.
	answerInterval = 10 * time.Millisecond
)

// savedWork are the writes of a job that the node of this machine has saved.
type savedWork struct {
	node *host.Shared
	keys []string
}

// savedBy returns the writes of a job that are saved and not confirmed by the service,
// or nil if there are none.
func savedBy(at connect.Connection, job *submit.Job, done *submit.JobResult) *savedWork {
	if at.Node == nil || !done.Unconfirmed && !done.AtRisk {
		return nil
	}
	w := &savedWork{node: at.Node, keys: []string{job.Key}}
	for n := 2; n <= len(done.Outputs); n++ {
		w.keys = append(w.keys, job.Key+"."+strconv.Itoa(n))
	}
	return w
}

// await waits a moment for the service's answer, and reports whether the work waits
// after that.
func (w *savedWork) await(ctx context.Context) (waits bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerPatience)
	defer cancel()
	tick := time.NewTicker(answerInterval)
	defer tick.Stop()
	for {
		if waits, err = w.state(context.WithoutCancel(ctx)); !waits || err != nil {
			return waits, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return waits, nil
		}
	}
}

// state reports whether some of the work waits. The error is the service's rejection.
func (w *savedWork) state(ctx context.Context) (waits bool, err error) {
	for _, key := range w.keys {
		list, err := api.ListWork.Call(ctx, w.node, api.ListWorkInput{Key: key})
		if err != nil || len(list.Items) == 0 {
			return true, nil // it is on disk
		}

		switch x := &list.Items[0]; {
		case x.State == api.WorkRefused && x.Refusal != nil:
			return false, &connect.RefusedWorkError{
				Err: &api.Error{Code: x.Refusal.Code, Message: x.Refusal.Message, Details: x.Refusal.Details},
			}
		case x.State != api.WorkDone:
			waits = true
		}
	}

	return waits, nil
}

// finish reports at the end of a job whether its work is still unsent.
func (w *savedWork) finish(ctx context.Context, out io.Writer) error {
	waits, err := w.state(ctx)
	if err == nil && waits && w.node.Own() != nil {
		fmt.Fprintln(out, connect.SavedHere)
	}
	return err
}
