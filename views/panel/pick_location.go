package panel

import (
	"context"
	"fmt"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// pickStockMsg carries the recorded stock at the pick location.
type pickStockMsg struct {
	items []count.Item
	stock []int64 // on hand, by item
	asked bool    // by the operator; otherwise only zero stock is asked about
	err   error

	corrections session.Corrections // counts, if the operator's role limits them
}

// A stockCheck compares the recorded stock at the pick location of a document with what is
// there.
type stockCheck struct {
	tui.Env
	site *session.Site
	doc  CountDocument
	// submit performs the write that corrects the stock.
	submit func(s *submit.Submission, err error) tea.Cmd
	// short refuses the quantity of an item if it is less than the document holds; else it
	// returns nil.
	short func(item count.Item, there int64) tea.Cmd
}

func (p *CountPanel) stockCheck() stockCheck {
	return stockCheck{p.Env, p.Site, p.Document, p.submit,
		func(item count.Item, there int64) tea.Cmd { return failShort(p, item, there) }}
}

// failShort says that the document holds more of an item than is there, which the ledger does not
// change, and offers to count what is there; it returns nil if that is not so.
func failShort(p *CountPanel, item count.Item, there int64) tea.Cmd {
	t, l, held, left := p.T(), p.Line(), int64(0), there
	for _, x := range p.Lines {
		if x.Item.ID == item.ID && p.Job.Ready { // what is ready is held
			held += x.Pending
			if x != l {
				left -= x.Count.Quantity
			}
		}
	}

	left = min(left, l.Pending)
	n, holder := l.AllOfLot()-l.Pending+left, p.Document.PickFrom.Document
	switch {
	case there >= held:
		return nil
	case l.Item.ID != item.ID || n < 1:
		return fail(t.Get(
			"Not corrected: %s holds %s × %s. Leave them to go, or cancel them (%s) and count the shelf again (-).",
			holder, t.Count(held), item.SKU, CancelKey))
	}

	return fail(t.Get(
		"Not corrected: %s holds %s × %s. Press F8 to count the %s that are there; the rest stays to go.",
		holder, t.Count(held), item.SKU, t.Count(left)),
		tui.Action{ID: "panel.short", Key: "f8", Label: t.Get("count %s of %s", t.Count(left), item.SKU),
			Short: t.Get("count"), Run: func() tea.Cmd { return p.SetCount(n, t.Get("typed")) }})
}

// isPossible reports whether the stock at the pick location can be read and reconciled.
func (c stockCheck) isPossible() bool {
	return c.doc.PickFrom != nil && c.doc.Location.IsSet() && c.site.Supports(api.ListBalances.Spec) &&
		c.site.Supports(api.ReconcileStock.Spec) && c.site.MissingRights(api.ReconcileStock.Spec) == ""
}

// read reads the recorded stock of the items.
func (c stockCheck) read(asked bool, items ...count.Item) tea.Cmd {
	if len(items) == 0 {
		return nil
	}

	from, at := *c.doc.PickFrom, c.doc.Location
	limited, now := c.IsLimited(tui.MayCount), c.Now()
	read := func(ctx context.Context) tea.Msg {
		m := pickStockMsg{items: items, asked: asked}
		for _, g := range items {
			list, err := session.Call(ctx, c.site, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{
				ProductID: g.ID, LocationID: at.ID, OwnerID: from.Owner, ChannelID: from.Channel}})
			if err != nil {
				m.err = err
				return m
			}

			var n int64
			for _, x := range list.Items {
				n += x.OnHand
			}

			m.stock = append(m.stock, n)
		}

		if limited {
			m.corrections, m.err = c.site.Corrections(ctx, tui.MayCount, at.ID, api.NoID, now)
		}

		return m
	}

	if asked {
		return c.Do(read)
	}

	return c.Latest("shelf", read) // no scan waits for it
}

// loaded asks the operator for the real quantity, or whether the location is as empty as
// recorded.
func (c stockCheck) loaded(m pickStockMsg) tea.Cmd {
	t, at := c.T, c.doc.Location.Code

	switch {
	case m.err != nil && m.asked:
		return fail(submit.UserMessage(t, m.err))
	case m.err != nil:
		return nil
	case m.asked && !c.IsSupervisor(): // the count is blind
		return c.ask(m.items[0], t.Get("How many %s are at %s, including those counted?", m.items[0].SKU, at),
			m.stock[0], m.corrections)
	case m.asked:
		return c.ask(m.items[0], t.Get("The ledger shows %s of %s at %s. How many are there, including those counted?",
			t.Count(m.stock[0]), m.items[0].SKU, at), m.stock[0], m.corrections)
	}

	for i, g := range m.items {
		if m.stock[i] > 0 {
			continue
		}

		rest := pickStockMsg{items: m.items[i+1:], stock: m.stock[i+1:], corrections: m.corrections}

		return tui.Confirm(tui.Question{
			Text: t.Get("The ledger shows no %s left at %s. Is the shelf empty?", g.SKU, at),
			Yes:  t.GetC("empty", "count"), OnYes: func() tea.Cmd { return c.loaded(rest) },
			No: t.Get("not empty"), OnNo: func() tea.Cmd {
				return c.ask(g, t.Get("How many %s are left at %s?", g.SKU, at), 0, m.corrections)
			}})
	}

	return nil
}

// ask asks for the real quantity and reconciles the stock.
func (c stockCheck) ask(g count.Item, ask string, recorded int64, earlier session.Corrections) tea.Cmd {
	t, at, from := c.T, c.doc.Location, c.doc.PickFrom

	number := func(text string) (int64, error) {
		return parseNumber(text, t.Get("%q is not a quantity.", text))
	}
	correct := func(text string) tea.Cmd {
		n, _ := number(text)
		if n == recorded {
			return tui.Toast(t.Get("The ledger agrees: %s of %s", t.Count(n), g.SKU))
		}
		if short := c.short(g, n); short != nil {
			return short
		}
		if g.Tracking == api.TrackLot { // the quantity does not say of which lot the difference is
			return tui.Confirm(tui.Question{Text: t.Get("%s is recorded by lot. Count each lot?", g.SKU),
				Yes: t.GetC("count", "action"), No: t.Get("back"),
				OnYes: tui.Opens(session.CountRoute(at.Code, g.SKU))})
		}

		key := api.StockKey{ProductID: g.ID, LocationID: at.ID, OwnerID: from.Owner, ChannelID: from.Channel}
		step, err := submit.NewStep(api.ReconcileStock, api.ReconcileStockInput{StockKey: key, CountedQuantity: &n,
			Reason: fmt.Sprintf(names.CountedAt, from.Document)}, t.Get("count %s of %s", t.Count(n), g.SKU))
		need := tui.Need{Permission: tui.MayCount, Change: n - recorded, Recorded: recorded,
			Earlier: earlier.ByOperator(c.site.Operator(), g.ID)}

		record := func() tea.Cmd {
			return c.submit(&submit.Submission{Steps: []submit.Step{step}, KeepCounts: true,
				Toast: t.Get("Corrected: %s of %s", t.Count(n), g.SKU)}, err)
		}

		large := c.site.LargeDifference().Exceeded(max(n-recorded, recorded-n), recorded)

		return tui.Perform(
			tui.Action{Label: step.Text, Needs: []tui.Need{need}, Supervisor: large, Approve: func() string {
				return t.Get("%s at %s", step.Text, at.Code)
			}, Run: func() tea.Cmd {
				if c.ApprovedBy() == "" {
					return record()
				}
				return tui.Confirm(tui.Question{Yes: t.GetC("record", "action"), No: t.Get("back"), OnYes: record,
					Text: t.Get("The ledger shows %s of %s at %s, and %s are counted. Record the count?",
						t.Count(recorded), g.SKU, at.Code, t.Count(n))})
			}},
		)
	}

	return tui.Prompt(tui.Request{Text: ask, OnText: correct, Check: func(text string) error {
		_, err := number(text)
		return err
	}})
}

// action returns the action for entering the real quantity of the frame's item.
func (c stockCheck) action(frame func() Frame) tui.Action {
	t := c.T

	return tui.Action{ID: "panel.recount", Key: "-", Label: t.Get("count the shelf"), Short: t.Get("shelf"),
		Help: t.Get("Enter the real quantity when the ledger is wrong"), NoFooter: true,
		Disabled: func() string {
			switch f := frame(); {
			case !c.isPossible():
				return t.Get("This service does not support counts")
			case f.line.BySerial():
				return t.Get("Serialized items are counted by serial number: use Count")
			case f.phase == closed:
				return "" // what was canceled may not be there
			default:
				return f.notEditable()
			}
		},
		Run: func() tea.Cmd { return c.read(true, frame().line.Item) }}
}

// A locationCheck warns if items are handled at another location than the operator's,
// and asks once before they are booked there.
type locationCheck struct {
	site      *session.Site
	confirmed session.Location // other location that was confirmed
}

// wrong reports whether at is another location than the operator's.
func (c *locationCheck) wrong(at session.Location) bool {
	here := c.site.Location()
	return at.IsSet() && here.IsSet() && here.ID != at.ID
}

// warning returns a warning line if at is another location, or "".
func (c *locationCheck) warning(th widget.Theme, size tui.Size, at session.Location) string {
	if !c.wrong(at) {
		return ""
	}

	t := c.site.T()
	text := t.Get("At %s, but you are at %s: F6 to switch", at, c.site.Location().Code)
	if size.Small() {
		text = t.Get("at %s, not here", at.Code)
	}

	return indent(th.Warn(widget.Clip(text, size.Width-2-margin(size))), size)
}

// question asks whether to book at another location. It returns nil if there is nothing
// to ask.
func (c *locationCheck) question(at session.Location, verb string, then func() tea.Cmd) tea.Cmd {
	if !c.wrong(at) || c.confirmed == at {
		return nil
	}
	text := c.site.T().Get("This is at %s, but you are at %s. Record it there?", at, c.site.Location())
	return tui.Confirm(tui.Question{Text: text, Yes: verb, OnYes: func() tea.Cmd {
		c.confirmed = at
		return then()
	}})
}

// switchAction returns the action that makes at the operator's location.
func (c *locationCheck) switchAction(at session.Location) tui.Action {
	t := c.site.T()
	return tui.Action{ID: "panel.switch", Key: "f6",
		Label: t.Get("work at %s", at.Code), Short: at.Code, Help: t.Get("Switch to this location"),
		Run: func() tea.Cmd {
			return Navigate(c.site, []session.Destination{{Label: t.Get("Work at %s", at), Location: at}})
		}}
}
