package stock

import (
	"context"
	"encoding/json"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"
)

// balanceScreen is the shared part of the screens for one balance. It finds the item
// and the location, counts on a count panel, asks for the reason, and saves everything
// in the draft.
type balanceScreen struct {
	tui.Env
	site  *session.Site
	panel *panel.CountPanel
	stockItem

	balanceJob
	task      balanceTask // the whole screen
	errText   string      // why the stock could not be loaded
	busy      bool        // a code is being looked up
	itemInput widget.Question
	choices   choices
	lot       lotStock // recorded stock of the counted lot
	lastBooking
	// corrections are the adjustments that the limit of the operator's role counts.
	corrections session.Corrections
	size        tui.Size // of the screen
}

// A balanceJob is what is fixed of a job on a balance. Its texts are in English.
type balanceJob struct {
	route      string         // its first segment, also of the IDs of the actions
	title      string         // "Adjust"
	verb       string         // what the count panel calls the work
	help       string         // of the action that books
	instead    string         // offers the job on another product
	permission tui.Permission // that a change needs; "" for none
	reasons    func(c choices) names.Question
	// prompt and shortPrompt ask for the product; "" for the usual question.
	prompt, shortPrompt string
	countFirst          bool // the scan that names the product also counts
}

// choices are the inputs besides the count. They are saved with the draft.
type choices struct {
	Stock  string `json:"subject,omitempty"` // SKU@LOCATION, if the route names none
	Mode   mode   `json:"mode,omitempty"`
	From   string `json:"from,omitempty"` // the state
	To     string `json:"to,omitempty"`
	Reason string `json:"reason,omitempty"`
	Order  api.ID `json:"order,omitzero"` // of a return
}

// lotStock is the recorded stock of a lot in the balance; known reports whether it was
// loaded.
type lotStock struct {
	code  string
	known bool
	lot   *api.Lot
	api.Quantities
}

// A lastBooking is the last booking of a screen, which can be undone.
type lastBooking struct {
	lastDeltas []delta   // its effect
	reversal   *reversal // undoes it; nil if that is done or cannot be
	reversing  bool      // the booking in progress is an undo
}

// reversal undoes a booking.
type reversal struct {
	text, toast string
	steps       []submit.Step
	unavailable string // why it cannot be undone
}

type (
	stockItemMsg struct {
		stock   stockItem
		scanned *scan.Scan // the scan that named the item, or nil
		err     error

		corrections session.Corrections
	}
	lotMsg struct {
		code    string
		lot     *api.Lot
		holding *api.LotHolding
		err     error
	}
)

func newBalanceScreen(site *session.Site, env tui.Env, job balanceJob) balanceScreen {
	w := balanceScreen{
		site:       site,
		Env:        env,
		balanceJob: job,
		size:       tui.Size{Class: tui.Standard},
		panel:      panel.NewCountPanel(site, env),
	}

	w.itemInput.Ask = site.T().Get("Scan the product, or type its SKU")
	w.choices = savedDraft[choices](env)

	return w
}

// A balanceTask is a balance screen with the part that is specific to its job.
type balanceTask interface {
	tui.Screen
	panel.Booking
	actions() []tui.Action
	content(size tui.Size) balanceView // its heading, changes and table
	setLines()                         // puts the item on the count panel
	question(small bool) string
}

// load loads the stock that the route or the draft names.
func (w *balanceScreen) load() tea.Cmd {
	w.location = w.site.Location()
	ref := w.ref()
	if ref == "" {
		return nil
	}

	read := w.readCorrections()

	return w.Do(func(ctx context.Context) tea.Msg {
		s, err := findStock(ctx, w.site, ref)
		return read(ctx, stockItemMsg{stock: s, err: err})
	})
}

func (w *balanceScreen) ref() string {
	if ref := w.Route.Param("balance"); ref != "" {
		return ref
	}
	return w.choices.Stock
}

func (w *balanceScreen) hasStock() bool {
	return w.item.ID != api.NoID && w.location.IsSet() && w.errText == ""
}

// reload refreshes the balance; the old one stays on screen meanwhile.
func (w *balanceScreen) reload() tea.Cmd {
	if !w.hasStock() {
		return w.load()
	}
	s, read := w.stockItem, w.readCorrections()
	return w.Latest("balance", func(ctx context.Context) tea.Msg {
		err := s.load(ctx, w.site)
		return read(ctx, stockItemMsg{stock: s, err: err})
	})
}

// readCorrections returns the function that adds the operator's corrections to a stock that
// was found, where the operator's role limits them.
func (w *balanceScreen) readCorrections() func(ctx context.Context, m stockItemMsg) stockItemMsg {
	limited, now := w.IsLimited(w.permission), w.Now()
	return func(ctx context.Context, m stockItemMsg) stockItemMsg {
		if s := &m.stock; limited && m.err == nil && s.item.ID != api.NoID && s.location.IsSet() {
			m.corrections, m.err = w.site.Corrections(ctx, w.permission, s.location.ID, s.item.ID, now)
		}
		return m
	}
}

// Title returns the job and the stock.
func (w *balanceScreen) Title() string {
	title := w.T.Get(w.title)
	if name := w.ShortTitle(); name != title {
		return title + " › " + name
	}
	return title
}

// ShortTitle returns SKU@LOCATION.
func (w *balanceScreen) ShortTitle() string {
	switch {
	case w.item.SKU == "" && w.ref() != "":
		return w.ref()
	case w.item.SKU == "":
		return w.T.Get(w.title)
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
		return w.errText == "" && (w.ref() == "" || w.item.ID != api.NoID) && w.itemInput.AcceptsKey(k)
	}
	return w.panel.AcceptsKey(k)
}

// Snapshot returns the panel's draft with the choices.
func (w *balanceScreen) Snapshot() []byte {
	raw := w.panel.Snapshot()
	if raw == nil {
		return nil
	}

	saved := w.choices
	if w.hasStock() && w.Route.Param("balance") == "" {
		saved.Stock = w.item.SKU + "@" + w.location.Code
	}

	return addDraft(w.Env, raw, saved)
}

// addDraft adds what a screen saves to the draft of its panel, which may be nil.
func addDraft(env tui.Env, raw []byte, saved any) []byte {
	members := map[string]json.RawMessage{}
	if raw != nil {
		if err := json.Unmarshal(raw, &members); err != nil {
			env.Log.Error("cannot encode draft", "error", err)
			return raw
		}
	}

	members["stock"], _ = json.Marshal(saved)
	out, _ := json.Marshal(members)

	return out
}

// savedDraft returns what addDraft saved in the draft of a screen, or the zero value.
func savedDraft[T any](env tui.Env) (out T) {
	var saved struct {
		Stock T `json:"stock"`
	}
	if raw, ok := env.Draft(); ok && json.Unmarshal(raw, &saved) == nil {
		out = saved.Stock
	}
	return out
}

// stateQuantity returns the recorded quantity of a state, of the counted lot if there
// is one.
func (w *balanceScreen) stateQuantity(s api.State) int64 {
	if w.lot.known {
		return w.lot.Of(s)
	}
	return w.balance.Of(s)
}
