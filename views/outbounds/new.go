package outbounds

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// New makes the screen of a new order: its lines by scan, then for whom.
func New(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		switch {
		case !site.Has(api.CreateOutbound.Spec):
			return nil, errors.New("This service takes orders from elsewhere only.")
		case !site.Place().Chosen():
			return nil, errors.New("Choose the place first that the goods leave from (F6), then make the order.")
		}
		return &maker{site: site}, nil
	}
}

// maker is the screen of a new order.
type maker struct {
	site  *dock.Site
	env   tui.Env
	form  *widget.Form
	lines []wanted
	at    int        // the line that a typed quantity is of
	step  *dock.Step // what was sent and has no answer
	busy  bool
}

// wanted is a line of a new order.
type wanted struct {
	ID       api.ID `json:"id"`
	SKU      string `json:"sku"`
	Name     string `json:"name"`
	Quantity int64  `json:"quantity"`
}

// kept is the draft of a new order.
type kept struct {
	Values map[string]string `json:"values"`
	Lines  []wanted          `json:"lines"`
	Step   *dock.Step        `json:"step,omitempty"`
}

type (
	goodsMsg struct {
		goods  *dock.Goods
		factor int64
		err    error
	}
	madeMsg struct {
		res *api.Response
		err error
	}
)

func (s *maker) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.form = widget.NewForm(
		widget.Field{Name: "product", Label: "Product", Hint: "scan it, or type the SKU"},
		widget.Field{Name: "quantity", Label: "Quantity", Kind: widget.NumberField, Hint: "of the line marked"},
		widget.Field{Name: "customer", Label: "Customer"},
		widget.Field{Name: "reference", Label: "Reference", Hint: "SO-7781"},
		widget.Field{Name: "leaves", Label: "Leaves", Kind: widget.DateField, Hint: "2027-03-31"})
	raw, ok := env.Draft()
	var k kept
	if ok && json.Unmarshal(raw, &k) == nil {
		for name, value := range k.Values {
			s.form.Fill(name, value)
		}
		s.lines, s.step = k.Lines, k.Step
	}
	return nil
}

func (s *maker) Title() string { return "Fulfill › new order" }
func (s *maker) Busy() bool    { return s.busy }

func (s *maker) Types(k tea.KeyMsg) bool { return s.step == nil && s.form.Types(k) }

func (s *maker) Snapshot() []byte {
	if len(s.lines) == 0 && s.step == nil {
		return nil
	}
	raw, err := json.Marshal(kept{s.form.Values(), s.lines, s.step})
	if err != nil {
		s.env.Log.Error("draft not written", "error", err)
		return nil
	}
	return raw
}

// OnScan adds goods: a piece for the product's code, all of it for a box's.
func (s *maker) OnScan(got scan.Scan) tea.Cmd {
	if s.step != nil {
		return tui.Fail(errors.New("The order was sent and has no answer yet. Nothing was added: press enter to send it again."))
	}
	return s.look(dock.Read(got))
}

func (s *maker) look(r dock.Reading) tea.Cmd {
	s.busy = true
	return s.env.Do(func(ctx context.Context) tea.Msg {
		goods, err := s.site.FindGoods(ctx, r)
		m := goodsMsg{goods: goods, factor: 1, err: err}
		if err != nil {
			return m
		}
		if _, factor, ok := goods.Match(r.Codes...); ok {
			m.factor = factor
		}
		if r.Counted && r.PerItem {
			m.factor *= r.Quantity
		} else if r.Counted {
			m.factor = r.Quantity
		}
		return m
	})
}

func (s *maker) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case goodsMsg:
		s.busy = false
		if msg.err != nil {
			return s, tui.Fail(errors.New(dock.Words(msg.err)))
		}
		s.form.Fill("product", "")
		s.add(msg.goods, msg.factor)
		return s, tui.Accepted()
	case madeMsg:
		return s, s.made(msg)
	case tea.KeyMsg:
		if s.Types(msg) {
			return s, s.key(msg)
		}
	}
	return s, nil
}

func (s *maker) add(g *dock.Goods, n int64) {
	s.at = slices.IndexFunc(s.lines, func(w wanted) bool { return w.ID == g.ID })
	if s.at < 0 {
		s.lines = append(s.lines, wanted{ID: g.ID, SKU: g.SKU, Name: g.Name})
		s.at = len(s.lines) - 1
	}
	s.lines[s.at].Quantity += n
}

// key takes enter in the product as another piece of it, and in the quantity
// as the number of the line marked.
func (s *maker) key(k tea.KeyMsg) tea.Cmd {
	field := s.form.Focused()
	text := s.form.Value(field)
	switch {
	case k.Type == tea.KeyEnter && field == "product" && text != "":
		s.form.Focus("quantity")
		return s.look(dock.Read(scan.Parse(text, s.env.Now())))
	case k.Type == tea.KeyEnter && field == "quantity" && text != "":
		n := s.form.Number("quantity")
		s.form.Fill("quantity", "")
		if s.at >= len(s.lines) || n < 1 {
			return tui.Fail(errors.New("Scan the product first, then type how many: at least 1."))
		}
		s.lines[s.at].Quantity = n
		s.form.Focus("product")
		return nil
	}
	if s.form.Key(k) {
		return s.submit()
	}
	return nil
}

// submit freezes the order and sends it.
func (s *maker) submit() tea.Cmd {
	if s.busy || s.step != nil || !s.form.Sound() {
		return nil
	}
	if len(s.lines) == 0 {
		return tui.Fail(errors.New("The order is empty: scan what is to leave."))
	}
	in := api.CreateOutboundInput{LocationID: s.site.Place().ID, CustomerName: s.form.Value("customer"), ReferenceID: s.form.Value("reference")}
	if in.ReferenceID != "" {
		in.ReferenceType = "sales_order"
	}
	if day, err := time.ParseInLocation(time.DateOnly, s.form.Value("leaves"), s.env.Now().Location()); err == nil {
		end := day.AddDate(0, 0, 1).Add(-time.Minute)
		in.ExpectedShipAt = &end
	}
	for _, w := range s.lines {
		in.Lines = append(in.Lines, api.OutboundLineInput{ProductID: w.ID, RequestedQuantity: w.Quantity})
	}
	step, err := dock.NewStep(api.CreateOutbound, in, "make the order")
	if err != nil {
		return tui.Fail(err)
	}
	s.step = &step
	return s.send()
}

func (s *maker) send() tea.Cmd {
	s.busy = true
	step := *s.step
	return s.env.Do(func(ctx context.Context) tea.Msg {
		res, err := s.site.Send(ctx, step)
		return madeMsg{res, err}
	})
}

func (s *maker) made(m madeMsg) tea.Cmd {
	s.busy = false
	switch {
	case m.err == nil:
		o := m.res.Output.(*api.OutboundResult).Outbound
		s.lines, s.step = nil, nil
		return tea.Batch(tui.Toast(fmt.Sprintf("%s: %s of %s are allocated", dock.OutboundName(&o), widget.Count(o.AllocatedQuantity),
			widget.Count(o.RequestedQuantity))), tui.Accepted(), tui.Replace(tui.Path("fulfill", o.ID.String())))
	case dock.Unsure(m.err):
		return tui.Fail(errors.New("No answer came, so nobody knows whether the order was made. Press enter: it is sent again as it was, and made once."))
	}
	s.step = nil
	return tui.Fail(errors.New(dock.Words(m.err)))
}

func (s *maker) Actions() []tui.Action {
	if s.step != nil {
		return []tui.Action{{ID: "order.again", Keys: []string{"enter"}, Label: "send again", Run: s.send}}
	}
	empty := func() string {
		if len(s.lines) == 0 {
			return "Nothing is ordered yet: scan what is to leave"
		}
		return ""
	}
	return []tui.Action{
		{ID: "order.save", Keys: []string{"f10", "ctrl+s"}, Label: fmt.Sprintf("order %d lines", len(s.lines)), Short: "order",
			Help: "Make the order and allocate what there is", Disabled: empty, Run: s.submit},
		{ID: "order.drop", Keys: []string{"f8"}, Label: "take line out", Short: "out", Help: "Take the line marked out of the order",
			Disabled: empty, Run: func() tea.Cmd {
				s.at = min(s.at, len(s.lines)-1)
				s.lines = slices.Delete(s.lines, s.at, s.at+1)
				s.at = max(0, s.at-1)
				return nil
			}},
	}
}

func (s *maker) View(size tui.Size) string {
	t := s.env.Theme
	var top []string
	if !size.Small() {
		top = append(top, " "+t.Muted.Render("An order from "+s.site.Place().String()+": scan what is to leave, then for whom"), "")
	}
	if s.step != nil {
		top = append(top, widget.Mark+t.Ask(widget.Clip("No answer yet: enter sends it again", size.Width-2)))
	} else {
		form := strings.Split(s.form.View(t, size.Width), "\n")
		if size.Class == tui.Strip {
			form = around(form, 2)
		}
		top = append(top, form...)
	}
	if !size.Small() {
		top = append(top, "")
	}
	product := widget.Column[wanted]{Title: "product", Width: 10, Cell: func(w wanted) string { return w.SKU }}
	name := widget.Column[wanted]{Title: "name", Rank: 1, Cell: func(w wanted) string { return w.Name }}
	if size.Class == tui.Wrist {
		product.Width, name.Width = 0, 200 // no room for the name
	}
	list := widget.NewList(func(w wanted) string { return w.ID.String() }, product, name,
		widget.Column[wanted]{Title: "quantity", Width: 8, Right: true, Cell: func(w wanted) string { return widget.Count(w.Quantity) }})
	list.SetRows(s.lines)
	list.Go(s.at)
	list.Bare, list.Empty = size.Small(), "Nothing is ordered yet."
	return strings.Join(append(top, list.View(t, size.Width, size.Height-len(top))), "\n")
}

// around keeps n lines of a form, the focused one among them.
func around(form []string, n int) []string {
	at := max(0, slices.IndexFunc(form, func(line string) bool { return strings.Contains(line, widget.Mark) }))
	from := max(0, min(at, len(form)-n))
	return form[from:min(len(form), from+n)]
}
