package offline

import (
	"context"
	"slices"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A sight is what shows at the node: the ledger over a front.
type sight struct {
	front  *front
	ledger *ledger.Ledger
	at     time.Time // the instant of what is applied anew; zero is now
}

func (n *Node) sight(base store.Store) *sight {
	s := &sight{front: newFront(base)}
	s.ledger = ledger.New(s.front, ledger.Options{Log: n.cfg.Log, Now: func() time.Time {
		if s.at.IsZero() {
			return n.cfg.Now()
		}
		return s.at
	}})
	return s
}

// rebuild applies all that is not confirmed to the base anew, at the instants
// at which it was done. n.mu is held, or nobody else has the node yet.
func (n *Node) rebuild(ctx context.Context) error {
	base := n.cfg.Bases.Current()
	if base == nil {
		return nil // nothing shows, and what is sent keeps the order in which it was done
	}
	s := n.sight(base)
	var held []*outbox.Entry
	for _, it := range n.box.Applied() {
		s.at = it.At
		_, err := n.predict(ctx, s, it)
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		held = append(held, n.doubtful(it, err))
	}
	if err := n.keep(held...); err != nil {
		n.cfg.Log.Error("what looks like a conflict cannot be held back", "error", err)
	}
	s.at = time.Time{}
	if old := n.seen.Swap(s); old != nil {
		old.ledger.Close()
	}
	return nil
}

// taken are the refusals that tell that somebody else has done what an
// operation would do.
var taken = []api.Code{api.QuantityExceedsPending, api.NothingPending, api.InboundAlreadyReceived, api.InboundNotOpen,
	api.OutboundNotOpen, api.TransferNotOpen, api.SerialExists, api.SerialNotAvailable}

// doubtful holds an operation back that was right when it was done and is not
// any more: somebody has been at the same goods meanwhile, and a person knows
// whether they are the same.
func (n *Node) doubtful(it *outbox.Item, refused error) *outbox.Entry {
	if refused == nil || it.Insisted || it.Unknown() || !slices.Contains(moved, it.Operation) ||
		!slices.Contains(taken, api.AsError(refused).Code) {
		return nil
	}
	return n.box.Hold(n.now(), it.Key, outbox.RefusalOf(refused))
}

// predict applies one operation to the front, and notes what it touches and
// what the ledger says against it.
func (n *Node) predict(ctx context.Context, s *sight, it *outbox.Item) (*api.Response, error) {
	req, err := request(&it.Capture)
	if err != nil {
		n.box.Lay(it.Key, outbox.Footprint{}, outbox.RefusalOf(err))
		return nil, err
	}
	req.Caller = &n.cfg.Caller
	res, err := s.ledger.Do(ctx, req)
	n.lay(it.Key, s.front.footprint(), err)
	return res, err
}

// lay notes what an operation touches. What a refused one would have written is
// not known, so it keeps its order with all that it looked at.
func (n *Node) lay(key string, print outbox.Footprint, refused error) {
	var risk *outbox.Refusal
	if refused != nil {
		risk = outbox.RefusalOf(refused)
		print.Writes = append(print.Writes, print.Reads...)
	}
	n.box.Lay(key, print, risk)
}
