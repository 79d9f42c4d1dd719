package stock

import (
	"context"

	"bincard/server/api"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/submit"
)

// A Change is what a job does to a balance. The Count of the job is the quantity, and
// its Ref names the stock as SKU@LOCATION.
type Change struct {
	State  api.State // adjusted state, or the source of a move
	To     api.State // destination of a move
	Less   bool      // remove instead of add
	Exact  bool      // the count is the new total
	Reason string
	Order  string // the reference of what is returned, or ""
}

// jobStock finds the item and the location of a job.
func jobStock(ctx context.Context, job *submit.Job, c *Change) (stockItem, error) {
	if err := panel.CheckReason(job.Site.T())(c.Reason); err != nil {
		return stockItem{}, err
	}

	s, err := findStock(ctx, job.Site, job.Ref)
	switch {
	case err != nil:
		return s, err
	case s.item.ID == api.NoID:
		return s, job.Site.T().NewError("Specify the item as SKU@LOCATION, or enter a balance ID.")
	case !s.location.IsSet():
		return s, job.Site.T().NewError("No location for %s. Specify it as SKU@LOCATION, or choose your location.",
			s.item.SKU)
	}

	return s, nil
}

// AdjustJob adjusts a balance without a screen.
func AdjustJob(ctx context.Context, job *submit.Job, c Change) (submit.JobResult, error) {
	t := job.Site.T()

	return job.Run(ctx, func(ctx context.Context) (*submit.Submission, error) {
		s, err := jobStock(ctx, job, &c)
		if err != nil {
			return nil, err
		}

		current := s.balance.Of(c.State)
		by := job.Count.Quantity
		switch {
		case c.Exact:
			by -= current
		case c.Less:
			by = -by
		}

		if by == 0 {
			return nil, t.NewError("No change: %s is already %s. Type another quantity.",
				names.State(t, c.State), t.Count(current))
		}

		up := by > 0
		line := &count.Line{
			Item:        s.item,
			Pending:     api.MaxQuantity,
			PendingWord: t.Get("%s here", names.State(t, c.State)),
		}
		if !up {
			line.Pending = current
		}

		job.Count.Quantity = by
		if !up {
			job.Count.Quantity = -by
		}
		if err := job.ApplyTo(line, !up && c.State != api.Committed && c.State != api.Incoming); err != nil {
			return nil, err
		}

		tracked := line.Count.Lot != "" || len(line.Count.Serials) > 0
		switch {
		case tracked && (c.State == api.Committed || c.State == api.Incoming):
			return nil, t.NewError("%s stock is tied to documents, not lots. Choose another state (F4).",
				names.State(t, c.State))
		case up && line.ByLot() && !tracked && c.State != api.Incoming && job.Site.Supports(api.ReceiveStock.Spec):
			return nil, t.NewError("%s is tracked by lot. Scan or type the lot (F7), then try again.",
				s.item.SKU)
		}

		change := stateChange{stockItem: s, state: c.State, reason: c.Reason}
		if c.Exact {
			change.match = s.balance.Version
		}

		p, err := countedQuantity(ctx, job.Site, *line, up)
		if err != nil {
			return nil, err
		}

		list, err := change.buildSteps(t, p)

		return &submit.Submission{
			Steps:  list,
			Pieces: p.quantity,
			Toast:  s.item.SKU + ": " + deltasText(t, deltas(s.balance.Quantities, c.State, by)),
		}, err
	}, nil)
}

// ReturnJob takes back what was shipped, without a screen, in the state that c.To names.
func ReturnJob(ctx context.Context, job *submit.Job, c Change) (submit.JobResult, error) {
	t := job.Site.T()

	return job.Run(ctx, func(ctx context.Context) (*submit.Submission, error) {
		s, err := jobStock(ctx, job, &c)
		if err != nil {
			return nil, err
		}

		line := &count.Line{Item: s.item, Pending: api.MaxQuantity, PendingWord: t.Get("to return")}
		if err := job.ApplyTo(line, false); err != nil {
			return nil, err
		}
		if line.ByLot() && line.Count.Lot == "" {
			return nil, t.NewError("%s is tracked by lot. Scan or type the lot (F7), then try again.", s.item.SKU)
		}

		p, err := countedQuantity(ctx, job.Site, *line, true)
		if err != nil {
			return nil, err
		}

		change := stateChange{stockItem: s, state: c.To, reason: c.Reason}
		if c.Order != "" {
			orders, err := job.Site.FindOutbounds(ctx, c.Order)
			if err == nil && len(orders) == 0 {
				err = t.NewError("There is no document %s. Check the number, or scan it again.", c.Order)
			}
			if err != nil {
				return nil, err
			}

			o := &orders[0]
			if left := returnable(ctx, job.Site, o, s.item.ID); p.quantity > left {
				return nil, t.NewError("Of %s, %s of %s may come back. Nothing was recorded.", names.Outbound(o),
					t.Count(left), s.item.SKU)
			}
			change.ref = referenceOf(o)
		}

		steps, err := change.returnSteps(t, p)

		return &submit.Submission{
			Steps:  steps,
			Pieces: p.quantity,
			Toast:  s.item.SKU + ": " + deltasText(t, deltas(s.balance.Quantities, c.To, p.quantity)),
		}, err
	}, nil)
}

// MoveJob moves stock between states without a screen.
func MoveJob(ctx context.Context, job *submit.Job, c Change) (submit.JobResult, error) {
	t := job.Site.T()

	return job.Run(ctx, func(ctx context.Context) (*submit.Submission, error) {
		for _, state := range []api.State{c.State, c.To} {
			if why := immovable(t, state); why != "" {
				return nil, t.NewError("%s stock cannot be moved by hand: %s.",
					names.State(t, state), why)
			}
		}

		s, err := jobStock(ctx, job, &c)
		if err != nil {
			return nil, err
		}

		q := s.balance.Quantities
		line := &count.Line{
			Item:        s.item,
			Pending:     q.Of(c.State),
			PendingWord: t.Get("%s here", names.State(t, c.State)),
		}
		if err := job.ApplyTo(line, true); err != nil {
			return nil, err
		}

		p, err := countedQuantity(ctx, job.Site, *line, false)
		if err != nil {
			return nil, err
		}

		step, err := stateChange{stockItem: s, reason: c.Reason}.moveStep(t, c.State, c.To, p)
		done := []delta{
			{c.State, q.Of(c.State), q.Of(c.State) - p.quantity},
			{c.To, q.Of(c.To), q.Of(c.To) + p.quantity},
		}

		return &submit.Submission{
			Steps:  []submit.Step{step},
			Pieces: p.quantity,
			Toast:  s.item.SKU + ": " + deltasText(t, done),
		}, err
	}, nil)
}
