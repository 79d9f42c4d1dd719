package offline

import (
	"context"
	"errors"
	"slices"
	"time"

	"bincard/server/api"
)

// A probe is the syncer that finds out which other syncer the service needs.
type probe struct {
	*Node
	misses int // 1 after GetCapabilities failed, 2 after the reports answered
}

// keyLifetime is how long a service remembers an idempotency key if it does
// not say. Bincard's own service never forgets one.
const keyLifetime = 24 * time.Hour

// chooseSyncer continues with the syncer that filled the replica, or starts a
// probe. If the service has changed since, its answers reveal it.
func (n *Node) chooseSyncer(ctx context.Context) error {
	at, err := n.replicaPosition(ctx, n.cfg.Replicas.Current())
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		n.cfg.Log.Warn("cannot read the replica; downloading it again", "error", err)
	}
	n.polled.Store(at.IsPolled())
	n.queue.SetKeyLifetime(keyLifetime)
	if n.pull.syncer = (&probe{Node: n}); at.Known && !at.IsPolled() {
		n.useFeed()
	}
	return nil
}

func (n *Node) useFeed() {
	n.queue.SetKeyLifetime(0)
	n.pull.syncer, n.pull.nextCycle = &feedSyncer{Node: n}, time.Time{}
}

// next requests the capabilities, which only Bincard's own service has. If
// that fails it requests a report, which any service has, and then the
// capabilities again: with a key of another organization neither is found.
func (p *probe) next(context.Context) (*api.Request, time.Time, error) {
	if p.misses == 1 {
		one := int64(1)
		return newRequest(api.ReportMovements, api.ReportMovementsInput{Limit: &one}), time.Time{}, nil
	}
	return newRequest(api.GetCapabilities, api.CapabilitiesInput{}), time.Time{}, nil
}

func (p *probe) handleAnswer(_ context.Context, asked *api.Request, res *api.Response) error {
	if able, ok := res.Output.(*api.Capabilities); ok {
		if slices.Contains(able.Operations, api.ListWork.ID) {
			return p.abortPull(errors.New("it is an edge, which saves offline work itself: use it without --offline"))
		}
		p.useFeed()
		return nil
	}
	p.misses++
	return nil
}

func (p *probe) handleError(_ context.Context, asked *api.Request, err error) (bool, error) {
	switch {
	case !isUnsupported(err):
		return false, nil
	case asked.Spec != api.GetCapabilities.Spec:
		p.misses = 0
		return false, nil
	case p.misses > 0:
		p.pull.syncer = newPollingSyncer(p.Node)
		return true, nil
	}
	p.misses++
	return true, nil
}

func (p *probe) reset() { p.misses = 0 }
