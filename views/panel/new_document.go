package panel

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// A NewDocumentForm describes a form that creates a document of one product. Its field
// "product" is filled by scans.
type NewDocumentForm struct {
	Title string // "Receive › new"
	// Document is what it creates: "new delivery".
	Document string
	// Short is the title for small terminals; Document if empty.
	Short  string
	Prompt string // what the form is for, in one line
	Unit   string // what the quantity counts: "pieces"
	// Fields returns the fields after the product and the quantity.
	Fields func(ctx context.Context) ([]widget.Field, error)
	// ReferenceType is of what is typed in the field "reference", if there is one.
	ReferenceType string
	// ItemNote returns what matters about the item: "204 available"; may be nil.
	ItemNote func(ctx context.Context, item count.Item) (string, error)
	// BuildStep returns the write for the values.
	BuildStep func(v DocumentValues) (submit.Step, error)
	// Created returns the route of the new document and the message to show.
	Created func(res *api.Response) (route, toast string)
}

// DocumentValues are the values of a NewDocumentForm.
type DocumentValues struct {
	Item      count.Item
	Quantity  int64
	Reference api.Reference
	Texts     map[string]string // of all fields
}

// ParseDue returns when a document is due by the value of a date field, or nil if that is empty,
// and the metadata that makes it due by the end of a day.
func ParseDue(value string, zone *time.Location) (*time.Time, api.Metadata, error) {
	if value == "" {
		return nil, nil, nil
	}
	if at, err := time.ParseInLocation(widget.DateClock, value, zone); err == nil {
		return &at, nil, nil
	}

	day, err := time.Parse(time.DateOnly, value)
	if err != nil {
		return nil, nil, err
	}

	m, err := (&api.Announced{DueDay: true}).Metadata()

	return &day, m, err
}

func (s *newDocumentScreen) View(size tui.Size) string {
	t := s.Theme
	if s.form == nil {
		return LoadingView(s.T, t, size, s.T.Get("the form"), s.errText)
	}

	ask := s.config.Prompt
	if s.submission.Unfinished() {
		ask = s.T.Get("No answer yet: enter to retry")
	}

	var lines []string
	if size.Class != tui.Short {
		for _, line := range widget.Wrap(ask, size.Width-margin(size)) {
			lines = append(lines, t.Muted.Render(line))
		}
		lines = append(lines, "")
	}

	lines = append(lines, strings.Split(s.form.View(t, size.Width-margin(size)), "\n")...)
	if s.item != nil && !size.Small() {
		item := s.item.Title() + "   " + s.item.PackText(s.T) + "   " + s.itemNote
		lines = append(lines, "", "  "+t.OK(widget.Clean(item)))
	}

	return FitHeight(indent(strings.Join(lines, "\n"), size), size.Height)
}

// Speech describes the form in words.
func (s *newDocumentScreen) Speech() tui.Speech {
	t := s.T

	switch {
	case s.form == nil && s.errText != "":
		return tui.Speech{Facts: []string{s.errText}, Question: t.Get("retry or back")}
	case s.form == nil:
		return tui.Speech{Facts: []string{t.Get("loading")}}
	case s.submission.Unfinished():
		return tui.Speech{Facts: []string{t.Get("No answer yet for: %s", s.submission.Unanswered().Text)},
			Question: t.Get("retry or back")}
	}

	return tui.Speech{Facts: []string{s.config.Prompt}, Form: s.form}
}

// newDocumentScreen is the screen of a NewDocumentForm.
type newDocumentScreen struct {
	tui.Env
	site       *session.Site
	config     NewDocumentForm
	form       *widget.Form
	lastField  string
	item       *count.Item
	itemNote   string // from ItemNote
	errText    string
	submission *submit.Submission
	busy       bool // an item is being looked up
	lastDraft  []byte
}

// NewForm returns the factory of the form's screen; "?sku=" in the route fills the
// product.
func NewForm(site *session.Site, m NewDocumentForm) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &newDocumentScreen{site: site, config: m, Env: env}, nil
	}
}

type (
	fieldsMsg struct {
		fields []widget.Field
		err    error
	}
	itemMsg struct {
		code     string
		item     *count.Item
		itemNote string
		submit   bool
		err      error
	}
)

func (s *newDocumentScreen) Init(env tui.Env) tea.Cmd {
	s.lastDraft, _ = env.Draft()
	return s.load()
}

func (s *newDocumentScreen) load() tea.Cmd {
	return s.Do(func(ctx context.Context) tea.Msg {
		fields, err := s.config.Fields(ctx)
		return fieldsMsg{append(s.stockFields(), fields...), err}
	})
}

func (s *newDocumentScreen) stockFields() []widget.Field {
	t := s.T

	return []widget.Field{
		{
			Name:     "product",
			Label:    t.Get("Product"),
			Required: true,
			Hint:     t.Get("scan or type SKU"),
		},
		{
			Name:     "quantity",
			Label:    t.Get("Quantity"),
			Kind:     widget.NumberField,
			Required: true,
			Hint:     s.config.Unit,
			Check:    CheckPositive(t),
		},
	}
}

func (s *newDocumentScreen) Title() string { return s.config.Title }

// ShortTitle returns what the form creates.
func (s *newDocumentScreen) ShortTitle() string { return cmp.Or(s.config.Short, s.config.Document) }

func (s *newDocumentScreen) Busy() bool { return s.busy || s.submission.Sending() }

func (s *newDocumentScreen) AcceptsKey(k tea.KeyMsg) bool {
	return s.form != nil && !s.submission.Unfinished() && s.form.AcceptsKey(k)
}

// newDocumentDraft is the draft of a new document.
type newDocumentDraft struct {
	Name   string            `json:"name,omitempty"` // for the list of unsent drafts
	Values map[string]string `json:"values"`
	Step   *submit.Step      `json:"step,omitempty"`
}

func (s *newDocumentScreen) Snapshot() []byte {
	if s.form == nil {
		return s.lastDraft
	}

	values := s.form.Values()
	if !s.submission.Unfinished() && values["product"] == "" && values["quantity"] == "" {
		return nil
	}

	job, _, _ := strings.Cut(s.config.Title, " › ")
	name := strings.TrimSpace(job + " › " + s.config.Document + "  " + values["product"])
	raw, _ := json.Marshal(newDocumentDraft{name, values, s.submission.Unanswered()})

	return raw
}

func (s *newDocumentScreen) Actions() []tui.Action {
	t := s.T

	switch {
	case s.errText != "":
		return []tui.Action{{ID: "make.retry", Key: "enter", Label: t.Get("retry"), Run: s.load}}
	case s.submission.Unfinished():
		return []tui.Action{{ID: "make.again", Key: "enter", Label: t.Get("retry"), Run: s.send}}
	}

	save := tui.Action{ID: "make.save", Key: "ctrl+s", Label: t.Get("save"),
		Help: t.Get("Create the document from this form"), Run: s.submit}
	if s.form == nil || s.form.Focused() == s.lastField {
		save.Key, save.MoreKeys = "enter", []string{"ctrl+s"}
		return []tui.Action{save}
	}

	next := tui.Action{ID: "make.next", Key: "enter",
		Label: t.Get("next field"), Short: t.GetC("next", "field"),
		Run: func() tea.Cmd { return s.formKey(tea.KeyMsg{Type: tea.KeyEnter}) }}

	return []tui.Action{next, save}
}

// OnScan looks up the product, or fills the focused field with plain text.
func (s *newDocumentScreen) OnScan(x scan.Scan) tea.Cmd {
	if s.form == nil || s.submission.Unfinished() {
		return fail(s.T.Get("The form is still loading. Nothing was changed: try again."))
	}

	r := count.ParseLabel(s.T, x)
	if field := s.form.Focused(); field != "product" && x.Kind == scan.KindPlain {
		if text := widget.Clean(x.Text); !s.form.Scan(field, text) {
			return fail(s.T.Get("%s is not valid in that field. Nothing was changed.", text))
		}
		return tui.Accepted()
	}

	return s.lookUp(r, false)
}

// lookUp finds the item that a code names.
func (s *newDocumentScreen) lookUp(r count.Label, submit bool) tea.Cmd {
	s.busy = true

	return s.Do(func(ctx context.Context) tea.Msg {
		m := itemMsg{code: r.Name(), submit: submit}
		m.item, m.err = s.site.FindItem(ctx, r)
		if m.err == nil && s.config.ItemNote != nil {
			m.itemNote, m.err = s.config.ItemNote(ctx, *m.item)
		}
		return m
	})
}

func (s *newDocumentScreen) submit() tea.Cmd {
	if s.form == nil || s.Busy() || !s.form.Validate() {
		return nil
	}
	if sku := s.form.Value("product"); s.item == nil || !strings.EqualFold(s.item.SKU, sku) {
		return s.lookUp(count.Label{Codes: []string{sku}, Scan: scan.Scan{Text: sku}}, true)
	}

	v := DocumentValues{Item: *s.item, Texts: s.form.Values()}
	v.Quantity, _ = strconv.ParseInt(v.Texts["quantity"], 10, 64)
	if id := v.Texts["reference"]; id != "" {
		v.Reference = api.Reference{ReferenceType: s.config.ReferenceType, ReferenceID: id}
	}

	step, err := s.config.BuildStep(v)
	if err != nil {
		return tui.Fail(err)
	}

	s.submission = submit.New(step)

	return s.send()
}

func (s *newDocumentScreen) send() tea.Cmd { return s.submission.Send(s.Env, s.site) }

func (s *newDocumentScreen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case fieldsMsg:
		return s, s.showForm(msg)
	case itemMsg:
		s.busy = false
		if msg.err != nil {
			if strings.EqualFold(s.form.Value("product"), msg.code) {
				s.form.SetProblem("product", s.T.NewError("unknown"))
			}
			return s, fail(submit.UserMessage(s.T, msg.err), s.recoveryActions(msg.err)...)
		}

		s.item, s.itemNote = msg.item, msg.itemNote
		s.form.Fill("product", msg.item.SKU)
		if msg.submit {
			return s, s.submit()
		}
		if s.form.Focused() == "product" {
			s.form.Focus("quantity")
		}

		return s, tui.Accepted()

	case submit.Answer:
		return s, s.created(msg)
	case tea.KeyMsg:
		return s, s.formKey(msg)
	}

	return s, nil
}

func (s *newDocumentScreen) formKey(k tea.KeyMsg) tea.Cmd {
	if s.form != nil && !s.submission.Unfinished() && s.form.Key(k) {
		return s.submit()
	}
	return nil
}

// showForm shows the form, filled from the draft or the route.
func (s *newDocumentScreen) showForm(m fieldsMsg) tea.Cmd {
	s.errText = ""
	if m.err != nil {
		s.errText = submit.UserMessage(s.T, m.err)
		return nil
	}

	s.form = widget.NewForm(s.T, m.fields...)
	if n := len(m.fields); n > 0 {
		s.lastField = m.fields[n-1].Name
	}

	var d newDocumentDraft
	if len(s.lastDraft) > 0 && json.Unmarshal(s.lastDraft, &d) == nil {
		for name, value := range d.Values {
			s.form.Fill(name, value)
		}
		s.submission = submit.Resume(d.Step)
	}

	if sku := s.Route.Query.Get("sku"); sku != "" && !s.submission.Unfinished() {
		s.form.Fill("product", sku)
		s.form.Focus("quantity")
		return s.lookUp(count.Label{Codes: []string{sku}, Scan: scan.Scan{Text: sku}}, false)
	}

	return nil
}

func (s *newDocumentScreen) created(a submit.Answer) tea.Cmd {
	if err := s.submission.Answered(a); err != nil {
		return fail(s.submission.FailureText(s.T, err, ""))
	}
	route, toast := s.config.Created(a.Response)
	s.form, s.lastDraft = nil, nil
	return tea.Batch(tui.Toast(toast), tui.Accepted(), tui.Replace(route))
}

// recoveryActions offers to create an unknown product.
func (s *newDocumentScreen) recoveryActions(err error) []tui.Action {
	t := s.T

	var unknown *session.UnknownItemError
	link := LinkActions(s.site, err)
	if !errors.As(err, &unknown) || !s.site.Supports(api.CreateProduct.Spec) {
		return link
	}

	field := "sku"
	if len(unknown.Code) >= 8 && strings.Trim(unknown.Code, "0123456789") == "" {
		field = "barcode"
	}

	return append([]tui.Action{{ID: "make.product", Key: "f3",
		Label: t.Get("create product"), Short: t.Get("new"),
		Help: t.Get("Create a product for this code first"), Run: func() tea.Cmd {
			return tui.Open("products/new?" + url.Values{field: {unknown.Code}}.Encode())
		}}}, link...)
}
