package offline

import (
	"context"
	"errors"
	"time"

	"bincard/server/api"
)

// A probe finds out which way there is to read what the service has.
type probe struct{ *Node }

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
	if n.pull.way = (&probe{n}); at.Known && !at.Plain() {
		n.takeFeed()
	}
	return nil
}

func (n *Node) takeFeed() {
	n.box.Memory(0)
	n.pull.way = &feed{Node: n}
}

func (p *probe) question(context.Context) (*api.Request, time.Time, error) {
	return ask(api.GetCapabilities, api.CapabilitiesInput{}), time.Time{}, nil
}

func (p *probe) answer(context.Context, *api.Request, *api.Response) error {
	p.takeFeed()
	return nil
}

// fault takes the service for one that has the documented operations alone
// where it does not know the question.
func (p *probe) fault(_ context.Context, _ *api.Request, asked error) (bool, error) {
	var e *api.Error
	if !errors.As(asked, &e) || !foreign(asked) {
		return false, nil
	}
	p.pull.way = newPlain(p.Node)
	return true, nil
}

func (p *probe) drop() {}
