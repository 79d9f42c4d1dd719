package stock

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/views/dock"
)

// A Change is what an errand does to a balance: Count of the errand is how
// much, and Ref names the goods as SKU@LOCATION.
type Change struct {
	State  api.State // that is adjusted, or that the goods leave
	To     api.State // that they go to, of a move
	Less   bool      // they are taken away; else they are added
	Exact  bool      // the count is what there shall be
	Reason string
}

// jobStock finds the goods and the place.
func jobStock(ctx context.Context, e *dock.Job, c *Change) (stockItem, error) {
	if err := dock.CheckReason(e.Site.T())(c.Reason); err != nil {
		return stockItem{}, err
	}
	s, err := findStock(ctx, e.Site, e.Ref)
	switch {
	case err != nil:
		return s, err
	case s.item.ID == (api.ID{}):
		return s, errors.New(e.Site.T().Get("Name the item as SKU@LOCATION, or give a balance ID."))
	case !s.location.IsSet():
		return s, errors.New(e.Site.T().Get("No location for %s. Name it as SKU@LOCATION, or choose your location.", s.item.SKU))
	}
	return s, nil
}

// AdjustJob does in one go what the screen of adjusting does.
func AdjustJob(ctx context.Context, e *dock.Job, c Change) (dock.JobResult, error) {
	t := e.Site.T()

	return e.Run(ctx, func(ctx context.Context) (*dock.Submission, error) {
		s, err := jobStock(ctx, e, &c)
		if err != nil {
			return nil, err
		}
		there := s.balance.Of(c.State)
		by := e.Count.Quantity
		switch {
		case c.Exact:
			by -= there
		case c.Less:
			by = -by
		}
		if by == 0 {
			return nil, errors.New(t.Get("No change: %s is already %s. Type another quantity.", dock.StateText(e.Site.T(), c.State), t.Count(there)))
		}
		up := by > 0
		line := &dock.Line{Item: s.item, Pending: api.MaxQuantity, PendingWord: t.Get("%s here", dock.StateText(e.Site.T(), c.State))}
		if !up {
			line.Pending = there
		}
		e.Count.Quantity = by
		if !up {
			e.Count.Quantity = -by
		}
		if err := e.ApplyTo(line); err != nil {
			return nil, err
		}
		lots := line.Count.Lot != "" || len(line.Count.Serials) > 0
		switch {
		case lots && (c.State == api.Committed || c.State == api.Incoming):
			return nil, errors.New(t.Get("%s stock belongs to documents and has no lot. Choose another state (F4).", dock.StateText(e.Site.T(), c.State)))
		case up && line.ByLot() && !lots && c.State != api.Incoming && e.Site.Supports(api.ReceiveStock.Spec):
			return nil, errors.New(t.Get("%s is tracked by lot. Scan or type the lot (F7), then try again.", s.item.SKU))
		}
		change := stateChange{stockItem: s, state: c.State, reason: c.Reason}
		if c.Exact {
			change.match = s.balance.Version
		}
		p, err := countedQuantity(ctx, e.Site, *line, up)
		if err != nil {
			return nil, err
		}
		list, err := change.buildSteps(t, p, up)
		return &dock.Submission{Steps: list, Pieces: p.quantity, Toast: s.item.SKU + ": " + deltasText(t, deltas(s.balance.Quantities, c.State, by))}, err
	}, nil)
}

// MoveJob does in one go what the screen of moving between states does.
func MoveJob(ctx context.Context, e *dock.Job, c Change) (dock.JobResult, error) {
	return e.Run(ctx, func(ctx context.Context) (*dock.Submission, error) {
		for _, state := range []api.State{c.State, c.To} {
			if why := immovable(e.Site.T(), state); why != "" {
				return nil, errors.New(e.Site.T().Get("%s stock cannot be moved by hand: %s.", dock.StateText(e.Site.T(), state), why))
			}
		}
		s, err := jobStock(ctx, e, &c)
		if err != nil {
			return nil, err
		}
		q := s.balance.Quantities
		line := &dock.Line{Item: s.item, Pending: q.Of(c.State), PendingWord: e.Site.T().Get("%s here", dock.StateText(e.Site.T(), c.State))}
		if err := e.ApplyTo(line); err != nil {
			return nil, err
		}
		p, err := countedQuantity(ctx, e.Site, *line, false)
		if err != nil {
			return nil, err
		}
		step, err := stateChange{stockItem: s, reason: c.Reason}.moveStep(e.Site.T(), c.State, c.To, p)
		done := []delta{{c.State, q.Of(c.State), q.Of(c.State) - p.quantity}, {c.To, q.Of(c.To), q.Of(c.To) + p.quantity}}
		return &dock.Submission{Steps: []dock.Step{step}, Pieces: p.quantity, Toast: s.item.SKU + ": " + deltasText(e.Site.T(), done)}, err
	}, nil)
}
