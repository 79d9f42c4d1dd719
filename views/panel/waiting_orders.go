package panel

import (
	"context"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// waitingOrders are the orders that wait for what was received, and can get some of it.
type waitingOrders struct {
	count    int      // 0 if there are none
	products []api.ID // that they can get
	// first is the order that gets stock first: it waits for so many of sku, of which so many are
	// here.
	first        api.Outbound
	sku          string
	wanted, here int64
	since        time.Time // when they were offered
}

// waitingMsg carries the orders that were read.
type waitingMsg struct{ found waitingOrders }

// maxWaitingPages limits the pages of orders that are read after a receipt.
const maxWaitingPages = 10

// read reads which orders wait for what was received. Without an answer, they can be
// allocated on their own screens.
func (*waitingOrders) read(p *CountPanel, received []receipt) tea.Cmd {
	site, at := p.Site, p.Document.Location.ID
	skus := map[api.ID]string{}
	for _, r := range received {
		for _, l := range r.lines {
			skus[l.Item.ID] = l.Item.SKU
		}
	}
	if !p.Job.Receives || len(skus) == 0 || at == api.NoID || !site.Supports(api.AllocateOutbounds.Spec) ||
		!site.Supports(api.ListPickableStock.Spec) || site.MissingRights(api.AllocateOutbounds.Spec) != "" {
		return nil
	}

	return p.Env.Latest("waiting", func(ctx context.Context) tea.Msg {
		found, err := findWaiting(ctx, site, at, skus)
		if err != nil {
			return waitingMsg{}
		}
		return waitingMsg{found}
	})
}

// findWaiting returns the orders at a location that wait for one of the products and can get
// some.
func findWaiting(
	ctx context.Context,
	site *session.Site,
	at api.ID,
	skus map[api.ID]string,
) (w waitingOrders, err error) {
	free := freeStock{}
	limit := int64(100)
	in := api.ListOutboundsInput{StockFilter: api.StockFilter{LocationID: at}, Pending: api.PendingAllocation,
		Page: api.Page{Limit: &limit}}
	for range maxWaitingPages {
		list, err := session.Call(ctx, site, api.ListOutbounds, in)
		if err != nil {
			return w, err
		}
		for i := range list.Items {
			if err := w.add(ctx, site, &list.Items[i], skus, free); err != nil {
				return w, err
			}
		}
		if list.NextCursor == nil {
			break
		}
		in.Cursor = *list.NextCursor
	}

	return w, nil
}

// add adds an order if it can get some of the products.
func (w *waitingOrders) add(
	ctx context.Context,
	site *session.Site,
	o *api.Outbound,
	skus map[api.ID]string,
	free freeStock,
) error {
	gets := false
	for _, l := range o.Lines {
		sku := skus[l.ProductID]
		if l.PendingAllocationQuantity == 0 || sku == "" {
			continue
		}

		n, err := free.of(ctx, site, api.ListPickableStockInput{
			ProductID:  l.ProductID,
			LocationID: o.LocationID,
			OwnerID:    o.OwnerID,
			ChannelID:  o.ChannelID,
		})
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}

		if w.count == 0 && !gets {
			w.first, w.sku, w.here = *o, sku, n
		}
		if w.count == 0 && sku == w.sku {
			w.wanted += l.PendingAllocationQuantity
		}
		if gets = true; !slices.Contains(w.products, l.ProductID) {
			w.products = append(w.products, l.ProductID)
		}
	}

	if gets {
		w.count++
	}

	return nil
}

// freeStock is what can be allocated of the balances that were read.
type freeStock map[api.ListPickableStockInput]int64

// of returns what can be allocated of a balance.
func (f freeStock) of(ctx context.Context, site *session.Site, in api.ListPickableStockInput) (int64, error) {
	if n, known := f[in]; known {
		return n, nil
	}

	list, err := session.Call(ctx, site, api.ListPickableStock, in)
	if err != nil {
		return 0, err
	}

	f[in] = 0
	for _, lot := range list.Items {
		f[in] += lot.AvailableQuantity
	}

	return f[in], nil
}

// text says which orders wait, and which keys allocate; or "" if none do. atEnd means that enter
// allocates to the first one.
func (w *waitingOrders) text(t *i18n.Translator, small, atEnd bool) string {
	name, wanted, here := widget.Clean(names.Outbound(&w.first)), t.Count(w.wanted), t.Count(w.here)
	several := t.GetN(w.count, "%s order waits", "%s orders wait")
	switch {
	case w.count == 0:
		return ""
	case small && w.count == 1:
		return t.Get("%s waits for %s", name, wanted)
	case small:
		return several
	case w.count == 1 && atEnd:
		return t.Get("%s × %s here, %s waits for %s. Enter allocates and opens it.", here, w.sku, name, wanted)
	case w.count == 1:
		return t.Get("%s × %s here, %s waits for %s. Press F3 to allocate.", here, w.sku, name, wanted)
	case atEnd:
		return t.Get("%s × %s here, %s. Enter allocates to %s, F3 to all.", here, w.sku, several, name)
	}

	return t.Get("%s × %s here, %s. Press F3 to allocate all.", here, w.sku, several)
}

// actions returns the actions that allocate to the orders that wait: F3 to all of them, and
// enter to the first one, unless something can still be counted.
func (w *waitingOrders) actions(p *CountPanel) []tui.Action {
	t := p.T()
	if w.count == 0 {
		return nil
	}

	all := tui.Action{
		ID:    "panel.allocate",
		Key:   "f3",
		Label: t.Get("allocate"),
		Short: t.Get("alloc"),
		Help: t.Get(
			"Allocate what was received to the orders that wait for it",
		),
		Run: func() tea.Cmd { return w.allocateAll(p) },
	}
	if w.count > 1 {
		all.Label = t.Get("allocate all")
	}
	if !p.Document.atEnd(p.Total()) {
		return []tui.Action{all}
	}

	return []tui.Action{{ID: "panel.first", Key: "enter", Command: tui.DoConfirm,
		Label: t.Get("allocate and open %s", widget.Clean(names.Outbound(&w.first))), Short: t.GetC("open", "verb"),
		Help: all.Help, Run: func() tea.Cmd { return w.allocateFirst(p) }}, all}
}

// allocateAll allocates to all orders that wait for what was received, in their order.
func (w *waitingOrders) allocateAll(p *CountPanel) tea.Cmd {
	var steps []submit.Step
	for _, product := range w.products {
		step, err := submit.NewStep(api.AllocateOutbounds,
			api.AllocateOutboundsInput{ProductID: product, LocationID: p.Document.Location.ID}, p.T().Get("allocate"))
		if err != nil {
			return tui.Fail(err)
		}
		steps = append(steps, step)
	}

	return p.Submit("", steps[0], nil, steps[1:]...)
}

// allocateFirst allocates to the first order, and then opens it. It does not if the order was
// offered only now: then enter was meant for what stood there before.
func (w *waitingOrders) allocateFirst(p *CountPanel) tea.Cmd {
	t := p.T()
	if tooEarly(p.Env.Now(), w.since) {
		return warnTooEarly(t, names.Outbound(&w.first))
	}

	in := api.HandleOutboundInput{OutboundID: w.first.ID}
	step, err := submit.NewStep(api.AllocateOutbound, in, t.Get("allocate"))
	cmd := p.Submit(t.Get("Allocated to %s", names.Outbound(&w.first)), step, err)
	p.opens = tui.Path("fulfill", w.first.ID.String())

	return cmd
}

// allocatedText says which orders got how much.
func allocatedText(t *i18n.Translator, out *api.AllocateOutboundsResult) string {
	var parts []string
	for _, x := range out.Items {
		parts = append(parts, t.GetC("%s to %s", "allocated", t.Count(x.Quantity), names.Allocated(&x)))
	}
	if len(parts) == 0 {
		return t.Get("Nothing was allocated: the stock is taken, or the orders have theirs.")
	}
	return t.Get("Allocated: %s", strings.Join(parts, ", "))
}

// booked says what an allocation to the orders that wait gave them, and forgets that they wait.
func (w *waitingOrders) booked(p *CountPanel, res *api.Response) {
	switch out := res.Output.(type) {
	case *api.AllocateOutboundsResult:
		sub := p.sender.submission
		sub.Toast = strings.TrimSpace(sub.Toast + " " + allocatedText(p.T(), out))
		*w = waitingOrders{}
	case *api.OutboundResult:
		*w = waitingOrders{}
	}
}
