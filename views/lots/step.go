package lots

import (
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/names"
	"bincard/views/stocktext"
)

// A step combines the movements of one journal entry.
type step struct {
	id        string
	at        time.Time
	op        api.MovementOperation
	direction string // "incoming → available"
	location  string // "WH-1", "WH-1 → ST-2"
	quantity  int64  // never negative; 0 if the entry moved none
	reason    string
	actor     string
	route     string // of the document, or ""
}

// steps groups movements, oldest first, by journal entry.
func steps(t *i18n.Translator, movements []api.Movement) []step {
	var out []step
	for i := 0; i < len(movements); {
		end := i + 1
		for end < len(movements) && sameEntry(&movements[i], &movements[end]) {
			end++
		}
		out = append(out, stepOf(t, movements[i:end]))
		i = end
	}

	return out
}

// sameEntry reports whether two movements belong to the same journal entry.
func sameEntry(a, b *api.Movement) bool {
	return a.CreatedAt.Equal(b.CreatedAt) && a.IdempotencyKey == b.IdempotencyKey && a.ReferenceID == b.ReferenceID &&
		a.Actor == b.Actor
}

func stepOf(t *i18n.Translator, legs []api.Movement) step {
	first := &legs[0]
	s := step{
		id:     first.ID.String(),
		at:     first.CreatedAt,
		op:     first.Operation,
		reason: stocktext.MovementReason(t, first),
		actor:  stocktext.MovementActor(t, first),
		route:  stocktext.DocumentRoute(first.Operation, first.ReferenceType, first.ReferenceID),
	}

	var from, to, unchanged, locations []string
	note := func(list *[]string, word string) {
		if !slices.Contains(*list, word) {
			*list = append(*list, word)
		}
	}

	for i := range legs {
		m := &legs[i]
		if m.Location != nil {
			note(&locations, m.Location.Code)
		}

		q := max(m.Quantity, -m.Quantity)
		s.quantity = max(s.quantity, q)
		switch {
		case m.InventoryState == api.OnHand: // the other movements say which part of it
		case m.Quantity < 0:
			note(&from, names.ShortState(t, m.InventoryState))
		case m.Quantity > 0:
			note(&to, names.ShortState(t, m.InventoryState))
		default:
			note(&unchanged, names.ShortState(t, m.InventoryState))
		}
	}

	switch {
	case len(from)+len(to) > 0:
		s.direction = strings.TrimSpace(strings.Join(from, ", ") + " → " + strings.Join(to, ", "))
	default:
		s.direction = strings.Join(unchanged, ", ")
	}

	s.location = strings.Join(locations, " → ")

	return s
}

// A Party is a document or other source or destination of stock, with its quantity
// of the lot.
type Party struct {
	Document string    `json:"document"`
	Party    string    `json:"party,omitempty"` // supplier or customer
	Op       string    `json:"operation"`
	Place    string    `json:"locationCode"`
	Quantity int64     `json:"quantity"`
	At       time.Time `json:"at"` // last time
	Who      string    `json:"by"`
	Route    string    `json:"-"`

	operation api.MovementOperation

	ref string // full reference of the document

	item string // in another item than the lot's: which
	kits int64  // how many kits of item the lot went into at most
}

// ofOther returns the quantity of another item, whose pieces of the lot another party has.
func (p *Party) ofOther() int64 {
	if p.item == "" || p.kits > 0 {
		return 0
	}
	return p.Quantity
}

// totals holds the quantities that came in, went out, are in transit or were lost there, those
// that were written off or removed by a correction, and those that went into kits or were kits
// taken apart.
type totals struct {
	from, out                                []Party
	quantityIn, quantityOut, inTransit, lost int64
	writtenOff, corrected                    int64
	inKits, takenApart                       int64
}

// stock returns what is left in stock or in transit.
func (a *totals) stock() int64 {
	return a.quantityIn - a.quantityOut - a.lost - a.writtenOff - a.corrected - a.inKits - a.takenApart
}

// totalsOf returns where stock came from and went, by the changes on hand. Transfers
// count as in transit until they are received or closed.
func totalsOf(t *i18n.Translator, movements []api.Movement) totals {
	var a totals
	for i := range movements {
		m := &movements[i]
		switch {
		case m.Operation == api.OpTransferClose && m.InventoryState == api.Incoming:
			a.inTransit += m.Quantity
			a.lost -= m.Quantity
		case m.InventoryState != api.OnHand:
		case strings.HasPrefix(string(m.Operation), "transfer_"):
			a.inTransit -= m.Quantity
		case m.Operation == api.OpDisassembleComponent:
			a.inKits -= m.Quantity // it returns from a kit
		case m.Quantity > 0:
			a.quantityIn += m.Quantity
			a.from = addToParty(a.from, partyOf(t, m, m.Quantity))
		case m.Quantity < 0:
			switch m.Operation {
			case api.OpAssembleComponent:
				a.inKits -= m.Quantity
			case api.OpDisassembleInput:
				a.takenApart -= m.Quantity
			case api.OpWriteOff:
				a.writtenOff -= m.Quantity
			case api.OpAdjust, api.OpReconcile:
				a.corrected -= m.Quantity
			default:
				a.quantityOut -= m.Quantity
			}

			a.out = addToParty(a.out, partyOf(t, m, -m.Quantity))
		}
	}

	if a.inKits < 0 { // parts of kits that were not assembled here
		a.quantityIn, a.inKits = a.quantityIn-a.inKits, 0
	}

	return a
}

// partyOf returns the party of a movement.
func partyOf(t *i18n.Translator, m *api.Movement, q int64) Party {
	p := Party{
		operation: m.Operation,
		Document:  stocktext.MovementReason(t, m),
		Op:        strings.ReplaceAll(string(m.Operation), "_", " "),
		Quantity:  q,
		At:        m.CreatedAt,
		Who:       stocktext.MovementActor(t, m),
		Route:     stocktext.DocumentRoute(m.Operation, m.ReferenceType, m.ReferenceID),
		ref:       m.ReferenceID,
	}

	if m.Location != nil {
		p.Place = m.Location.Code
	}
	if m.Operation == api.OpAssembleComponent {
		kit := compositionOf(m)
		p.item, p.kits = kit.SKU, min(kit.Quantity, q)
	}

	return p
}

// addToParty adds a party to the one with its document.
func addToParty(list []Party, p Party) []Party {
	for i := range list {
		if x := &list[i]; x.Document == p.Document && x.Op == p.Op && x.Place == p.Place && x.Route == p.Route &&
			x.item == p.item {
			x.Quantity += p.Quantity
			x.kits += p.kits
			x.At, x.Who = p.At, p.Who
			return list
		}
	}

	return append(list, p)
}
