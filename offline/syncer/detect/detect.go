package detect

import (
	"context"
	"errors"
	"slices"
	"time"

	"bincard/offline/syncer"
	"bincard/offline/syncer/feed"
	"bincard/offline/syncer/poll"
	"bincard/server/api"
)

// A Syncer uses the syncer that the service needs. While it is not known which,
// it requests the capabilities, which only Bincard's own service has. If that
// fails it requests a report, which any service has, and then the capabilities
// again: with a key of another organization neither is found. In case something else
// answered both requests, it requests the capabilities of a polled service again later, less
// and less often.
type Syncer struct {
	*syncer.Local
	opts   poll.Options
	found  syncer.Syncer // nil if not known
	misses int           // 1 after GetCapabilities failed, 2 after the reports answered

	polling *poll.Syncer // found, if it polls the service, else nil
	askedAt time.Time
	askIn   time.Duration // after askedAt, ask a polled service for its capabilities again
}

// minAskIn and maxAskIn limit the time between two requests for the capabilities of a polled
// service: each counts against its quota.
const (
	minAskIn = 10 * time.Minute
	maxAskIn = 7 * 24 * time.Hour
)

var _ syncer.Syncer = (*Syncer)(nil)

// New returns a Syncer that continues to fill the replica as before. If the
// service has changed since, its answers reveal it.
func New(ctx context.Context, local *syncer.Local, opts poll.Options) (*Syncer, error) {
	at, err := local.Replicas.Position(ctx, local.Replicas.Current())
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		local.Log.Warn("cannot read the replica; downloading it again", "error", err)
	}
	local.Replicas.SetPolled(at.IsPolled())
	d := &Syncer{Local: local, opts: opts}
	if at.Known && !at.IsPolled() {
		d.useFeed()
	} else {
		d.detect()
	}
	return d, nil
}

func (d *Syncer) detect() {
	d.Queue.KeyLifetime = syncer.KeyLifetime
	d.found, d.misses, d.polling = nil, 0, nil
}

func (d *Syncer) useFeed() {
	d.Queue.KeyLifetime = 0
	d.found, d.NextCycle, d.polling = feed.New(d.Local), time.Time{}, nil
}

func (d *Syncer) usePolling() {
	d.polling = poll.New(d.Local, d.opts)
	d.found, d.askedAt, d.askIn = d.polling, d.Now(), minAskIn
}

// asksAgain reports whether to ask a polled service for its capabilities now, between two
// cycles.
func (d *Syncer) asksAgain() bool {
	if d.polling == nil || d.HoldSends || d.Now().Sub(d.askedAt).Abs() < d.askIn {
		return false
	}
	d.askedAt, d.askIn = d.Now(), min(2*d.askIn, maxAskIn)
	d.polling.CountRequest()
	return true
}

// Next implements syncer.Syncer.
func (d *Syncer) Next(ctx context.Context) (*api.Request, time.Time, error) {
	if d.found != nil && !d.asksAgain() {
		return d.found.Next(ctx)
	}
	if d.misses == 1 {
		one := int64(1)
		return syncer.NewRequest(api.ReportMovements, api.ReportMovementsInput{Limit: &one}), time.Time{}, nil
	}
	return syncer.NewRequest(api.GetCapabilities, api.CapabilitiesInput{}), time.Time{}, nil
}

// HandleAnswer implements syncer.Syncer.
func (d *Syncer) HandleAnswer(ctx context.Context, asked *api.Request, res *api.Response) error {
	if d.found != nil && asked.Spec != api.GetCapabilities.Spec {
		return d.found.HandleAnswer(ctx, asked, res)
	}
	able, ok := res.Output.(*api.Capabilities)
	switch {
	case !ok:
		d.misses++
	case slices.Contains(able.Operations, api.ListWork.Spec.ID):
		return syncer.Abort(errors.New("it is an edge, which saves offline work itself: use it without --offline"))
	default:
		d.Reset()
		d.useFeed()
	}
	return nil
}

// HandleError implements syncer.Syncer.
func (d *Syncer) HandleError(ctx context.Context, asked *api.Request, err error) (syncer.Outcome, error) {
	if d.found != nil && asked.Spec == api.GetCapabilities.Spec {
		if syncer.MayLack(err) {
			return syncer.Handled, nil
		}
		return syncer.Failed, nil
	}
	if d.found != nil {
		outcome, err := d.found.HandleError(ctx, asked, err)
		if outcome == syncer.OtherService {
			d.detect()
		}
		return outcome, err
	}
	switch {
	case !syncer.MayLack(err):
		return syncer.Failed, nil
	case asked.Spec != api.GetCapabilities.Spec:
		d.misses = 0
		return syncer.Failed, nil
	case d.misses > 0:
		d.usePolling()
	}
	d.misses++
	return syncer.Handled, nil
}

// Reset implements syncer.Syncer.
func (d *Syncer) Reset() {
	if d.found != nil {
		d.found.Reset()
		return
	}
	d.misses = 0
}
