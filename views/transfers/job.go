package transfers

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/views/dock"
)

// ShipJob ships a transfer without a screen.
func ShipJob(ctx context.Context, e *dock.Job) (dock.JobResult, error) {
	return shipping.runJob(ctx, e)
}

// ReceiveJob receives a transfer without a screen.
func ReceiveJob(ctx context.Context, e *dock.Job) (dock.JobResult, error) {
	return receiving.runJob(ctx, e)
}

func (e *side) runJob(ctx context.Context, x *dock.Job) (dock.JobResult, error) {
	return x.Run(ctx, func(ctx context.Context) (*dock.Submission, error) {
		docs, err := x.Site.FindTransfers(ctx, x.Ref)
		if err != nil {
			return nil, err
		}
		p := e.documentKind(x.Site)
		doc, err := dock.SelectDocument(x.Site.T(), x.Ref, docs, p.IsOpen, func(t *api.Transfer) string { return t.ID.String() + "  " + p.Choice(t) })
		if err != nil {
			return nil, err
		}
		if why, _ := e.closedReason(x.Site.T(), doc); why != "" && !x.MayBeBooked {
			return nil, errors.New(why)
		}
		goods, err := x.Site.Item(ctx, doc.ProductID, doc.Product)
		if err != nil {
			return nil, err
		}
		line := &dock.Line{Item: goods, Pending: e.pendingOf(doc)}
		if err := x.ApplyTo(line); err != nil {
			return nil, err
		}
		s := &screen{DocumentScreen: dock.DocumentScreen[api.Transfer]{Doc: doc}, site: x.Site, side: e}
		list, err := s.prepareSteps([]dock.Line{*line})(ctx)
		return &dock.Submission{Steps: list, Pieces: line.Count.Quantity}, err
	}, func(p *dock.Submission, outputs []any) string {
		t := transferIn(&api.Response{Output: outputs[0]})
		return x.Site.T().Get("%s %s. %s of %s, pending %s", x.Site.T().Get(e.doneWord), x.Site.T().Count(p.Pieces),
			x.Site.T().Count(e.doneOf(t)), x.Site.T().Count(e.totalOf(t)), x.Site.T().Count(e.pendingOf(t)))
	})
}
