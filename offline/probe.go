package offline

import (
	"context"
	"errors"
	"slices"
	"time"

	"bincard/server/api"
)

// A probe finds out which way there is to read what the service has.
type probe struct {
	*Node
	missed int // how often it was asked in vain; what came between was answered
}

// memory is how long a service knows an idempotency key that does not say how
// long it does. Bincard's own knows it for ever.
const memory = 24 * time.Hour

// chooseWay begins as the base was read, else asks. A service that has become
// another one is found out by its answers.
func (n *Node) chooseWay(ctx context.Context) error {
	at, err := n.place(ctx, n.cfg.Bases.Current())
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		n.cfg.Log.Warn("what was read from the service cannot be read here, and is asked for anew", "error", err)
	}
	n.plainly.Store(at.Plain())
	n.box.Memory(memory)
	if n.pull.way = (&probe{Node: n}); at.Known && !at.Plain() {
		n.takeFeed()
	}
	return nil
}

func (n *Node) takeFeed() {
	n.box.Memory(0)
	n.pull.way, n.pull.due = &feed{Node: n}, time.Time{}
}

// question asks for what Bincard's own service can do. Where that is not known
// there it asks for what any service knows, and once more: a key of somebody
// else finds nothing at all.
func (p *probe) question(context.Context) (*api.Request, time.Time, error) {
	if p.missed == 1 {
		one := int64(1)
		return ask(api.ReportMovements, api.ReportMovementsInput{Limit: &one}), time.Time{}, nil
	}
	return ask(api.GetCapabilities, api.CapabilitiesInput{}), time.Time{}, nil
}

func (p *probe) answer(_ context.Context, asked *api.Request, res *api.Response) error {
	if able, ok := res.Output.(*api.Capabilities); ok {
		if slices.Contains(able.Operations, api.ListWork.ID) {
			return p.halted(errors.New("it is an edge, which keeps work itself and is ahead of its service: work at it without keeping it here"))
		}
		p.takeFeed()
		return nil
	}
	p.missed++
	return nil
}

func (p *probe) fault(_ context.Context, asked *api.Request, err error) (bool, error) {
	switch {
	case !foreign(err):
		return false, nil
	case asked.Spec != api.GetCapabilities.Spec:
		p.missed = 0
		return false, nil
	case p.missed > 0:
		p.pull.way = newPlain(p.Node)
		return true, nil
	}
	p.missed++
	return true, nil
}

func (p *probe) drop() { p.missed = 0 }
