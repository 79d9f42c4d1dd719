package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"bincard/server/api"
	"bincard/tui"
)

// correctionPeriod is how long corrections of the same stock count as one.
const correctionPeriod = 24 * time.Hour

// correctionPages limits the pages of movements that are read for an operation.
const correctionPages = 4

// CountReference is the reference type of the movements of a count.
const CountReference = "count"

// Corrections are the net changes of the on hand quantity at a location that each operator
// made without a supervisor in the last 24 hours, so that a large correction cannot be split
// into small ones. They are either adjustments or counts.
type Corrections struct {
	permission tui.Permission
	net        map[correction]int64
}

// A correction identifies the corrections of a product by an operator.
type correction struct {
	operator string
	product  api.ID
}

// correctionOperations are the operations of adjustments and counts.
var correctionOperations = []api.MovementOperation{api.OpAdjust, api.OpReconcile, api.OpReceive, api.OpWriteOff,
	api.OpReturnStock}

// Corrections reads the adjustments (tui.MayAdjust) or the counts (tui.MayCount) of a product
// at a location, or of all products if product is zero. There are none where the movements
// cannot be read from here.
func (s *Site) Corrections(ctx context.Context, kind tui.Permission, location, product api.ID,
	now time.Time) (Corrections, error) {
	c := Corrections{permission: kind, net: map[correction]int64{}}
	if s.Operator() == "" || s.Denied(api.ReportMovements.Spec) != "" {
		return c, nil
	}

	limit := int64(500)
	in := api.ReportMovementsInput{
		StockFilter:    api.StockFilter{ProductID: product, LocationID: location},
		InventoryState: api.OnHand,
		Limit:          &limit,
	}
	rows := make([][]api.MovementRow, len(correctionOperations))
	var reads errgroup.Group
	for i, op := range correctionOperations {
		in := in
		in.Operation = op
		reads.Go(func() (err error) {
			rows[i], err = recentMovements(ctx, s, in, now.Add(-correctionPeriod))
			return err
		})
	}

	err := reads.Wait()
	for _, m := range slices.Concat(rows...) {
		c.add(m.Operator, m.ApprovedBy, m.ProductID, m.Operation, m.ReferenceType, m.Quantity)
	}

	return c, err
}

// recentMovements reads the movements since from, newest first.
func recentMovements(ctx context.Context, s *Site, in api.ReportMovementsInput,
	from time.Time) (rows []api.MovementRow, err error) {
	in.CreatedFrom = &from
	for range correctionPages {
		page, err := Call(ctx, s, api.ReportMovements, in)
		if api.HasCode(err, api.Unavailable) && in.CreatedFrom != nil { // a node that began later has its own movements
			in.CreatedFrom = nil
			page, err = Call(ctx, s, api.ReportMovements, in)
		}

		var e *api.Error
		switch {
		case IsUnsupported(err), errors.As(err, &e) && e.Code != api.Unavailable:
			return rows, nil
		case err != nil:
			return rows, err
		}

		for i := range page.Items {
			if page.Items[i].CreatedAt.Before(from) {
				return rows, nil
			}
			rows = append(rows, page.Items[i])
		}

		if page.NextCursor == nil {
			break
		}

		in.Cursor = *page.NextCursor
	}

	return rows, nil
}

// Add adds the movements of a correction that was just recorded.
func (c *Corrections) Add(moves []api.Movement) {
	for i := range moves {
		m := &moves[i]
		if operator, supervisor, _ := m.Who(); m.InventoryState == api.OnHand {
			c.add(operator, supervisor, m.ProductID, m.Operation, m.ReferenceType, m.Quantity)
		}
	}
}

func (c *Corrections) add(operator, supervisor string, product api.ID, op api.MovementOperation, reference string,
	n int64) {
	kind := tui.MayAdjust
	switch {
	case reference == CountReference || op == api.OpReconcile:
		kind = tui.MayCount
	case reference != "": // of a document
		return
	}

	if c.net != nil && supervisor == "" && kind == c.permission {
		c.net[correction{operator, product}] += n
	}
}

// ByOperator returns the net change of a product by an operator.
func (c Corrections) ByOperator(operator string, product api.ID) int64 {
	return c.net[correction{operator, product}]
}

// LargeDifference has the limits of a large difference of a count, which needs a second count
// with the same result, or a supervisor. A difference is large if it exceeds both.
type LargeDifference struct {
	Pieces  int64
	Percent int64 // of the recorded quantity
}

// DefaultLargeDifference returns the limits of a company that sets none.
func DefaultLargeDifference() LargeDifference { return LargeDifference{Pieces: 10, Percent: 10} }

// Exceeded reports whether a difference of n pieces is large.
func (d LargeDifference) Exceeded(n, recorded int64) bool {
	return n > d.Pieces && n*100 > d.Percent*recorded
}

// LargeDifference returns the limits of a large difference of a count: those of the
// organization, or of this terminal where the organization sets none.
func (s *Site) LargeDifference() LargeDifference {
	out := DefaultLargeDifference()
	if s.opts.LargeDifference != nil {
		out = *s.opts.LargeDifference
	}

	rules := s.Rules()
	if rules.CountLimitPieces != nil {
		out.Pieces = *rules.CountLimitPieces
	}
	if rules.CountLimitPercent != nil {
		out.Percent = *rules.CountLimitPercent
	}

	return out
}
