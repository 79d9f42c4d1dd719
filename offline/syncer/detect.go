package syncer

import (
	"context"
	"errors"
	"slices"
	"time"

	"bincard/server/api"
)

// A detector uses the syncer that the service needs. While it is not known which,
// it requests the capabilities, which only Bincard's own service has. If that
// fails it requests a report, which any service has, and then the capabilities
// again: with a key of another organization neither is found. In case something else
// answered both requests, it requests the capabilities of a polled service again later, less
// and less often.
type detector struct {
	*Local
	opts   Options
	found  Syncer // nil if not known
	misses int    // 1 after GetCapabilities failed, 2 after the reports answered

	polling *poll // found, if it polls the service, else nil
	askedAt time.Time
	askIn   time.Duration // after askedAt, ask a polled service for its capabilities again
}

// minAskIn and maxAskIn limit the time between two requests for the capabilities of a polled
// service: each counts against its quota.
const (
	minAskIn = 10 * time.Minute
	maxAskIn = 7 * 24 * time.Hour
)

var _ Syncer = (*detector)(nil)

// New returns a Syncer that continues to fill the replica as before. If the
// service has changed since, its answers reveal it.
func New(ctx context.Context, local *Local, opts Options) (Syncer, error) {
	at, err := local.Replicas.Position(ctx, local.Replicas.Current())
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		local.Log.Warn("cannot read the replica; downloading it again", "error", err)
	}

	local.Replicas.SetPolled(at.IsPolled())
	d := &detector{Local: local, opts: opts}
	if at.Known && !at.IsPolled() {
		d.useFeed()
	} else {
		d.detect()
	}

	return d, nil
}

func (d *detector) detect() {
	d.Queue.KeyLifetime = KeyLifetime
	d.found, d.misses, d.polling = nil, 0, nil
}

func (d *detector) useFeed() {
	d.Queue.KeyLifetime = 0
	d.found, d.NextCycle, d.polling = newFeed(d.Local), time.Time{}, nil
}

func (d *detector) usePolling() {
	d.polling = newPoll(d.Local, d.opts)
	d.found, d.askedAt, d.askIn = d.polling, d.Now(), minAskIn
}

// asksAgain reports whether to ask a polled service for its capabilities now, between two
// cycles.
func (d *detector) asksAgain() bool {
	if d.polling == nil || d.HoldSends || d.Now().Sub(d.askedAt).Abs() < d.askIn {
		return false
	}
	d.askedAt, d.askIn = d.Now(), min(2*d.askIn, maxAskIn)
	d.polling.CountRequest()
	return true
}

// Next implements Syncer.
func (d *detector) Next(ctx context.Context) (*api.Request, time.Time, error) {
	if d.found != nil && !d.asksAgain() {
		return d.found.Next(ctx)
	}
	if d.misses == 1 {
		one := int64(1)
		return NewRequest(api.ReportMovements, api.ReportMovementsInput{Limit: &one}), time.Time{}, nil
	}
	return NewRequest(api.GetCapabilities, api.CapabilitiesInput{}), time.Time{}, nil
}

// HandleAnswer implements Syncer.
func (d *detector) HandleAnswer(ctx context.Context, asked *api.Request, res *api.Response) error {
	if d.found != nil && asked.Spec != api.GetCapabilities.Spec {
		return d.found.HandleAnswer(ctx, asked, res)
	}

	able, ok := res.Output.(*api.Capabilities)
	switch {
	case !ok:
		d.misses++
	case slices.Contains(able.Operations, api.ListWork.Spec.ID):
		return Abort(errors.New("it is an edge, which saves offline work itself: use it without --offline"))
	default:
		d.Reset()
		d.useFeed()
	}

	return nil
}

// HandleError implements Syncer.
func (d *detector) HandleError(ctx context.Context, asked *api.Request, err error) (Outcome, error) {
	if d.found != nil && asked.Spec == api.GetCapabilities.Spec {
		if MayLack(err) {
			return Handled, nil
		}
		return Failed, nil
	}

	if d.found != nil {
		outcome, err := d.found.HandleError(ctx, asked, err)
		if outcome == OtherService {
			d.detect()
		}
		return outcome, err
	}

	switch {
	case !MayLack(err):
		return Failed, nil
	case asked.Spec != api.GetCapabilities.Spec:
		d.misses = 0
		return Failed, nil
	case d.misses > 0:
		d.usePolling()
	}

	d.misses++

	return Handled, nil
}

// Reset implements Syncer.
func (d *detector) Reset() {
	if d.found != nil {
		d.found.Reset()
		return
	}
	d.misses = 0
}
