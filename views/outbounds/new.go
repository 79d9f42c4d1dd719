package outbounds

import (
	"encoding/json"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"
)

// New returns the factory of the form for a new order.
func New(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		switch {
		case !site.Supports(api.CreateOutbound.Spec):
			return nil, env.T.NewError("This service does not create orders: they come from another system.")
		case !site.Location().IsSet():
			return nil, env.T.NewError("Choose the source location first (F6), then create the order.")
		}

		return &newOrderForm{site: site}, nil
	}
}

// newOrderForm is the form for a new order: lines by scan, then the customer.
type newOrderForm struct {
	tui.Env
	site       *session.Site
	form       *widget.Form
	lines      []orderLine
	current    int // index of the line that a typed quantity applies to
	submission *submit.Submission
	lookingUp  bool // an item is being looked up
}

// orderDraft is the saved state of a new order.
type orderDraft struct {
	Values map[string]string `json:"values"`
	Lines  []orderLine       `json:"lines"`
	Step   *submit.Step      `json:"step,omitempty"`
}

type itemMsg struct {
	item   *count.Item
	factor int64
	typed  bool // in the product field, and not scanned
	submit bool // the order is submitted afterwards
	err    error
}

// orderLine is a line of a new order.
type orderLine struct {
	ID       api.ID `json:"id"`
	SKU      string `json:"sku"`
	Name     string `json:"name"`
	Quantity int64  `json:"quantity"`
}

func (s *newOrderForm) Init(env tui.Env) tea.Cmd {
	t := env.T

	s.Env = env
	s.form = widget.NewForm(
		t,
		widget.Field{Name: "product", Label: t.Get("Product"), Hint: t.Get("scan or type SKU")},
		widget.Field{
			Name:  "quantity",
			Label: t.Get("Quantity"),
			Kind:  widget.NumberField,
			Hint:  t.Get("of the selected line"),
		},
		widget.Field{Name: "customer", Label: t.Get("Customer")},
		widget.Field{Name: "reference", Label: t.Get("Reference"), Hint: t.Get("SO-7781")},
		widget.Field{
			Name:  "leaves",
			Label: t.Get("Ships"),
			Kind:  widget.DateField,
			Clock: true,
			Hint:  "2027-03-31 14:00",
		},
	)

	raw, ok := env.Draft()
	var k orderDraft
	if ok && json.Unmarshal(raw, &k) == nil {
		for name, value := range k.Values {
			s.form.Fill(name, value)
		}
		s.lines, s.submission = k.Lines, submit.Resume(k.Step)
	}

	return nil
}

func (s *newOrderForm) Title() string { return s.T.Get("Fulfill › new order") }

func (s *newOrderForm) Busy() bool { return s.lookingUp || s.submission.Sending() }

func (s *newOrderForm) AcceptsKey(k tea.KeyMsg) bool {
	return !s.submission.Unfinished() && s.form.AcceptsKey(k)
}

func (s *newOrderForm) Snapshot() []byte {
	if len(s.lines) == 0 && !s.submission.Unfinished() {
		return nil
	}

	raw, err := json.Marshal(orderDraft{s.form.Values(), s.lines, s.submission.Unanswered()})
	if err != nil {
		s.Log.Error("cannot save draft", "error", err)
		return nil
	}

	return raw
}
