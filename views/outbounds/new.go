package outbounds

import (
	"encoding/json"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/panel"
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
			Label: t.Get("Ship date"),
			Kind:  widget.DateField,
			Clock: true,
			Now:   env.Now(),
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

func (s *newOrderForm) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case itemMsg:
		s.lookingUp = false
		if msg.err != nil {
			if msg.typed {
				s.form.Focus("product")
			}
			return s, panel.FailScan(s.site, msg.err)
		}

		return s, s.itemFound(msg)

	case submit.Answer:
		return s, s.created(msg)
	case tea.KeyMsg:
		if s.AcceptsKey(msg) {
			return s, s.key(msg)
		}
	}

	return s, nil
}

// OnScan adds one piece for a product code, or the content of a box for a box code.
func (s *newOrderForm) OnScan(got scan.Scan) tea.Cmd {
	if s.submission.Unfinished() {
		return tui.Fail(
			s.T.NewError("The order has no answer yet. Nothing was added: press enter to retry."))
	}
	return s.lookUp(count.ParseLabel(s.T, got), itemMsg{})
}

// key handles enter: in the product field it adds a line, in the quantity field it adds
// the product before it, or sets the quantity of the current line.
func (s *newOrderForm) key(k tea.KeyMsg) tea.Cmd {
	field := s.form.Focused()
	switch {
	case k.Type != tea.KeyEnter:
	case field == "product" && s.form.Value("product") != "":
		if s.form.Value("quantity") == "" {
			s.form.Focus("quantity")
		}
		return s.addTyped(false)
	case field == "quantity" && s.form.Value("quantity") != "":
		s.form.Focus("product")
		if s.form.Value("product") != "" {
			return s.addTyped(false)
		}
		if err := s.setQuantity(); err != nil {
			return tui.Fail(err)
		}
		return nil
	}

	if s.form.Key(k) {
		return s.submit()
	}

	return nil
}

func (s *newOrderForm) View(size tui.Size) string {
	t := s.Theme
	var top []string
	if !size.Small() {
		top = append(
			top,
			" "+t.Muted.Render(
				s.T.Get("An order from %s: scan the items, then enter the customer", s.site.Location().String()),
			),
			"",
		)
	}

	if s.submission.Unfinished() {
		top = append(top,
			widget.QuestionMarker+t.Ask(widget.Clip(s.T.Get("No answer yet: enter to retry"), size.Width-2)))
	} else {
		form := strings.Split(s.form.View(t, size.Width), "\n")
		if size.Class == tui.Short {
			form = cutAround(form, 2)
		}
		top = append(top, form...)
	}

	if !size.Small() {
		top = append(top, "")
	}

	list := s.table(size)

	return strings.Join(append(top, list.View(t, size.Width, size.Height-len(top))), "\n")
}

// cutAround returns n lines of a form that include the focused one.
func cutAround(form []string, n int) []string {
	at := max(0,
		slices.IndexFunc(form, func(line string) bool { return strings.Contains(line, widget.QuestionMarker) }))
	from := max(0, min(at, len(form)-n))
	return form[from:min(len(form), from+n)]
}
