package stored

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// A Serial is the stored form of api.Serial.
type Serial struct {
	api.Serial
	store.Unknown
	// State is the on-hand state it counts in: available (also for reserved and
	// committed), damaged, qualityControl or safetyStock.
	State int `json:"state"`
	// Away is set in transit; the serial is then not on hand anywhere.
	Away bool `json:"away,omitzero"`
	// Holder is the outbound or transfer that has picked, packed or shipped it.
	Holder   api.ID       `json:"holder,omitzero"`
	Metadata api.Metadata `json:"metadata,omitzero"`
	Seq      uint64       `json:"seq"`
}

// Serials has all serials.
var Serials = store.NewTable(store.Table[Serial]{
	Name:  "serials",
	Key:   func(s *Serial) []byte { return s.ID[:] },
	Codec: store.JSON[Serial](),
	Indexes: []store.Index[Serial]{
		{Name: "seq", Keys: func(s *Serial) [][]byte { return [][]byte{journal.SeqKey(s.Seq)} }},
		{
			Name: "product",
			Keys: func(s *Serial) [][]byte { return [][]byte{Join(s.ProductID[:], journal.SeqKey(s.Seq))} },
		},
		{Name: "number", Keys: func(s *Serial) [][]byte { return [][]byte{FoldName(s.SerialNumber)} }},
		{Name: "shelf", Keys: inStockKeys},
	},
})

// inStockKeys index the serials in stock by product and location, oldest first.
func inStockKeys(s *Serial) [][]byte {
	if s.Status != api.InStock {
		return nil
	}
	return [][]byte{Join(s.ProductID[:], s.LocationID[:], journal.SeqKey(s.Seq))}
}

// SerialID returns the id of a product's serial. Serial numbers are case-sensitive, and
// spelled as they are recorded.
func SerialID(p store.Partition, product api.ID, number string) api.ID {
	return journal.Derive(p, "serial", product[:], []byte(number))
}

// StockKey returns the balance that the serial is or was in.
func (s *Serial) StockKey() StockKey {
	return StockKey{s.ProductID, s.LocationID, s.OwnerID, s.ChannelID}
}

// OnHand reports whether the serial counts as on hand.
func (s *Serial) OnHand() bool {
	return !s.Away && (s.Status == api.InStock || s.Status == api.Picked || s.Status == api.Packed)
}

// Pickable reports whether the serial is in stock in a balance, and available.
func (s *Serial) Pickable(at StockKey) bool {
	return s.StockKey() == at && s.Status == api.InStock && s.State == Available && s.Holder == api.NoID
}
