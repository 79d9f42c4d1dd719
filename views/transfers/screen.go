package transfers

import (
	"fmt"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// Ship makes the screen that ships one transfer, named by id or reference.
func Ship(site *dock.Site) tui.Factory { return opener(site, &shipping) }

// Arrive makes the screen that receives one transfer.
func Arrive(site *dock.Site) tui.Factory { return opener(site, &arriving) }

func opener(site *dock.Site, e *end) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &screen{site: site, end: e, Document: dock.NewDocument(site, env, e.paper(site))}, nil
	}
}

// screen works on one end of one transfer.
type screen struct {
	dock.Document[api.Transfer]
	site *dock.Site
	end  *end
	env  tui.Env
}

func (e *end) paper(site *dock.Site) dock.Paper[api.Transfer] {
	return dock.Paper[api.Transfer]{Route: e.id, Job: *e.job, Find: site.FindTransfers,
		ID:       func(t *api.Transfer) api.ID { return t.ID },
		Name:     dock.TransferName,
		Where:    e.at,
		Open:     func(t *api.Transfer) bool { return t.Status == api.TransferInTransit },
		Wares:    func(t *api.Transfer) []dock.Ware { return []dock.Ware{{ID: t.ProductID, Ref: t.Product}} },
		Question: func(ref string) string { return fmt.Sprintf(askGoods, ref) },
		Choice: func(t *api.Transfer) string {
			return fmt.Sprintf(choiceLine, sku(t), name(t), widget.Count(e.pendingOf(t)))
		}}
}

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.Show = s.show
	b := s.Bench
	b.Verb, b.Past = *s.end.verb, *s.end.past
	b.Damages = !s.end.ships()
	b.Writes = []*api.Spec{s.end.write()}
	b.Plan, b.Booked, b.Done = s.plan, s.booked, s.done
	return s.Begin()
}

// show puts the transfer's goods on the bench.
func (s *screen) show() {
	doc := s.Doc
	s.Bench.Name = s.Title()
	s.Bench.Closed, s.Bench.Ended = s.end.closed(doc)
	if s.end.ships() {
		s.Bench.Rack = &dock.Rack{Owner: doc.OwnerID, Channel: doc.ChannelID, Document: dock.TransferName(doc)}
	}
	s.Bench.SetLines(&dock.Line{Key: doc.ProductID.String(), Goods: s.Goods[doc.ProductID], Pending: s.end.pendingOf(doc)})
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) { return s, s.Handle(msg) }

func (s *screen) View(size tui.Size) string {
	if s.Doc == nil {
		return s.Absent(size)
	}
	return s.Bench.View(size, s.sheet())
}

// sheet is what there is to tell of the transfer at this end.
func (s *screen) sheet() dock.Sheet {
	when := fmt.Sprintf(wordMade, widget.When(s.Doc.CreatedAt, s.env.Now()))
	if !s.end.ships() && s.Doc.ShippedAt != nil {
		when = fmt.Sprintf(wordShippedAt, widget.When(*s.Doc.ShippedAt, s.env.Now()))
	}
	return dock.Sheet{Party: *s.end.toward + " " + dock.PlaceOf(s.end.other(s.Doc)).String(), When: when,
		Whole: s.end.wholeOf(s.Doc), Done: s.end.doneOf(s.Doc), WholeWord: *s.end.whole, DoneWord: *s.end.done}
}

// closed says why nothing can be moved at this end any more, or "", and the
// same in two words.
func (e *end) closed(doc *api.Transfer) (why, short string) {
	switch {
	case doc.Status != api.TransferInTransit:
		return fmt.Sprintf(ended, doc.Status, widget.Count(doc.ReceivedQuantity), widget.Count(doc.Quantity)), string(doc.Status)
	case e.pendingOf(doc) == 0 && e.ships():
		return fmt.Sprintf(allShipped, widget.Count(doc.Quantity)), endedShipped
	case e.pendingOf(doc) == 0:
		return fmt.Sprintf(nothingOnTheWay,
			widget.Count(doc.ShippedQuantity), widget.Count(doc.Quantity), widget.Count(doc.ReceivedQuantity)), endedEmpty
	}
	return "", string(doc.Status)
}
