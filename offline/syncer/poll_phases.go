package syncer

// A phase runs when everything that the one before asked for is read. It asks
// for more, and sets the next phase. Filling ends with a cycle, whose phases are
// readChanges; movementsRead, until nothing is left to read; lookUp; and
// lookupsRead, which goes back to movementsRead or finishes the cycle.

import (
	"context"
	"time"

	"bincard/server/ledger/replica"
)

// maxPasses is how often a cycle reads the movements again for those that
// arrived while it was reading.
const maxPasses = 4

// begin begins a cycle if the polled replica is complete, and stages a new one otherwise.
func (p *poll) begin(ctx context.Context) error {
	at, err := p.Replicas.Position(ctx, p.Replicas.Current())
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil || p.failures >= MaxFailures {
		p.Log.Warn("the replica is outdated; downloading it again", "error", err)
		at, p.failures = replica.Position{}, 0
	}
	if at.IsPolled() && at.Complete {
		p.since = at.SyncedUntil
		p.beginCycle(at.SyncedUntil)
		return nil
	}

	p.stage, err = p.Replicas.Stage()
	if err != nil {
		return Abort(err)
	}

	clear(p.knownMovements)
	clear(p.transferStates)
	p.cycle, p.nextPhase = nil, p.fillDone
	p.readAll()

	return Abort(p.Replicas.Update(ctx, p.stage, (*replica.Tx).BeginPolled))
}

// fillDone reads the movements since the filling began.
func (p *poll) fillDone(context.Context) error {
	p.beginCycle(p.since)
	return nil
}

// beginCycle begins a cycle from a time of the service's clock. Its first
// request waits until nothing is in flight.
func (p *poll) beginCycle(from time.Time) {
	p.HoldSends = true
	p.cycle, p.tasks, p.nextPhase = newCycle(from), nil, p.readChanges
}

func (p *poll) readChanges(ctx context.Context) error {
	for _, op := range p.Queue.Unconfirmed() {
		if err := p.confirmOperation(ctx, op); err != nil {
			return err
		}
	}

	p.readMovements()
	p.nextPhase = p.movementsRead
	return p.readNewTransfers(ctx)
}

// movementsRead reads what the movements do not explain, and then the
// movements again. Once nothing is left to read it looks up the unanswered
// operations.
func (p *poll) movementsRead(ctx context.Context) error {
	r := p.cycle
	r.passes++
	r.sortPass()
	if err := p.readUnexplained(ctx); err != nil {
		return err
	}
	if err := p.readDocuments(ctx); err != nil {
		return err
	}

	switch {
	case len(p.tasks) == 0 || r.passes > maxPasses:
		p.nextPhase = p.lookUp
	default:
		p.readMovements()
	}

	return nil
}

// lookUp looks up the operations that were sent and not answered.
func (p *poll) lookUp(ctx context.Context) error {
	p.nextPhase = p.lookupsRead
	return p.readLookups(ctx)
}

// lookupsRead reads the changes of the operations that were found, and ends the
// cycle if there are none.
func (p *poll) lookupsRead(ctx context.Context) error {
	found, err := p.resolveLookups(ctx)
	switch {
	case err != nil:
		return err
	case !found:
		return p.finish(ctx)
	}

	p.readMovements()
	p.nextPhase = p.movementsRead

	return nil
}
