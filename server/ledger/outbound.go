package ledger

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// An outbound is the stored form of api.Outbound, without the embedded references.
// Holds has the holds of each line.
type outbound struct {
	api.Outbound
	journal.Revision
	Holds [][]hold `json:"holds"`
}

// A hold is what a line holds of one lot, or of stock without a lot. Progress is
// stored by lot, so that stock leaves committed from the lot it was allocated from;
// the quantities of the line and the outbound are sums of it.
type hold struct {
	Lot       api.ID `json:"lot,omitzero"`
	Allocated int64  `json:"allocated"`
	Picked    int64  `json:"picked,omitzero"`
	Packed    int64  `json:"packed,omitzero"`
	Fulfilled int64  `json:"fulfilled,omitzero"`
	// Shipped is how much of Packed was shipped; it may be less than Fulfilled,
	// which does not require shipping. Sent are the shipped serials.
	Shipped int64    `json:"shipped,omitzero"`
	Sent    []api.ID `json:"sent,omitzero"`
}

var outbounds = &store.Table[outbound]{
	Name:  "outbounds",
	Key:   func(o *outbound) []byte { return o.ID[:] },
	Codec: journal.DocumentCodec[outbound, *outbound]{},
	Indexes: []store.Index[outbound]{
		{Name: "seq", Fixed: true, Keys: func(o *outbound) [][]byte { return [][]byte{journal.SeqKey(o.Seq)} }},
		{Name: "status", Keys: func(o *outbound) [][]byte { return [][]byte{journal.OutboundStatuses.Key(o.Status, o.Seq)} }},
		{Name: "product", Fixed: true, Keys: (*outbound).productKeys},
		{Name: "location", Fixed: true, Keys: func(o *outbound) [][]byte { return [][]byte{join(o.LocationID[:], journal.SeqKey(o.Seq))} }},
		{Name: "reference", Fixed: true, Keys: func(o *outbound) [][]byte { return referenceKeys(o.ReferenceID, o.ExternalOrderID) }},
	},
}

// productKeys returns an index key for each distinct product of the lines.
func (o *outbound) productKeys() (keys [][]byte) {
	seen := map[api.ID]bool{}
	for i := range o.Lines {
		if id := o.Lines[i].ProductID; !seen[id] {
			seen[id] = true
			keys = append(keys, join(id[:], journal.SeqKey(o.Seq)))
		}
	}
	return keys
}

func bindOutbounds(b map[string]binding) {
	writes(b, api.CreateOutbound, (*writeTx).createOutbound, showOutbound)
	writes(b, api.AllocateOutbound, (*writeTx).allocateOutbound, showOutbound)
	writes(b, api.PickOutbound, (*writeTx).pickOutbound, showOutbound)
	writes(b, api.PackOutbound, (*writeTx).packOutbound, showOutbound)
	writes(b, api.ShipOutbound, (*writeTx).shipOutbound, showOutbound)
	writes(b, api.FulfillOutbound, (*writeTx).fulfillOutbound, showOutbound)
	writes(b, api.CancelOutbound, (*writeTx).cancelOutbound, showOutbound)
	reads(b, api.GetOutbound, (*readTx).getOutbound)
	reads(b, api.ListOutbounds, (*readTx).listOutbounds)
}

// stockKey returns the stock key of a line.
func (o *outbound) stockKey(line int) stockKey {
	return stockKey{o.Lines[line].ProductID, o.LocationID, o.OwnerID, o.ChannelID}
}

// hold returns the hold of a line on a lot, adding it if needed.
func (o *outbound) hold(line int, lot api.ID) *hold {
	for i := range o.Holds[line] {
		if h := &o.Holds[line][i]; h.Lot == lot {
			return h
		}
	}
	o.Holds[line] = append(o.Holds[line], hold{Lot: lot})
	return &o.Holds[line][len(o.Holds[line])-1]
}

// updateTotals computes the quantities from the holds, and the status from the quantities.
func (o *outbound) updateTotals() {
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

// openOutbound reads the outbound of a write, which must be open, and checks its
// version.
func (c *writeTx) openOutbound(id api.ID) (*outbound, error) {
	doc, err := outbounds.Get(c.r, id[:])
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, notFound("outbound", "outboundId", id)
	}
	if err := c.checkVersion(doc.Version); err != nil {
		return nil, err
	}
	if !doc.Status.Open() {
		return nil, api.Fail(api.OutboundNotOpen, progressDetails(doc),
			"The outbound is %s (%d of %d fulfilled) and cannot change.",
			doc.Status, doc.FulfilledQuantity, doc.RequestedQuantity)
	}
	return doc, nil
}

// progressDetails returns the error details about the progress of an outbound.
func progressDetails(doc *outbound) api.Details {
	return api.Details{"status": doc.Status, "requested": doc.RequestedQuantity, "allocated": doc.AllocatedQuantity,
		"picked": doc.PickedQuantity, "packed": doc.PackedQuantity, "fulfilled": doc.FulfilledQuantity}
}

// saveOutbound stores the document, also in the journal entry.
func (c *writeTx) saveOutbound(doc *outbound) error {
	for i := range doc.Lines {
		list := doc.Lines[i].Serials
		for j := range list {
			s, err := c.serial(list[j].SerialID)
			if err != nil {
				return err
			}
			list[j].Serial = s.Serial
		}
	}
	doc.updateTotals()
	doc.Version++
	doc.UpdatedAt = c.now
	c.setReference(doc.ReferenceType, doc.ReferenceID, "outbound", doc.ID)
	return saveDocument(c, outbounds, journal.OutboundKind, doc.ID, doc)
}
