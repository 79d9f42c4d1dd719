package lots

import (
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/views/balances"
)

// A step is one record of the ledger as it touched the lot or the piece: its
// legs told together.
type step struct {
	id    string
	at    time.Time
	op    api.MovementOperation
	way   string // "incoming → available"
	place string // "WH-1", "WH-1 → ST-2"
	q     int64  // how many, always positive; 0 for a trace that moved none
	why   string
	who   string
	route string // of the document, ""
}

// steps tells movements, oldest first, record by record.
func steps(moves []api.Movement) []step {
	var out []step
	for i := 0; i < len(moves); {
		end := i + 1
		for end < len(moves) && same(&moves[i], &moves[end]) {
			end++
		}
		out = append(out, tell(moves[i:end]))
		i = end
	}
	return out
}

// same tells whether two movements are of one record.
func same(a, b *api.Movement) bool {
	return a.CreatedAt.Equal(b.CreatedAt) && a.IdempotencyKey == b.IdempotencyKey && a.ReferenceID == b.ReferenceID && a.Actor == b.Actor
}

func tell(legs []api.Movement) step {
	first := &legs[0]
	s := step{id: first.ID.String(), at: first.CreatedAt, op: first.Operation, why: balances.Why(first), who: balances.Who(first),
		route: balances.Document(first.Operation, first.ReferenceType, first.ReferenceID)}
	var from, to, still, places []string
	note := func(list *[]string, word string) {
		if !slices.Contains(*list, word) {
			*list = append(*list, word)
		}
	}
	for i := range legs {
		m := &legs[i]
		if m.Location != nil {
			note(&places, m.Location.Code)
		}
		q := max(m.Quantity, -m.Quantity)
		s.q = max(s.q, q)
		switch {
		case m.InventoryState == api.OnHand: // the others tell which part of it
		case m.Quantity < 0:
			note(&from, balances.Short(m.InventoryState))
		case m.Quantity > 0:
			note(&to, balances.Short(m.InventoryState))
		default:
			note(&still, balances.Short(m.InventoryState))
		}
	}
	switch {
	case len(from)+len(to) > 0:
		s.way = strings.TrimSpace(strings.Join(from, ", ") + " → " + strings.Join(to, ", "))
	default:
		s.way = strings.Join(still, ", ")
	}
	s.place = strings.Join(places, " → ")
	return s
}

// A Party is a document, or what else stands behind stock that came or went,
// with how much of the lot.
type Party struct {
	Document string    `json:"document"`
	Party    string    `json:"party,omitempty"` // supplier or customer
	Op       string    `json:"operation"`
	Place    string    `json:"locationCode"`
	Quantity int64     `json:"quantity"`
	At       time.Time `json:"at"` // the last time
	Who      string    `json:"by"`
	Route    string    `json:"-"`

	ref string // of the document, in whole
}

// account is what came, what went, and what is between two places.
type account struct {
	from, gone        []Party
	came, went, moves int64
}

// accounts tells where stock came from and where it went: by what changed on
// hand, between places aside.
func accounts(moves []api.Movement) account {
	var a account
	for i := range moves {
		m := &moves[i]
		switch {
		case m.InventoryState != api.OnHand:
		case strings.HasPrefix(string(m.Operation), "transfer_"):
			a.moves -= m.Quantity
		case m.Quantity > 0:
			a.came += m.Quantity
			a.from = join(a.from, m, m.Quantity)
		case m.Quantity < 0:
			a.went -= m.Quantity
			a.gone = join(a.gone, m, -m.Quantity)
		}
	}
	return a
}

// join adds a movement to the party of its document.
func join(list []Party, m *api.Movement, q int64) []Party {
	p := Party{Document: balances.Why(m), Op: strings.ReplaceAll(string(m.Operation), "_", " "), Quantity: q, At: m.CreatedAt, Who: balances.Who(m),
		Route: balances.Document(m.Operation, m.ReferenceType, m.ReferenceID), ref: m.ReferenceID}
	if m.Location != nil {
		p.Place = m.Location.Code
	}
	for i := range list {
		if x := &list[i]; x.Document == p.Document && x.Op == p.Op && x.Place == p.Place && x.Route == p.Route {
			x.Quantity += q
			x.At, x.Who = p.At, p.Who
			return list
		}
	}
	return append(list, p)
}
