package ledger

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/server/store"
)

// A documentTable is where documents of one kind are kept, and who may read them.
type documentTable struct {
	kind  api.DocumentKind
	table string
	scope api.Scope
	// encode is a row as JSON, and whether anything can still be done with it.
	encode func(rd *readTx, data []byte) (api.Metadata, bool, error)
}

// documentTables are all tables of documents.
var documentTables = []documentTable{
	{api.DocOwner, owners.Name, api.InventoryRead, rowJSON},
	{api.DocChannel, channels.Name, api.InventoryRead, rowJSON},
	{api.DocLocation, locations.Name, api.InventoryRead, rowJSON},
	{api.DocProduct, products.Name, api.InventoryRead, rowJSON},
	{api.DocLot, lots.Name, api.InventoryRead, rowJSON},
	{api.DocInbound, inbounds.Name, api.InventoryRead, inboundJSON},
	{api.DocOutbound, outbounds.Name, api.InventoryRead, outboundJSON},
	{api.DocTransfer, transfers.Name, api.TransfersRead, transferJSON},
	{api.DocReservation, reservations.Name, api.ReservationsRead, reservationJSON},
	{api.DocSerial, serials.Name, api.InventoryRead, serialJSON},
}

// rowJSON is a row that is JSON, of what has no end.
func rowJSON(_ *readTx, data []byte) (api.Metadata, bool, error) {
	return bytes.Clone(data), true, nil
}

func serialJSON(_ *readTx, data []byte) (api.Metadata, bool, error) {
	s := new(serial)
	if err := serials.Codec.Decode(data, s); err != nil {
		return nil, false, err
	}
	return bytes.Clone(data), s.Away || s.Status == api.InStock || s.Status == api.Picked || s.Status == api.Packed, nil
}

func inboundJSON(rd *readTx, data []byte) (api.Metadata, bool, error) {
	return documentJSON(inbounds, data, func(in *inbound) bool { rd.setInboundTenant(in); return in.Status.Open() })
}

func outboundJSON(rd *readTx, data []byte) (api.Metadata, bool, error) {
	return documentJSON(outbounds, data, func(o *outbound) bool { rd.setOutboundTenant(o); return o.Status.Open() })
}

func transferJSON(rd *readTx, data []byte) (api.Metadata, bool, error) {
	return documentJSON(transfers, data, func(t *transfer) bool { rd.setTransferTenant(t); return t.Status == api.TransferInTransit })
}

func reservationJSON(rd *readTx, data []byte) (api.Metadata, bool, error) {
	return documentJSON(reservations, data, func(r *reservation) bool {
		rd.setReservationTenant(r)
		_, holds := r.state()
		return holds
	})
}

// documentJSON is the row of a voucher as JSON; home adds what the row does not
// say, and tells whether it is open.
func documentJSON[T any](t *store.Table[T], data []byte, home func(*T) bool) (api.Metadata, bool, error) {
	doc := new(T)
	if err := t.Codec.Decode(data, doc); err != nil {
		return nil, false, err
	}
	open := home(doc)
	text, err := json.Marshal(doc, json.Deterministic(true))
	return text, open, err
}

// documentsOf are the documents that a record names, as they stand: the one it
// made or changed, the lots and pieces it moved.
func (rd *readTx) documentsOf(rec *entry) ([]api.Document, error) {
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
	ids := []api.ID{named.ID, rec.DocumentRef.ID}
	for i := range rec.Movements {
		ids = append(ids, rec.Movements[i].Lot)
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
func (rd *readTx) document(id api.ID) (*api.Document, error) {
	for _, m := range documentTables {
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
		text, _, err := m.encode(rd, data)
		return &api.Document{Kind: m.kind, ID: id, Data: text}, err
	}
	return nil, nil
}

// openPrefixes narrow a table to what can be open, where it has many rows that
// are not: the statuses that its index is walked by.
var openPrefixes = map[string][][]byte{
	inbounds.Name:     prefixes(inboundStatuses, api.InboundStatus.Open),
	outbounds.Name:    prefixes(outboundStatuses, api.OutboundStatus.Open),
	transfers.Name:    {transferStatuses.prefix(api.TransferInTransit)},
	reservations.Name: {reservationStatuses.prefix(api.ReservationPending), reservationStatuses.prefix(api.ReservationCommitted)},
}

func prefixes[S ~string](all enum[S], open func(S) bool) (list [][]byte) {
	for _, s := range all {
		if open(s) {
			list = append(list, all.prefix(s))
		}
	}
	return list
}

// A snapshotRange is a part of the snapshot: rows of one table, by the key or by a
// status of its index.
type snapshotRange struct {
	source documentTable
	table  string // to be walked
	prefix []byte
}

// snapshotRanges are the parts of the snapshot in their order; the balances follow.
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

// scan gives the rows of a stretch after a key to fn, with the key to go on from.
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
