package transfers

import (
	"context"
	"errors"
	"fmt"

	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/dock"
)

// ShipOnce does in one go what the screen of a transfer does at its source.
func ShipOnce(ctx context.Context, e *dock.Errand) (dock.Report, error) {
	return shipping.once(ctx, e)
}

// ArriveOnce does in one go what the screen of a transfer does at its destination.
func ArriveOnce(ctx context.Context, e *dock.Errand) (dock.Report, error) {
	return arriving.once(ctx, e)
}

func (e *end) once(ctx context.Context, x *dock.Errand) (dock.Report, error) {
	return x.Do(ctx, func(ctx context.Context) (*dock.Plan, error) {
		docs, err := x.Site.FindTransfers(ctx, x.Ref)
		if err != nil {
			return nil, err
		}
		p := e.paper(x.Site)
		doc, err := dock.Only(x.Ref, docs, p.Open, func(t *api.Transfer) string { return t.ID.String() + "  " + p.Choice(t) })
		if err != nil {
			return nil, err
		}
		if why, _ := e.closed(doc); why != "" && !x.Again {
			return nil, errors.New(why)
		}
		goods, err := x.Site.Goods(ctx, doc.ProductID, doc.Product)
		if err != nil {
			return nil, err
		}
		line := &dock.Line{Goods: goods, Pending: e.pendingOf(doc)}
		if err := x.Fit(line); err != nil {
			return nil, err
		}
		s := &screen{Document: dock.Document[api.Transfer]{Doc: doc}, site: x.Site, end: e}
		list, err := s.plan([]dock.Line{*line})(ctx)
		return &dock.Plan{Steps: list, Touched: line.Count.Now}, err
	}, func(p *dock.Plan, outputs []any) string {
		t := changed(&api.Response{Output: outputs[0]})
		return fmt.Sprintf(movedWords, *e.done, widget.Count(p.Touched),
			widget.Count(e.doneOf(t)), widget.Count(e.wholeOf(t)), widget.Count(e.pendingOf(t)))
	})
}
