package stock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"
)

// work is the part that the screens of one balance share: it finds the goods
// and the place by scan or by what is typed, counts on a bench, asks for the
// reason, and keeps all of it in the draft.
type work struct {
	site  *dock.Site
	env   tui.Env
	bench *dock.Bench
	subject

	job   string // the first word of the route
	verb  string // what people call the work: "Adjust"
	fault string // why the subject is not here
	busy  bool   // a code is being looked up
	typed widget.Question
	now   choices
	lot   held     // what the books have of the lot counted
	last  *reverse // what undoes what was done last
	done  []delta  // what was done by the last booking
	back  bool     // what is under way takes something back

	// show puts the goods on the bench, as things stand.
	show func()
}

// choices are what is said of a change besides what is counted; they are kept
// with the draft.
type choices struct {
	Subject string `json:"subject,omitempty"` // SKU@PLACE, where the route names none
	Mode    mode   `json:"mode,omitempty"`
	From    string `json:"from,omitempty"` // the state
	To      string `json:"to,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// held is what the books have of a lot in the balance; known tells whether they
// could be asked.
type held struct {
	code  string
	known bool
	lot   *api.Lot
	api.Quantities
}

// reverse is what takes a change back.
type reverse struct {
	words, toast string
	steps        []dock.Step
	no           string // why it cannot be taken back
}

type (
	subjectMsg struct {
		subject subject
		reading *dock.Reading // what was scanned, to be counted
		err     error
	}
	lotMsg struct {
		code    string
		lot     *api.Lot
		holding *api.LotHolding
		err     error
	}
)

func newWork(site *dock.Site, env tui.Env, job, verb string) work {
	w := work{site: site, env: env, job: job, verb: verb, bench: dock.NewBench(site, env)}
	w.typed.Ask = askGoods
	var kept struct {
		Stock choices `json:"stock"`
	}
	if raw, ok := env.Draft(); ok && json.Unmarshal(raw, &kept) == nil {
		w.now = kept.Stock
	}
	return w
}

// A task is what a screen of one balance does of its own.
type task interface {
	lay() // puts the goods on the bench, as things stand
	plan(lines []dock.Line) func(context.Context) ([]dock.Step, error)
	booked(step dock.Step, res *api.Response)
	question(small bool) string
	said(pieces int64) string
}

// start gives the bench its task, and reads what the route or the draft names.
func (w *work) start(t task) tea.Cmd {
	b := w.bench
	w.show, b.Plan, b.Booked, b.Question, b.Done = t.lay, t.plan, t.booked, t.question, t.said
	return w.begin()
}

// begin reads what the route or the draft names.
func (w *work) begin() tea.Cmd {
	w.bench.Verb = w.job
	w.bench.Placed = w.placed
	w.bench.Elsewhere = w.elsewhere
	w.bench.Refused = func(error) tea.Cmd { return w.reload() }
	w.place = w.site.Place()
	ref := w.ref()
	if ref == "" {
		return nil
	}
	return w.env.Do(func(ctx context.Context) tea.Msg {
		s, err := named(ctx, w.site, ref)
		return subjectMsg{subject: s, err: err}
	})
}

func (w *work) ref() string {
	if ref := w.env.Route.Param("balance"); ref != "" {
		return ref
	}
	return w.now.Subject
}

func (w *work) known() bool { return w.goods.ID != (api.ID{}) && w.place.Chosen() && w.fault == "" }

// reload reads the balance anew; what is shown stays until it comes.
func (w *work) reload() tea.Cmd {
	if !w.known() {
		return w.begin()
	}
	s := w.subject
	return w.env.Latest("balance", func(ctx context.Context) tea.Msg {
		err := s.read(ctx, w.site)
		return subjectMsg{subject: s, err: err}
	})
}

// Title is the work and what it is done to.
func (w *work) Title() string {
	if name := w.ShortTitle(); name != w.verb {
		return w.verb + " › " + name
	}
	return w.verb
}

// ShortTitle is SKU@PLACE.
func (w *work) ShortTitle() string {
	switch {
	case w.goods.SKU == "" && w.ref() != "":
		return w.ref()
	case w.goods.SKU == "":
		return w.verb
	case w.place.Code == "":
		return w.goods.SKU
	}
	return w.goods.SKU + "@" + w.place.Code
}

// Busy tells whether scans must wait.
func (w *work) Busy() bool { return w.busy || w.bench.Busy() }

// Shown reads the balance anew.
func (w *work) Refresh() tea.Cmd { return w.reload() }

// Types tells whether a key is text: of the goods' name, else for the bench.
func (w *work) AcceptsKey(k tea.KeyMsg) bool {
	if !w.known() {
		return w.fault == "" && (w.ref() == "" || w.goods.ID != (api.ID{})) && w.typed.AcceptsKey(k)
	}
	return w.bench.AcceptsKey(k)
}

// Snapshot is the bench's draft with what was chosen.
func (w *work) Snapshot() []byte {
	raw := w.bench.Snapshot()
	if raw == nil {
		return nil
	}
	whole := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &whole); err != nil {
		w.env.Log.Error("draft not written", "error", err)
		return raw
	}
	kept := w.now
	if w.known() && w.env.Route.Param("balance") == "" {
		kept.Subject = w.goods.SKU + "@" + w.place.Code
	}
	whole["stock"], _ = json.Marshal(kept)
	out, _ := json.Marshal(whole)
	return out
}

// OnScan takes the goods or the place while they are not known, and counts then.
func (w *work) OnScan(s scan.Scan) tea.Cmd {
	if w.known() {
		return tea.Batch(w.bench.OnScan(s), w.followLot())
	}
	if w.fault != "" {
		return tui.Fail(errors.New(notHere))
	}
	return w.look(dock.Read(s))
}

// look finds what a code is: the goods to work on, or the place.
func (w *work) look(r dock.Reading) tea.Cmd {
	w.busy = true
	s := w.subject
	return w.env.Do(func(ctx context.Context) tea.Msg {
		matches, err := w.site.LookUp(ctx, r.Codes...)
		if err != nil && !dock.Missing(err) {
			return subjectMsg{subject: s, err: err}
		}
		if len(matches) > 0 && matches[0].Location != nil {
			at := matches[0].Location
			s.place = dock.Place{ID: at.ID, Code: at.Code, Name: at.Name}
			return subjectMsg{subject: s, err: s.read(ctx, w.site)}
		}
		goods, err := w.site.FindGoods(ctx, r)
		if err != nil {
			return subjectMsg{subject: s, err: err}
		}
		s.goods = *goods
		return subjectMsg{subject: s, reading: &r, err: s.read(ctx, w.site)}
	})
}

// update handles what all the screens of a balance have in common; mine tells
// whether msg was that.
func (w *work) update(msg tea.Msg) (cmd tea.Cmd, mine bool) {
	switch msg := msg.(type) {
	case subjectMsg:
		return w.found(msg), true
	case lotMsg:
		return w.lotRead(msg), true
	case dock.MovedMsg:
		return w.follow(msg.Place), true
	case tea.KeyMsg:
		if !w.known() {
			if text, done := w.typed.Key(msg); done {
				return w.look(dock.Read(scan.Parse(text, w.env.Now()))), true
			}
			return nil, true
		}
	}
	cmd, mine = w.bench.Update(msg)
	return tea.Batch(cmd, w.followLot()), mine
}

// found takes the subject that was read.
func (w *work) found(m subjectMsg) tea.Cmd {
	w.busy = false
	switch {
	case m.err != nil && w.known():
		return tui.Warn(fmt.Sprintf(saidNotReadAnew, dock.Words(m.err)))
	case m.err != nil && w.ref() != "":
		w.fault = dock.Words(m.err)
		return tui.Bell(2)
	case m.err != nil:
		return tui.Fail(errors.New(dock.Words(m.err)))
	}
	asked := !w.known()
	w.fault, w.subject = "", m.subject
	w.put()
	switch {
	case m.reading != nil && w.known():
		return tea.Batch(w.bench.OnScan(m.reading.Scan), w.followLot())
	case asked && w.ref() == "":
		return tui.Accepted()
	}
	return w.followLot()
}

func (w *work) put() {
	if !w.known() {
		return
	}
	w.bench.Name = w.Title()
	w.show()
}

// fixed tells that the route names the place, or the balance itself.
func (w *work) fixed() bool {
	ref := w.env.Route.Param("balance")
	return strings.Contains(ref, "@") || uuid.Validate(ref) == nil
}

// follow goes to the place where one works now, unless the route names another.
func (w *work) follow(p dock.Place) tea.Cmd {
	switch {
	case w.fixed():
		return nil
	case w.env.Route.Param("balance") != "" && !w.known(): // it waited for a place
		w.fault, w.place = "", p
		return w.begin()
	}
	return w.placed(p)
}

// placed works at another place, while nothing is counted.
func (w *work) placed(p dock.Place) tea.Cmd {
	switch {
	case p.ID == w.place.ID:
		return nil
	case w.env.Route.Param("balance") != "":
		return tui.Replace(tui.Path(w.job, w.goods.SKU+"@"+p.Code))
	case w.bench.Total() > 0:
		return tui.Fail(fmt.Errorf(bookFirst, widget.Count(w.bench.Total()), w.place.Code))
	}
	w.place, w.balance, w.last = p, api.Balance{}, nil
	return tea.Batch(tui.Accepted(), w.reload())
}

// elsewhere offers the same work on the goods that were scanned by mistake.
func (w *work) elsewhere(_ context.Context, m *api.Match) []tui.Action {
	sku := m.Product.SKU
	return []tui.Action{{ID: w.job + ".other", Keys: []string{"f8"}, Label: fmt.Sprintf(saidInstead, strings.ToLower(w.verb), sku), Short: shortOther,
		Run: func() tea.Cmd { return tui.Open(tui.Path(w.job, sku+"@"+w.place.Code)) }}}
}

// followLot reads what the books have of the lot that is counted now.
func (w *work) followLot() tea.Cmd {
	code := w.bench.Line().Count.Lot
	if !w.known() || code == w.lot.code {
		return nil
	}
	w.lot = held{code: code}
	w.put()
	if code == "" {
		return nil
	}
	s := w.subject
	return w.env.Latest("lot", func(ctx context.Context) tea.Msg {
		h, lot, err := s.held(ctx, w.site, code)
		return lotMsg{code, lot, h, err}
	})
}

func (w *work) lotRead(m lotMsg) tea.Cmd {
	if m.code != w.lot.code {
		return nil
	}
	if m.err != nil {
		return tui.Warn(fmt.Sprintf(lotUnread, m.code, dock.Words(m.err)))
	}
	if m.holding != nil {
		w.lot.known, w.lot.Quantities, w.lot.lot = true, m.holding.Quantities, m.lot
	}
	w.put()
	return nil
}

// there is what the books have of a state, of the lot counted where one is.
func (w *work) there(s api.State) int64 {
	if w.lot.known {
		return w.lot.Of(s)
	}
	return w.balance.Of(s)
}
