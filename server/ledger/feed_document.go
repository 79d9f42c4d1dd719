package ledger

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/server/store"
)

// A shelfMark is where documents of one kind are kept, and who may read them.
type shelfMark struct {
	kind  api.DocumentKind
	table string
	scope api.Scope
}

// shelfMarks are all tables of documents.
var shelfMarks = []shelfMark{
	{api.DocOwner, owners.Name, api.InventoryRead},
	{api.DocChannel, channels.Name, api.InventoryRead},
	{api.DocLocation, locations.Name, api.InventoryRead},
	{api.DocProduct, products.Name, api.InventoryRead},
	{api.DocLot, lots.Name, api.InventoryRead},
	{api.DocInbound, inbounds.Name, api.InventoryRead},
	{api.DocOutbound, outbounds.Name, api.InventoryRead},
	{api.DocTransfer, transfers.Name, api.TransfersRead},
	{api.DocReservation, reservations.Name, api.ReservationsRead},
	{api.DocSerial, pieces.Name, api.InventoryRead},
}

// documentsOf are the documents that a record names, as they stand: the one it
// made or changed, the lots and pieces it moved.
func (rd *reading) documentsOf(rec *record) ([]api.Document, error) {
	out := []api.Document{}
	add := func(id api.ID) error {
		if id == (api.ID{}) || slices.ContainsFunc(out, func(d api.Document) bool { return d.ID == id }) {
			return nil
		}
		doc, err := rd.document(id)
		if doc != nil {
			out = append(out, *doc)
		}
		return err
	}
	var named struct {
		ID api.ID `json:"id"`
	}
	if len(rec.Document) > 0 {
		if err := json.Unmarshal(rec.Document, &named); err != nil {
			return nil, err
		}
	}
	ids := []api.ID{named.ID}
	for i := range rec.Moves {
		ids = append(ids, rec.Moves[i].Lot)
	}
	for i := range rec.Serials {
		ids = append(ids, rec.Serials[i].LotID, rec.Serials[i].ID)
	}
	for _, id := range slices.Compact(ids) {
		if err := add(id); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// document finds a document by its id, wherever it is kept; nil where there is
// none or the caller may not read it.
func (rd *reading) document(id api.ID) (*api.Document, error) {
	for _, m := range shelfMarks {
		data, err := rd.r.Get(m.table, id[:])
		if err != nil {
			return nil, err
		}
		if data == nil {
			continue
		}
		if !rd.caller.May(m.scope) {
			return nil, nil
		}
		return &api.Document{Kind: m.kind, ID: id, Data: bytes.Clone(data)}, nil
	}
	return nil, nil
}

// open tells whether anything can still be done with a document, by its row.
func (m shelfMark) open(data []byte) (bool, error) {
	var row struct {
		Status string `json:"status"`
		Away   bool   `json:"away"`
	}
	switch m.kind {
	case api.DocOwner, api.DocChannel, api.DocLocation, api.DocProduct, api.DocLot:
		return true, nil
	}
	if err := json.Unmarshal(data, &row); err != nil {
		return false, err
	}
	switch m.kind {
	case api.DocInbound:
		return api.InboundStatus(row.Status).Open(), nil
	case api.DocOutbound:
		return api.OutboundStatus(row.Status).Open(), nil
	case api.DocTransfer:
		return api.TransferStatus(row.Status) == api.TransferInTransit, nil
	case api.DocReservation:
		s := api.ReservationStatus(row.Status)
		return s == api.ReservationPending || s == api.ReservationCommitted, nil
	}
	s := api.SerialStatus(row.Status)
	return row.Away || s == api.InStock || s == api.Picked || s == api.Packed, nil
}

// documentIndexes narrow a table to what can be open, where it has many rows
// that are not: the statuses that its index is walked by.
var documentIndexes = map[string][]string{
	inbounds.Name:     {string(api.InboundExpected), string(api.InboundPartiallyReceived)},
	transfers.Name:    {string(api.TransferInTransit)},
	reservations.Name: {string(api.ReservationPending), string(api.ReservationCommitted)},
	outbounds.Name:    openOutbounds(),
}

func openOutbounds() (list []string) {
	for _, s := range (api.OutboundStatus("")).Values() {
		if api.OutboundStatus(s).Open() {
			list = append(list, s)
		}
	}
	return list
}

// A stretch is a part of the snapshot: rows of one table, by the key or by a
// status of its index.
type stretch struct {
	mark   shelfMark
	table  string // to be walked
	prefix []byte
}

// stretches are the parts of the snapshot in their order; the balances follow.
var stretches = func() (list []stretch) {
	for _, m := range shelfMarks {
		statuses := documentIndexes[m.table]
		for _, s := range statuses {
			list = append(list, stretch{m, m.table + ".status", statusPrefix(s)})
		}
		if statuses == nil {
			list = append(list, stretch{m, m.table, nil})
		}
	}
	return list
}()

// walk gives the rows of a stretch after a key to fn, with the key to go on from.
func (s *stretch) walk(r store.Reader, after []byte, fn func(key []byte, id api.ID, data []byte) error) error {
	span := store.Prefix(s.prefix)
	if len(after) > 0 {
		span.From = append(bytes.Clone(after), 0)
	}
	return r.Scan(s.table, span, func(key, value []byte) error {
		if s.prefix == nil {
			return fn(key, api.ID(key), value)
		}
		data, err := r.Get(s.mark.table, value)
		if err != nil || data == nil {
			return err
		}
		return fn(key, api.ID(value), data)
	})
}
