package journal

import (
	"time"

	"bincard/server/api"
)

// An Entry is one journal entry: the permanent row of one write, keyed by its
// sequence number. The response, the movements and replays are rendered from it.
type Entry struct {
	Seq         uint64
	At          time.Time
	Spec        string
	Key         string
	Fingerprint [16]byte
	Actor       api.Actor
	Operator    *api.Actor
	Source      string
	Origin
	// Previous is the hash of the entry before it, or zeros if there is none. It is nil in
	// entries of older versions, and in those of a replica, whose chain is the service's.
	Previous []byte

	Reason        string
	ReferenceType string
	ReferenceID   string
	UnitCode      string
	UnitQuantity  int64
	BaseUnitCode  string
	Metadata      api.Metadata

	// Balances are the balances that the response shows, after the write.
	Balances []BalanceAfter
	// Movements are in order.
	Movements []Movement
	// Serials are the touched serials, after the write.
	Serials []api.Serial
	// DocumentRef is the document row that was created or changed.
	DocumentRef DocumentRef
	// Document is the JSON of any other resource that was created or changed,
	// after the write, without embedded references.
	Document []byte

	Unknown []byte `stored:"-"` // the fields that a newer version added
}

// A BalanceAfter is a balance after a write.
type BalanceAfter struct {
	Balance api.ID
	Version int64
	Q       [8]int64
}

// A Movement is one movement of an entry.
type Movement struct {
	Op       api.MovementOperation
	Balance  int // index into Balances
	State    int // index into api.States
	Lot      api.ID
	Delta    int64
	Before   int64
	Serials  []int // indexes into Serials
	Metadata api.Metadata
}
