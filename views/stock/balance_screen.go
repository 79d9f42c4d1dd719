package stock

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"
)

// balanceScreen is the shared part of the screens for one balance. It finds the item
// and the location, counts on a count panel, asks for the reason, and saves everything
// in the draft.
type balanceScreen struct {
	site  *session.Site
	env   tui.Env
	panel *panel.CountPanel
	stockItem

	job        string // first segment of the route
	verb       string // name of the job: "Adjust"
	errText    string // why the stock could not be loaded
	busy       bool   // a code is being looked up
	itemInput  widget.Question
	choices    choices
	lot        lotStock  // recorded stock of the counted lot
	reversal   *reversal // undoes the last booking
	lastDeltas []delta   // effect of the last booking
	reversing  bool      // the current booking is an undo
	opensOnly  bool      // the scan that names the item is not counted
	size       tui.Size  // of the screen

	// setLines puts the item on the count panel.
	setLines func()
}

// choices are the inputs besides the count. They are saved with the draft.
type choices struct {
	Stock  string `json:"subject,omitempty"` // SKU@LOCATION, if the route names none
	Mode   mode   `json:"mode,omitempty"`
	From   string `json:"from,omitempty"` // the state
	To     string `json:"to,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// lotStock is the recorded stock of a lot in the balance; known reports whether it was
// loaded.
type lotStock struct {
	code  string
	known bool
	lot   *api.Lot
	api.Quantities
}

// reversal undoes a booking.
type reversal struct {
	text, toast string
	steps       []submit.Step
	unavailable string // why it cannot be undone
}

type (
	stockItemMsg struct {
		stock stockItem
		label *count.Label // to be counted afterwards
		err   error
	}
	lotMsg struct {
		code    string
		lot     *api.Lot
		holding *api.LotHolding
		err     error
	}
)

func newBalanceScreen(site *session.Site, env tui.Env, job, verb string) balanceScreen {
	w := balanceScreen{site: site, env: env, job: job, verb: verb, size: tui.Size{Class: tui.Standard}, panel: panel.NewCountPanel(site, env)}
	w.itemInput.Ask = site.T().Get("Scan the product, or type its SKU")
	var saved struct {
		Stock choices `json:"stock"`
	}
	if raw, ok := env.Draft(); ok && json.Unmarshal(raw, &saved) == nil {
		w.choices = saved.Stock
	}
	return w
}

// A balanceTask is the part of a balance screen that is specific to its job.
type balanceTask interface {
	panel.Booking
	setLines() // puts the item on the count panel
	question(small bool) string
}

// run connects the panel to the task and loads the stock.
func (w *balanceScreen) run(t balanceTask) tea.Cmd {
	w.setLines = t.setLines
	w.panel.Job = panel.CountJob{Verb: w.jobVerb(), Booking: t, Question: t.question, OtherItem: w.otherItem, OtherLocation: w.onLocation}
	return w.load()
}

// load loads the stock that the route or the draft names.
func (w *balanceScreen) load() tea.Cmd {
	w.location = w.site.Location()
	ref := w.ref()
	if ref == "" {
		return nil
	}
	return w.env.Do(func(ctx context.Context) tea.Msg {
		s, err := findStock(ctx, w.site, ref)
		return stockItemMsg{stock: s, err: err}
	})
}

func (w *balanceScreen) ref() string {
	if ref := w.env.Route.Param("balance"); ref != "" {
		return ref
	}
	return w.choices.Stock
}

func (w *balanceScreen) hasStock() bool {
	return w.item.ID != (api.ID{}) && w.location.IsSet() && w.errText == ""
}

// reload refreshes the balance; the old one stays on screen meanwhile.
func (w *balanceScreen) reload() tea.Cmd {
	if !w.hasStock() {
		return w.load()
	}
	s := w.stockItem
	return w.env.Latest("balance", func(ctx context.Context) tea.Msg {
		err := s.load(ctx, w.site)
		return stockItemMsg{stock: s, err: err}
	})
}

// Title returns the job and the stock.
func (w *balanceScreen) Title() string {
	if name := w.ShortTitle(); name != w.verb {
		return w.verb + " › " + name
	}
	return w.verb
}

// ShortTitle returns SKU@LOCATION.
func (w *balanceScreen) ShortTitle() string {
	switch {
	case w.item.SKU == "" && w.ref() != "":
		return w.ref()
	case w.item.SKU == "":
		return w.verb
	case w.location.Code == "":
		return w.item.SKU
	}
	return w.item.SKU + "@" + w.location.Code
}

// Busy reports whether scans must wait.
func (w *balanceScreen) Busy() bool { return w.busy || w.panel.Busy() }

// Refresh reloads the balance.
func (w *balanceScreen) Refresh() tea.Cmd { return w.reload() }

// AcceptsKey reports whether k is text input: the code of an item, or input for the
// panel.
func (w *balanceScreen) AcceptsKey(k tea.KeyMsg) bool {
	if !w.hasStock() {
		return w.errText == "" && (w.ref() == "" || w.item.ID != (api.ID{})) && w.itemInput.AcceptsKey(k)
	}
	return w.panel.AcceptsKey(k)
}

// Snapshot returns the panel's draft with the choices.
func (w *balanceScreen) Snapshot() []byte {
	raw := w.panel.Snapshot()
	if raw == nil {
		return nil
	}
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &members); err != nil {
		w.env.Log.Error("cannot encode draft", "error", err)
		return raw
	}
	saved := w.choices
	if w.hasStock() && w.env.Route.Param("balance") == "" {
		saved.Stock = w.item.SKU + "@" + w.location.Code
	}
	members["stock"], _ = json.Marshal(saved)
	out, _ := json.Marshal(members)
	return out
}

// OnScan looks up the item or the location while they are unknown, then counts.
func (w *balanceScreen) OnScan(s scan.Scan) tea.Cmd {
	if w.hasStock() {
		return tea.Batch(w.panel.OnScan(s), w.loadLot())
	}
	if w.errText != "" {
		return tui.Fail(errors.New(w.site.T().Get("The item could not be loaded. Nothing was counted: press enter to retry.")))
	}
	return w.lookUp(count.ParseLabel(w.site.T(), s))
}

// lookUp finds the item or the location that a code names.
func (w *balanceScreen) lookUp(r count.Label) tea.Cmd {
	w.busy = true
	s := w.stockItem
	return w.env.Do(func(ctx context.Context) tea.Msg {
		matches, err := w.site.Lookup(ctx, r.Codes...)
		if err != nil && !session.IsUnsupported(err) {
			return stockItemMsg{stock: s, err: err}
		}
		if len(matches) > 0 && matches[0].Location != nil {
			s.location = session.LocationOfPlace(matches[0].Location)
			return stockItemMsg{stock: s, err: s.load(ctx, w.site)}
		}
		item, err := w.site.FindItem(ctx, r)
		if err != nil {
			return stockItemMsg{stock: s, err: err}
		}
		s.item = *item
		return stockItemMsg{stock: s, label: &r, err: s.load(ctx, w.site)}
	})
}

// update handles the messages that all balance screens share; handled reports whether
// msg was one of them.
func (w *balanceScreen) update(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	switch msg := msg.(type) {
	case stockItemMsg:
		return w.stockLoaded(msg), true
	case lotMsg:
		return w.lotLoaded(msg), true
	case panel.LocationChangedMsg:
		return w.useLocation(msg.Location), true
	case tea.KeyMsg:
		if !w.hasStock() {
			if text, done := w.itemInput.Key(msg); done {
				return w.lookUp(count.ParseLabel(w.site.T(), scan.Parse(text, w.env.Now()))), true
			}
			return nil, true
		}
	}
	cmd, handled = w.panel.Update(msg)
	return tea.Batch(cmd, w.loadLot()), handled
}

// stockLoaded shows the stock that was loaded, and counts the scan that named it.
func (w *balanceScreen) stockLoaded(m stockItemMsg) tea.Cmd {
	w.busy = false
	switch {
	case m.err != nil && w.hasStock():
		return tui.Warn(w.site.T().Get("Not refreshed: %s", submit.UserMessage(w.site.T(), m.err)))
	case m.err != nil && w.ref() != "":
		w.errText = submit.UserMessage(w.site.T(), m.err)
		return tui.Bell(2)
	case m.err != nil:
		return tui.Fail(errors.New(submit.UserMessage(w.site.T(), m.err)))
	}
	asked := !w.hasStock()
	w.errText, w.stockItem = "", m.stock
	w.updatePanel()
	switch {
	case m.label != nil && w.hasStock() && w.opensOnly:
		return tui.Accepted()
	case m.label != nil && w.hasStock():
		return tea.Batch(w.panel.OnScan(m.label.Scan), w.loadLot())
	case asked && w.ref() == "":
		return tui.Accepted()
	}
	return w.loadLot()
}

// updatePanel updates the lines of the panel from the stock and the choices.
func (w *balanceScreen) updatePanel() {
	if !w.hasStock() {
		return
	}
	w.setLines()
}

// routeIsFixed reports whether the route names the location, or the balance itself.
func (w *balanceScreen) routeIsFixed() bool {
	ref := w.env.Route.Param("balance")
	return strings.Contains(ref, "@") || uuid.Validate(ref) == nil
}

// useLocation switches to the operator's location, unless the route names another.
func (w *balanceScreen) useLocation(p session.Location) tea.Cmd {
	switch {
	case w.routeIsFixed():
		return nil
	case w.env.Route.Param("balance") != "" && !w.hasStock(): // waiting for a location
		w.errText, w.location = "", p
		return w.load()
	}
	return w.onLocation(p)
}

// onLocation switches to another location, unless something is counted.
func (w *balanceScreen) onLocation(p session.Location) tea.Cmd {
	switch {
	case p.ID == w.location.ID:
		return nil
	case w.env.Route.Param("balance") != "":
		return tui.Replace(tui.Path(w.job, w.item.SKU+"@"+p.Code))
	case w.panel.Total() > 0:
		return tui.Fail(errors.New(w.site.T().Get("%s counted at %s and not recorded. Record them first, or type 0.", w.site.T().Count(w.panel.Total()), w.location.Code)))
	}
	w.location, w.balance, w.reversal = p, api.Balance{}, nil
	return tea.Batch(tui.Accepted(), w.reload())
}

// otherItem offers the same job for an item that was scanned by mistake.
func (w *balanceScreen) otherItem(_ context.Context, m *api.Match) []tui.Action {
	sku := m.Product.SKU
	return []tui.Action{{ID: w.job + ".other", Keys: []string{"f8"}, Label: w.site.T().Get(insteadTexts[w.job], sku), Short: w.site.T().Get("other"),
		Run: func() tea.Cmd { return tui.Open(tui.Path(w.job, sku+"@"+w.location.Code)) }}}
}

// insteadTexts offer each job on another product.
var insteadTexts = map[string]string{"adjust": i18n.Text("adjust %s instead"), "move": i18n.Text("move %s instead"), "kit": i18n.Text("assemble %s instead")}

// jobVerb is what the count panel calls the work.
func (w *balanceScreen) jobVerb() string {
	switch t := w.site.T(); w.job {
	case "adjust":
		return t.Get("adjust")
	case "move":
		return t.Get("move")
	}
	return w.site.T().Get("record")
}

// loadLot reads the recorded stock of the lot that is counted now.
func (w *balanceScreen) loadLot() tea.Cmd {
	code := w.panel.Line().Count.Lot
	if !w.hasStock() || code == w.lot.code {
		return nil
	}
	w.lot = lotStock{code: code}
	w.updatePanel()
	if code == "" {
		return nil
	}
	s := w.stockItem
	return w.env.Latest("lot", func(ctx context.Context) tea.Msg {
		h, lot, err := s.lotHolding(ctx, w.site, code)
		return lotMsg{code, lot, h, err}
	})
}

func (w *balanceScreen) lotLoaded(m lotMsg) tea.Cmd {
	if m.code != w.lot.code {
		return nil
	}
	if m.err != nil {
		return tui.Warn(w.site.T().Get("Lot %s could not be loaded: %s", m.code, submit.UserMessage(w.site.T(), m.err)))
	}
	if m.holding != nil {
		w.lot.known, w.lot.Quantities, w.lot.lot = true, m.holding.Quantities, m.lot
	}
	w.updatePanel()
	return nil
}

// stateQuantity returns the recorded quantity of a state, of the counted lot if there
// is one.
func (w *balanceScreen) stateQuantity(s api.State) int64 {
	if w.lot.known {
		return w.lot.Of(s)
	}
	return w.balance.Of(s)
}
