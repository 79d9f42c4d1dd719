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
		case !site.Supports(api.CreateOutbound.Spec):
			return nil, errors.New(makesNone)
		case !site.Location().IsSet():
			return nil, errors.New(noPlace)
		}
		return &newOrderForm{site: site, submitter: dock.Submitter{Site: site, UnknownText: orderLost}}, nil
	}
}

// newOrderForm is the screen of a new order.
type newOrderForm struct {
	site      *dock.Site
	env       tui.Env
	form      *widget.Form
	lines     []orderLine
	current   int // the line that a typed quantity is of
	submitter dock.Submitter
	lookingUp bool // goods are being looked up
}

// orderDraft is the draft of a new order.
type orderDraft struct {
	Values map[string]string `json:"values"`
	Lines  []orderLine       `json:"lines"`
	Step   *dock.Step        `json:"step,omitempty"`
}

type itemMsg struct {
	item   *dock.Item
	factor int64
	err    error
}

func (s *newOrderForm) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.form = widget.NewForm(
		widget.Field{Name: "product", Label: fieldProduct, Hint: hintScanItOrType},
		widget.Field{Name: "quantity", Label: fieldQuantity, Kind: widget.NumberField, Hint: hintOfTheLineMarked},
		widget.Field{Name: "customer", Label: fieldCustomer},
		widget.Field{Name: "reference", Label: fieldReference, Hint: hintSo},
		widget.Field{Name: "leaves", Label: fieldLeaves, Kind: widget.DateField, Hint: "2027-03-31"})
	raw, ok := env.Draft()
	var k orderDraft
	if ok && json.Unmarshal(raw, &k) == nil {
		for name, value := range k.Values {
			s.form.Fill(name, value)
		}
		s.lines, s.submitter.Step = k.Lines, k.Step
	}
	return nil
}

func (s *newOrderForm) Title() string { return saidFulfillNewOrder }
func (s *newOrderForm) Busy() bool    { return s.lookingUp || s.submitter.Busy() }

func (s *newOrderForm) AcceptsKey(k tea.KeyMsg) bool {
	return s.submitter.Step == nil && s.form.AcceptsKey(k)
}

func (s *newOrderForm) Snapshot() []byte {
	if len(s.lines) == 0 && s.submitter.Step == nil {
		return nil
	}
	raw, err := json.Marshal(orderDraft{s.form.Values(), s.lines, s.submitter.Step})
	if err != nil {
		s.env.Log.Error("draft not written", "error", err)
		return nil
	}
	return raw
}

// OnScan adds goods: a piece for the product's code, all of it for a box's.
func (s *newOrderForm) OnScan(got scan.Scan) tea.Cmd {
	if s.submitter.Step != nil {
		return tui.Fail(errors.New(orderFrozen))
	}
	return s.lookUp(dock.ParseLabel(got))
}

func (s *newOrderForm) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case itemMsg:
		s.lookingUp = false
		if msg.err != nil {
			return s, tui.Fail(errors.New(dock.UserMessage(msg.err)))
		}
		s.form.Fill("product", "")
		s.add(msg.item, msg.factor)
		return s, tui.Accepted()
	case dock.SubmittedMsg:
		return s, s.created(msg)
	case tea.KeyMsg:
		if s.AcceptsKey(msg) {
			return s, s.key(msg)
		}
	}
	return s, nil
}
