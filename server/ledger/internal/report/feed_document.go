package report

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// A documentTable describes where the documents of one kind are stored and who may read them.
type documentTable struct {
	kind  api.DocumentKind
	table string
	scope api.Scope
	// encode returns a row as JSON and whether the document is still open.
	encode func(tx *stored.Tx, data []byte) (api.Metadata, bool, error)
}

// documentTables are all tables of documents.
var documentTables = []documentTable{
	{api.DocOwner, stored.Owners.Name, api.InventoryRead, placeJSON},
	{api.DocChannel, stored.Channels.Name, api.InventoryRead, placeJSON},
	{api.DocLocation, stored.Locations.Name, api.InventoryRead, placeJSON},
	{api.DocProduct, stored.Products.Name, api.InventoryRead, rowJSON},
	{api.DocLot, stored.Lots.Name, api.InventoryRead, rowJSON},
	{api.DocInbound, stored.Inbounds.Name, api.InventoryRead, documentJSON(stored.Inbounds)},
	{api.DocOutbound, stored.Outbounds.Name, api.InventoryRead, documentJSON(stored.Outbounds)},
	{api.DocTransfer, stored.Transfers.Name, api.TransfersRead, documentJSON(stored.Transfers)},
	{api.DocReservation, stored.Reservations.Name, api.ReservationsRead, documentJSON(stored.Reservations)},
	{api.DocSerial, stored.Serials.Name, api.InventoryRead, serialJSON},
}

// rowJSON encodes rows that are stored as JSON and never close.
func rowJSON(_ *stored.Tx, data []byte) (api.Metadata, bool, error) {
	return bytes.Clone(data), true, nil
}

// placeJSON encodes the row of a place without its checksum.
func placeJSON(_ *stored.Tx, data []byte) (api.Metadata, bool, error) {
	p := new(stored.Place)
	if err := stored.Owners.Codec.Decode(data, p); err != nil {
		return nil, false, err
	}
	p.Sum = account.Checksum{}
	text, err := stored.Owners.Codec.Append(nil, p)
	return text, true, err
}

func serialJSON(_ *stored.Tx, data []byte) (api.Metadata, bool, error) {
	s := new(stored.Serial)
	if err := stored.Serials.Codec.Decode(data, s); err != nil {
		return nil, false, err
	}
	return bytes.Clone(data), s.Away || s.Status == api.InStock || s.Status == api.Picked || s.Status == api.Packed, nil
}

// documentJSON returns the function that encodes rows of documents, with the fields that
// the rows do not store.
func documentJSON[T any, P stored.Document[T]](t *store.Table[T]) func(*stored.Tx, []byte) (api.Metadata, bool, error) {
	return func(tx *stored.Tx, data []byte) (api.Metadata, bool, error) {
		doc := P(new(T))
		if err := t.Codec.Decode(data, doc); err != nil {
			return nil, false, err
		}
		doc.SetTenant(tx.Partition)
		text, err := json.Marshal(doc, json.Deterministic(true))
		return text, doc.IsOpen(), err
	}
}

// documentsOf returns the current documents of an entry: the one it created or
// changed, and the lots and serials it moved.
func documentsOf(tx *stored.Tx, e *journal.Entry) ([]api.Document, error) {
	out := []api.Document{}
	add := func(id api.ID) error {
		if id == api.NoID || slices.ContainsFunc(out, func(d api.Document) bool { return d.ID == id }) {
			return nil
		}
		doc, err := document(tx, id)
		if doc != nil {
			out = append(out, *doc)
		}
		return err
	}

	var named struct {
		ID api.ID `json:"id"`
	}
	if len(e.Document) > 0 {
		if err := json.Unmarshal(e.Document, &named); err != nil {
			return nil, err
		}
	}

	ids := []api.ID{named.ID, e.DocumentRef.ID}
	for i := range e.Movements {
		ids = append(ids, e.Movements[i].Lot)
	}
	for i := range e.Serials {
		ids = append(ids, e.Serials[i].LotID, e.Serials[i].ID)
	}
	for _, id := range slices.Compact(ids) {
		if err := add(id); err != nil {
			return nil, err
		}
	}

	return out, nil
}

// document returns the document with an id from any table; nil when there is none
// or the caller may not read it.
func document(tx *stored.Tx, id api.ID) (*api.Document, error) {
	for _, m := range documentTables {
		data, err := tx.Reader.Get(m.table, id[:])
		if err != nil {
			return nil, err
		}
		if data == nil {
			continue
		}
		if !tx.Caller.May(m.scope) {
			return nil, nil
		}

		text, _, err := m.encode(tx, data)

		return &api.Document{Kind: m.kind, ID: id, Data: text}, err
	}

	return nil, nil
}

// openPrefixes restrict large tables to their open documents: the prefixes of the
// open statuses in the status index.
var openPrefixes = map[string][][]byte{
	stored.Inbounds.Name:  prefixes(journal.InboundStatuses, api.InboundStatus.Open),
	stored.Outbounds.Name: prefixes(journal.OutboundStatuses, api.OutboundStatus.Open),
	stored.Transfers.Name: {journal.TransferStatuses.Prefix(api.TransferInTransit)},
	stored.Reservations.Name: {
		journal.ReservationStatuses.Prefix(api.ReservationPending),
		journal.ReservationStatuses.Prefix(api.ReservationCommitted),
	},
}

func prefixes[S ~string](all journal.Enum[S], open func(S) bool) (list [][]byte) {
	for _, s := range all {
		if open(s) {
			list = append(list, all.Prefix(s))
		}
	}

	return list
}

// A snapshotRange is a part of the snapshot: the rows of one table, by key or by
// a status of its index.
type snapshotRange struct {
	source documentTable
	table  string // to scan
	prefix []byte
}

// snapshotRanges are the parts of the snapshot in order; the balances follow.
var snapshotRanges = func() (list []snapshotRange) {
	for _, m := range documentTables {
		statuses := openPrefixes[m.table]
		for _, s := range statuses {
			list = append(list, snapshotRange{m, m.table + ".status", s})
		}
		if statuses == nil {
			list = append(list, snapshotRange{m, m.table, nil})
		}
	}

	return list
}()

// scan calls fn for each row after a key, with the key to continue from.
func (s *snapshotRange) scan(r store.Reader, after []byte, fn func(key []byte, id api.ID, data []byte) error) error {
	span := store.Prefix(s.prefix)
	if len(after) > 0 {
		span.From = append(bytes.Clone(after), 0)
	}

	return r.Scan(s.table, span, func(key, value []byte) error {
		if s.prefix == nil {
			return fn(key, api.ID(key), value)
		}

		id, err := store.Primary(key, value)
		if err != nil {
			return err
		}

		data, err := r.Get(s.source.table, id)
		if err != nil || data == nil {
			return err
		}

		return fn(key, api.ID(id), data)
	})
}
