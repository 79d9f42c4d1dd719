package dock

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// maker is the screen of a new document.
type maker struct {
	site   *Site
	making Making
	env    tui.Env
	form   *widget.Form
	goods  *Goods
	about  string // of the goods
	fault  string
	post   Posting
	busy   bool // goods are being looked up
	kept   []byte
}

type (
	fieldsMsg struct {
		fields []widget.Field
		err    error
	}
	goodsMsg struct {
		goods  *Goods
		about  string
		submit bool
		err    error
	}
)

func (s *maker) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.kept, _ = env.Draft()
	return s.load()
}

func (s *maker) load() tea.Cmd {
	return s.env.Do(func(ctx context.Context) tea.Msg {
		fields, err := s.making.Fields(ctx)
		return fieldsMsg{fields, err}
	})
}

func (s *maker) Title() string { return s.making.Title }

func (s *maker) Busy() bool { return s.busy || s.post.Busy() }

func (s *maker) AcceptsKey(k tea.KeyMsg) bool {
	return s.form != nil && s.post.Step == nil && s.form.AcceptsKey(k)
}

func (s *maker) Actions() []tui.Action {
	switch {
	case s.fault != "":
		return []tui.Action{{ID: "make.retry", Keys: []string{"enter"}, Label: labelRetry, Run: s.load}}
	case s.post.Step != nil:
		return []tui.Action{{ID: "make.again", Keys: []string{"enter"}, Label: labelAgain, Run: s.send}}
	}
	return []tui.Action{{ID: "make.save", Keys: []string{"ctrl+s"}, Label: labelSave, Help: helpSave, Run: s.submit}}
}

// OnScan fills the product, or the focused field with a plain text.
func (s *maker) OnScan(x scan.Scan) tea.Cmd {
	if s.form == nil || s.post.Step != nil {
		return tui.Fail(errors.New(notReady))
	}
	r := Read(x)
	if field := s.form.Focused(); field != "product" && x.Kind == scan.KindPlain {
		s.form.Fill(field, widget.Clean(x.Text))
		return tui.Accepted()
	}
	return s.look(r, false)
}

// look finds the goods that a code names.
func (s *maker) look(r Reading, submit bool) tea.Cmd {
	s.busy = true
	return s.env.Do(func(ctx context.Context) tea.Msg {
		m := goodsMsg{submit: submit}
		m.goods, m.err = s.site.FindGoods(ctx, r)
		if m.err == nil && s.making.About != nil {
			m.about, m.err = s.making.About(ctx, *m.goods)
		}
		return m
	})
}

func (s *maker) submit() tea.Cmd {
	if s.form == nil || s.Busy() || !s.form.Validate() {
		return nil
	}
	if sku := s.form.Value("product"); s.goods == nil || !strings.EqualFold(s.goods.SKU, sku) {
		return s.look(Reading{Codes: []string{sku}, Scan: scan.Scan{Text: sku}}, true)
	}
	step, err := s.making.Step(s.form.Values(), *s.goods)
	if err != nil {
		return tui.Fail(err)
	}
	return s.post.Freeze(s.env, step)
}

func (s *maker) send() tea.Cmd { return s.post.Send(s.env) }

func (s *maker) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case fieldsMsg:
		return s, s.begin(msg)
	case goodsMsg:
		s.busy = false
		if msg.err != nil {
			s.form.SetProblem("product", errors.New(notKnown))
			return s, tui.Fail(errors.New(Words(msg.err)), s.remedies(msg.err)...)
		}
		s.goods, s.about = msg.goods, msg.about
		s.form.Fill("product", msg.goods.SKU)
		if msg.submit {
			return s, s.submit()
		}
		if s.form.Focused() == "product" {
			s.form.Focus("quantity")
		}
		return s, tui.Accepted()
	case PostedMsg:
		return s, s.made(msg)
	case tea.KeyMsg:
		if s.form != nil && s.post.Step == nil && s.form.Key(msg) {
			return s, s.submit()
		}
	}
	return s, nil
}

// begin shows the form, filled from the draft or the route.
func (s *maker) begin(m fieldsMsg) tea.Cmd {
	s.fault = ""
	if m.err != nil {
		s.fault = Words(m.err)
		return nil
	}
	s.form = widget.NewForm(m.fields...)
	var d makingDraft
	if len(s.kept) > 0 && json.Unmarshal(s.kept, &d) == nil {
		for name, value := range d.Values {
			s.form.Fill(name, value)
		}
		s.post.Step = d.Step
	}
	if sku := s.env.Route.Query.Get("sku"); sku != "" && s.post.Step == nil {
		s.form.Fill("product", sku)
		s.form.Focus("quantity")
		return s.look(Reading{Codes: []string{sku}, Scan: scan.Scan{Text: sku}}, false)
	}
	return nil
}

func (s *maker) made(m PostedMsg) tea.Cmd {
	if fail := s.post.Answered(m); fail != nil {
		return fail
	}
	route, toast := s.making.Made(m.Res)
	s.form, s.kept = nil, nil
	return tea.Batch(tui.Toast(toast), tui.Accepted(), tui.Replace(route))
}

// remedies offers to make the product that nobody knows yet.
func (s *maker) remedies(err error) []tui.Action {
	var unknown *UnknownGoodsError
	if !errors.As(err, &unknown) || !s.site.Has(api.CreateProduct.Spec) {
		return nil
	}
	field := "sku"
	if len(unknown.Code) >= 8 && strings.Trim(unknown.Code, "0123456789") == "" {
		field = "barcode"
	}
	return []tui.Action{{ID: "make.product", Keys: []string{"f3"}, Label: labelMakeProduct, Short: shortProduct,
		Help: helpMakeProduct, Run: func() tea.Cmd {
			return tui.Open("products/new?" + url.Values{field: {unknown.Code}}.Encode())
		}}}
}
