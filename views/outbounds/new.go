package outbounds

import (
	"encoding/json"
	"errors"

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
			return nil, errors.New(makesNone)
		case !site.Place().Chosen():
			return nil, errors.New(noPlace)
		}
		return &maker{site: site, post: dock.Posting{Site: site, Lost: orderLost}}, nil
	}
}

// maker is the screen of a new order.
type maker struct {
	site  *dock.Site
	env   tui.Env
	form  *widget.Form
	lines []wanted
	at    int // the line that a typed quantity is of
	post  dock.Posting
	busy  bool // goods are being looked up
}

// kept is the draft of a new order.
type kept struct {
	Values map[string]string `json:"values"`
	Lines  []wanted          `json:"lines"`
	Step   *dock.Step        `json:"step,omitempty"`
}

type goodsMsg struct {
	goods  *dock.Goods
	factor int64
	err    error
}

func (s *maker) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.form = widget.NewForm(
		widget.Field{Name: "product", Label: fieldProduct, Hint: hintScanItOrType},
		widget.Field{Name: "quantity", Label: fieldQuantity, Kind: widget.NumberField, Hint: hintOfTheLineMarked},
		widget.Field{Name: "customer", Label: fieldCustomer},
		widget.Field{Name: "reference", Label: fieldReference, Hint: hintSo},
		widget.Field{Name: "leaves", Label: fieldLeaves, Kind: widget.DateField, Hint: "2027-03-31"})
	raw, ok := env.Draft()
	var k kept
	if ok && json.Unmarshal(raw, &k) == nil {
		for name, value := range k.Values {
			s.form.Fill(name, value)
		}
		s.lines, s.post.Step = k.Lines, k.Step
	}
	return nil
}

func (s *maker) Title() string { return saidFulfillNewOrder }
func (s *maker) Busy() bool    { return s.busy || s.post.Busy() }

func (s *maker) AcceptsKey(k tea.KeyMsg) bool { return s.post.Step == nil && s.form.AcceptsKey(k) }

func (s *maker) Snapshot() []byte {
	if len(s.lines) == 0 && s.post.Step == nil {
		return nil
	}
	raw, err := json.Marshal(kept{s.form.Values(), s.lines, s.post.Step})
	if err != nil {
		s.env.Log.Error("draft not written", "error", err)
		return nil
	}
	return raw
}

// OnScan adds goods: a piece for the product's code, all of it for a box's.
func (s *maker) OnScan(got scan.Scan) tea.Cmd {
	if s.post.Step != nil {
		return tui.Fail(errors.New(orderFrozen))
	}
	return s.look(dock.Read(got))
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
	case dock.PostedMsg:
		return s, s.made(msg)
	case tea.KeyMsg:
		if s.AcceptsKey(msg) {
			return s, s.key(msg)
		}
	}
	return s, nil
}
