package stored

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// A Plate is the stored form of api.Plate, without references. It is derived from movements.
type Plate struct {
	api.Plate
	store.Unknown
}

// Plates has all plates.
var Plates = store.NewTable(store.Table[Plate]{
	Name:  "plates",
	Key:   func(p *Plate) []byte { return []byte(p.SSCC) },
	Codec: store.JSON[Plate](),
})

// A PlateNote is the metadata of a movement that names a plate. With a quantity, it registers
// so many pieces on the plate.
type PlateNote struct {
	SSCC     string `json:"sscc"`
	Quantity int64  `json:"quantity,omitzero"`
}

// SavePlates changes the plates that the movements of an entry name. If a plate has less of a
// product than is taken from it, short returns the error; nil leaves the plate as it is.
func (tx *Tx) SavePlates(
	to store.Tx,
	e *journal.Entry,
	short func(p *Plate, left api.PlateLine, requested int64) error,
) error {
	for _, m := range e.Movements {
		sscc, registered := plateOf(e, m)
		if sscc == "" {
			continue
		}

		p, err := Plates.Get(tx.Reader, []byte(sscc))
		if err != nil {
			return err
		}
		if p == nil && m.Delta < 0 {
			continue // not known here
		}
		if p == nil {
			p = &Plate{Plate: api.Plate{SSCC: sscc}}
		}

		left, err := tx.moveOnPlate(p, e, m, m.Delta+registered)
		if left != nil && short != nil {
			err = short(p, *left, -m.Delta)
		}
		if err == nil {
			err = Plates.Put(to, p)
		}
		if err != nil {
			return err
		}
	}

	return nil
}

// plateOf returns the plate that a movement of an entry names, if it changes what is on it, and
// how many pieces it registers.
func plateOf(e *journal.Entry, m journal.Movement) (sscc string, registered int64) {
	metadata := e.Metadata
	if m.Metadata != nil {
		metadata = m.Metadata
	}

	var note PlateNote
	if m.State != OnHand || !bytes.Contains(metadata, []byte(`"sscc"`)) || json.Unmarshal(metadata, &note) != nil ||
		!api.IsSSCC(note.SSCC) {
		return "", 0
	}

	switch {
	case m.Delta != 0:
		return note.SSCC, 0
	case m.Op == api.OpMoveState && note.Quantity > 0:
		return note.SSCC, note.Quantity
	}

	return "", 0
}

// moveOnPlate adds n pieces to a plate, or takes them. If they are not on the plate, it changes
// nothing and returns what is. What arrives elsewhere while something is left is not the plate.
func (tx *Tx) moveOnPlate(p *Plate, e *journal.Entry, m journal.Movement, n int64) (short *api.PlateLine, err error) {
	id := e.Balances[m.Balance].Balance
	at, err := BalanceKeys.Get(tx.Reader, id[:])
	if err != nil || at == nil {
		return nil, err
	}

	if left, _ := p.Left(); left == 0 && n > 0 {
		if p.LocationID = at.Location; m.Delta == 0 {
			p.Lines = nil
		}
	}

	i := slices.IndexFunc(p.Lines, func(l api.PlateLine) bool { return l.ProductID == at.Product && l.LotID == m.Lot })
	switch {
	case p.LocationID != at.Location && n > 0:
		return nil, nil
	case i < 0 && n < 0:
		return &api.PlateLine{}, nil
	case i >= 0 && (p.Lines[i].Left+n < 0 || p.LocationID != at.Location):
		return &p.Lines[i], nil
	case i < 0:
		i = len(p.Lines)
		p.Lines = append(p.Lines, api.PlateLine{ProductID: at.Product, LotID: m.Lot})
	}

	l := &p.Lines[i]
	if p.Operation == api.OpMoveState && m.Op == api.OpInboundReceive { // the label was printed before
		l.Left, l.Quantity = 0, 0
	}
	if l.Left+n == 0 {
		l.Quantity = l.Left // what arrives if the rest was sent on
	}
	l.Left += n
	l.Quantity = max(l.Quantity, l.Left)
	p.Operation, p.UpdatedAt, p.UpdatedBy = m.Op, e.At, *cmp.Or(e.Operator, &e.Actor)

	return nil, nil
}

// GetPlate returns what is on a plate.
func (tx *Tx) GetPlate(in *api.PlateInput) (*api.Plate, error) {
	p, err := Plates.Get(tx.Reader, []byte(in.SSCC))
	if err == nil && p == nil {
		err = api.Fail(api.NotFound, api.Details{"resource": "plate", "sscc": in.SSCC}, "No pallet or box %s.", in.SSCC)
	}
	if err != nil {
		return nil, err
	}
	return tx.showPlate(p)
}

// ShowPlate returns the plate that an entry registered.
func (tx *Tx) ShowPlate(e *journal.Entry) (*api.Plate, error) {
	p := new(Plate)
	for _, m := range e.Movements {
		var n int64
		p.SSCC, n = plateOf(e, m)
		if _, err := tx.moveOnPlate(p, e, m, n); err != nil {
			return nil, err
		}
	}

	return tx.showPlate(p)
}

func (tx *Tx) showPlate(p *Plate) (*api.Plate, error) {
	p.Location = tx.PlaceRef(Locations, p.LocationID)
	for i := range p.Lines {
		l := &p.Lines[i]
		l.Product = tx.ProductRef(l.ProductID)
		if l.LotID != api.NoID {
			lot, err := Lots.Shared(tx.Reader, l.LotID[:])
			if err != nil {
				return nil, err
			}
			if lot != nil {
				l.LotCode = lot.LotCode
			}
		}
	}

	return &p.Plate, nil
}
