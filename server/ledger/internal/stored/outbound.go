package stored

import (
	"bytes"
	"cmp"
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// An Outbound is the stored form of api.Outbound, without the embedded references.
// Holds has the holds of each line.
type Outbound struct {
	api.Outbound
	journal.Revision
	Holds [][]Hold `json:"holds"`
}

// A Hold is what a line holds of one lot, or of stock without a lot. Progress is
// stored by lot, so that stock leaves committed from the lot it was allocated from;
// the quantities of the line and the outbound are sums of it.
type Hold struct {
	Lot       api.ID `json:"lot,omitzero"`
	Allocated int64  `json:"allocated"`
	Picked    int64  `json:"picked,omitzero"`
	Packed    int64  `json:"packed,omitzero"`
	Fulfilled int64  `json:"fulfilled,omitzero"`
	// Exchanged is how much of Allocated replaced other lots that the line was allocated, or,
	// negative, how much of this lot others replaced. A line's sum is 0.
	Exchanged int64 `json:"exchanged,omitzero"`
	// Shipped is how much of Packed was shipped; it may be less than Fulfilled,
	// which does not require shipping. Sent are the shipped serials.
	Shipped int64    `json:"shipped,omitzero"`
	Sent    []api.ID `json:"sent,omitzero"`
}

// Outbounds has all outbounds.
var Outbounds = store.NewTable(store.Table[Outbound]{
	Name:  "outbounds",
	Key:   func(o *Outbound) []byte { return o.ID[:] },
	Codec: journal.DocumentCodec[Outbound, *Outbound]{},
	Indexes: []store.Index[Outbound]{
		{Name: "seq", Fixed: true, Keys: func(o *Outbound) [][]byte { return [][]byte{journal.SeqKey(o.Seq)} }},
		{
			Name: "status",
			Keys: func(o *Outbound) [][]byte { return [][]byte{journal.OutboundStatuses.Key(o.Status, o.Seq)} },
		},
		{Name: "product", Fixed: true, Keys: (*Outbound).productKeys},
		{
			Name:  "location",
			Fixed: true,
			Keys:  func(o *Outbound) [][]byte { return [][]byte{Join(o.LocationID[:], journal.SeqKey(o.Seq))} },
		},
		{
			Name:  "reference",
			Fixed: true,
			Keys:  func(o *Outbound) [][]byte { return referenceKeys(o.ReferenceID, o.ExternalOrderID) },
		},
	},
})

// productKeys returns an index key for each distinct product of the lines.
func (o *Outbound) productKeys() (keys [][]byte) {
	seen := map[api.ID]bool{}
	for i := range o.Lines {
		if id := o.Lines[i].ProductID; !seen[id] {
			seen[id] = true
			keys = append(keys, Join(id[:], journal.SeqKey(o.Seq)))
		}
	}

	return keys
}

// mayWait reports whether an outbound with a status may wait for stock.
func mayWait(s api.OutboundStatus) bool {
	return s.Open() && s != api.OutboundAllocated && s != api.OutboundPicked && s != api.OutboundPacked
}

// waitsFor reports whether a line of a product, or of any, waits for stock.
func (o *Outbound) waitsFor(product api.ID) bool {
	return mayWait(o.Status) && slices.ContainsFunc(o.Lines, func(l api.OutboundLine) bool {
		return l.PendingAllocationQuantity > 0 && MatchesID(product, l.ProductID)
	})
}

// compareWaiting orders outbounds that wait for stock: by when they are to be shipped, then by
// reference, then by age.
func compareWaiting(a, b *Outbound) int {
	due := 0
	switch x, y := a.ExpectedShipAt, b.ExpectedShipAt; {
	case x != nil && y != nil:
		due = x.Compare(*y)
	case x != nil:
		due = -1
	case y != nil:
		due = 1
	}

	return cmp.Or(due, cmp.Compare(cmp.Or(a.References()...), cmp.Or(b.References()...)), cmp.Compare(a.Seq, b.Seq),
		bytes.Compare(a.ID[:], b.ID[:]))
}

// WaitingOutbounds returns the outbounds that wait for a product at a location, each of them any
// if it is zero, in the order in which they get stock.
func (tx *Tx) WaitingOutbounds(product, location api.ID) (list []*Outbound, err error) {
	var statuses [][]byte
	for _, s := range journal.OutboundStatuses {
		if mayWait(s) {
			statuses = append(statuses, journal.OutboundStatuses.Prefix(s))
		}
	}

	err = ScanKeys(tx.Reader, Outbounds, "status", statuses, func(o *Outbound) error {
		if MatchesID(location, o.LocationID) && o.waitsFor(product) {
			list = append(list, o)
		}
		return nil
	})
	slices.SortFunc(list, compareWaiting)

	return list, err
}

// StockKey returns the stock key of a line.
func (o *Outbound) StockKey(line int) StockKey {
	return StockKey{o.Lines[line].ProductID, o.LocationID, o.OwnerID, o.ChannelID}
}

// Hold returns the hold of a line on a lot, adding it if needed.
func (o *Outbound) Hold(line int, lot api.ID) *Hold {
	for i := range o.Holds[line] {
		if h := &o.Holds[line][i]; h.Lot == lot {
			return h
		}
	}

	o.Holds[line] = append(o.Holds[line], Hold{Lot: lot})
	return &o.Holds[line][len(o.Holds[line])-1]
}

// UpdateTotals computes the quantities from the holds, and the status from the quantities.
func (o *Outbound) UpdateTotals() {
	o.Progress = api.Progress{}
	for i := range o.Lines {
		p := api.Progress{RequestedQuantity: o.Lines[i].RequestedQuantity}
		for _, h := range o.Holds[i] {
			p.AllocatedQuantity += h.Allocated
			p.PickedQuantity += h.Picked
			p.PackedQuantity += h.Packed
			p.FulfilledQuantity += h.Fulfilled
		}

		p.UpdatePending()
		o.Lines[i].Progress = p
		o.Progress = o.Progress.Add(p)
	}

	if o.Status != api.OutboundCancelled {
		o.Status = o.Progress.Status()
	}
}
