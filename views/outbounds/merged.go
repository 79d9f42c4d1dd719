package outbounds

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"
)

// maxMerged is how many orders are picked together.
const maxMerged = 12

// A mergedScreen picks several orders in one walk. Each item has a line for each order and lot;
// those of one item and lot are counted together. Each order gets its own picks.
type mergedScreen struct {
	panel.DocumentScreen[mergedOrders]
	site *session.Site
	gone []string // what must be put back because its order was changed, to be told once
}

// mergedOrders are orders that are picked together, the first due first.
type mergedOrders struct {
	docs []api.Outbound
	lots map[api.ID][]api.OutboundLot // that an order holds
}

func newMerged(site *session.Site) tui.Factory {
	t := site.T()
	kind := panel.DocumentKind[mergedOrders]{
		Route: "pick",
		Job:   t.GetC("Pick", "draft"),
		Word:  t.Get("Order"),
		Find:  func(ctx context.Context, ref string) ([]mergedOrders, error) { return findMerged(ctx, site, ref) },
		Exact: true,
		IDs: func(m *mergedOrders) (ids []api.ID) {
			for i := range m.docs {
				ids = append(ids, m.docs[i].ID)
			}
			return ids
		},
		Name: func(m *mergedOrders) string {
			name := names.Outbound(&m.docs[0])
			if n := len(m.docs) - 1; n > 0 {
				name += " " + t.Change(int64(n))
			}
			return name
		},
		Closed: func(m *mergedOrders) (reason, short string) {
			if slices.ContainsFunc(
				m.docs,
				func(o api.Outbound) bool { return o.Status.Open() && o.PendingPickQuantity > 0 },
			) {
				return "", ""
			}
			return t.Get("Nothing is left to pick."), t.GetC("picked", "status")
		},
		Location: func(m *mergedOrders) session.Location {
			return session.LocationAt(m.docs[0].LocationID, m.docs[0].Location)
		},
		Items: func(m *mergedOrders) (items []panel.ItemRef) {
			for i := range m.docs {
				for _, l := range lines(&m.docs[i]) {
					items = append(items, panel.ItemRef{ID: l.ProductID, Ref: l.Product})
				}
			}
			return items
		},
		Changed: func(*mergedOrders) (id api.ID, at time.Time) { return id, at },
	}

	return func(env tui.Env) (tui.Screen, error) {
		return &mergedScreen{site: site, DocumentScreen: panel.NewDocumentScreen(site, env, kind)}, nil
	}
}

// findMerged returns the orders that the parts of a reference name, with their lots.
func findMerged(ctx context.Context, site *session.Site, ref string) ([]mergedOrders, error) {
	m := mergedOrders{lots: map[api.ID][]api.OutboundLot{}}
	kind := documentKind(site)
	for part := range strings.SplitSeq(ref, ",") {
		doc, err := kind.FindForJob(ctx, &submit.Job{Site: site, Ref: part, MayBeBooked: true})
		if err != nil {
			return nil, err
		}

		m.docs = append(m.docs, *doc)
		if first := m.docs[0]; len(m.docs) > maxMerged || doc.LocationID != first.LocationID ||
			doc.OwnerID != first.OwnerID || doc.ChannelID != first.ChannelID {
			return nil, mergeError(site.T())
		}

		lots, err := session.Call(ctx, site, api.ListOutboundLots, api.OutboundInput{OutboundID: doc.ID})
		if err != nil {
			return nil, err
		}
		m.lots[doc.ID] = lots.Items
	}

	sortByDue(m.docs)
	m.docs = slices.CompactFunc(m.docs, func(a, b api.Outbound) bool { return a.ID == b.ID })

	return []mergedOrders{m}, nil
}

// mergeError says which orders can be picked together.
func mergeError(t *i18n.Translator) error {
	return t.NewError("At most %s orders of one location, owner and channel are picked together.", t.Count(maxMerged))
}

func (s *mergedScreen) Init(env tui.Env) tea.Cmd {
	s.ShowDoc, s.Panel.ChooseLine = s.showDoc, s.chooseLine
	s.Panel.Job = panel.CountJob{
		Verb:         env.T.Get("pick"),
		Question:     s.question,
		Booking:      s,
		Writes:       []*api.Spec{api.PickOutbound.Spec},
		Advance:      true,
		RecordedText: s.recordedText,
	}

	return s.Start()
}

func (s *mergedScreen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok && !s.AcceptsKey(k) && s.Panel.MoveLine(k) {
		return s, nil
	}

	cmd := s.Handle(msg)
	if len(s.gone) > 0 {
		cmd, s.gone = tea.Batch(cmd, tui.Fail(errors.New(strings.Join(s.gone, " ")))), nil
	}

	return s, cmd
}

// chooseLine returns the line on which a label for the item of line i is counted: that of its lot.
func (s *mergedScreen) chooseLine(i int, r count.Label) int {
	lines := s.Panel.Lines
	for j, l := range lines {
		if held := l.Stock.Held; len(held) > 0 && held[0].Code == r.Lot && l.Item.ID == lines[i].Item.ID {
			return j
		}
	}

	return i
}

// PrepareSteps returns the steps that pick the count, order by order.
func (s *mergedScreen) PrepareSteps(lines []count.Line) func(context.Context) ([]submit.Step, error) {
	docs := s.Doc.docs
	return func(ctx context.Context) (steps []submit.Step, err error) {
		for i := range docs {
			for _, l := range lines {
				if lineID(&docs[i], l.Key) == api.NoID {
					continue
				}

				picks, err := handleSteps(ctx, s.site, &docs[i], []count.Line{l}, picking, nil)
				if err != nil {
					return nil, err
				}
				picks[0].Line = l.Key
				steps = append(steps, picks[0])
			}
		}

		return steps, nil
	}
}

// Booked does nothing: the orders are read again.
func (s *mergedScreen) Booked(submit.Step, *api.Response) {}

// BookedText is not used: each step is of a line.
func (s *mergedScreen) BookedText(int64) string { return "" }

func (s *mergedScreen) recordedText(lines []count.Line) string {
	var orders []string
	var pieces int64
	for _, l := range lines {
		orders, pieces = append(orders, l.For), pieces+l.Count.Quantity
	}

	slices.Sort(orders)

	return s.T.Get("Picked %s: %s", s.T.Count(pieces), strings.Join(slices.Compact(orders), ", "))
}

func (s *mergedScreen) Actions() []tui.Action {
	if s.Doc == nil {
		return s.RetryActions()
	}

	actions := s.Panel.Actions()
	if s.Panel.Modal() {
		return actions
	}

	for i := range actions {
		if text := s.shortText(); text != "" && actions[i].ID == "panel.record" {
			actions[i].Dangerous, actions[i].Ask, actions[i].No = true, text, s.T.Get("count more")
		}
	}

	return s.Panel.WithExceptions(append(actions, panel.NextLineAction(s.Panel, "pick.next")))
}

// shortText asks whether to pick without what is not counted, and says of which order; or it
// is "".
func (s *mergedScreen) shortText() string {
	t := s.T

	var short []string
	for i := range s.Doc.docs {
		order := names.Outbound(&s.Doc.docs[i])
		var missing []string
		for _, l := range s.Panel.Lines {
			if n := l.Remaining(); n > 0 && l.For == order {
				missing = append(missing, t.Count(n)+" × "+l.Item.SKU)
			}
		}
		if len(missing) > 0 {
			short = append(short, order+": "+strings.Join(missing, ", "))
		}
	}

	if len(short) == 0 || s.Panel.Total() == 0 {
		return ""
	}

	return t.Get("Pick %s? Not counted: %s.", t.Count(s.Panel.Total()), strings.Join(short, "; "))
}

func (s *mergedScreen) View(size tui.Size) string {
	if s.Doc == nil {
		return s.LoadingView(size)
	}
	return s.Panel.Frame().View(size, s.summary())
}

// summary returns what is counted of all orders, and for whom each item is.
func (s *mergedScreen) summary() panel.DocumentSummary {
	current := s.Panel.Line()
	sum := panel.DocumentSummary{
		Party:     s.orders(current, false),
		Way:       widget.Pair{Label: s.T.Get("to"), Value: current.For},
		TotalWord: s.T.Get("to pick"),
		DoneWord:  s.T.Get("before"),
	}
	for _, l := range s.Panel.Lines {
		sum.Total += l.Pending
		if l.Group() != current.Group() {
			sum.Done += l.Count.Quantity
		}
		sum.Lines = append(sum.Lines, panel.LineSummary{Status: s.orders(l, false)})
	}

	return sum
}

// Speech describes the orders with their lines as rows.
func (s *mergedScreen) Speech() tui.Speech {
	if s.Doc == nil {
		return s.LoadingSpeech()
	}
	return s.DocumentScreen.Speech(s.summary())
}
