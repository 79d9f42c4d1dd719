package api

import "time"

// WorkState is the state of an operation done at a node.
type WorkState string

const (
	// WorkWaiting is pending: saved and not yet sent.
	WorkWaiting WorkState = "waiting"
	// WorkSent was sent without a response: it may have been applied.
	WorkSent WorkState = "sent"
	// WorkRefused failed: the service rejected it.
	WorkRefused WorkState = "refused"
	// WorkHeld is quarantined: it may conflict and needs a decision before it is sent.
	WorkHeld WorkState = "held"
	// WorkDone is synced.
	WorkDone WorkState = "done"
	// WorkReplaced was replaced by another operation.
	WorkReplaced WorkState = "superseded"
	// WorkDropped was discarded by a person, with a reason.
	WorkDiscarded WorkState = "dropped"
)

// Values lists the states.
func (WorkState) Values() []string {
	return toStrings([]WorkState{WorkWaiting, WorkSent, WorkRefused, WorkHeld, WorkDone, WorkReplaced, WorkDiscarded})
}

// WorkWait is why pending work is not sent now.
type WorkWait string

const (
	// WaitLine waits for a connection to the service.
	WaitLink WorkWait = "line"
	// WaitOrder waits for earlier work on the same stock.
	WaitOrder WorkWait = "order"
	// WaitNeed depends on failed or quarantined work.
	WaitDependency WorkWait = "need"
	// WaitQuota waits for the plan's quota.
	WaitQuota WorkWait = "quota"
	// WaitKey waits for a key that the service accepts.
	WaitKey WorkWait = "key"
)

// Work is one operation done at a node, and its state.
type Work struct {
	// Key is its idempotency key.
	Key string `json:"key"`
	// N is its number in the order the work was done at the node, from 1.
	N int64 `json:"n"`
	// Operation is the ID of its Spec; Target is the path and Body the JSON that is
	// sent, with defaults filled in.
	Operation string    `json:"operation"`
	Target    string    `json:"target"`
	Body      Metadata  `json:"body,omitzero"`
	State     WorkState `json:"state"`
	// Wait is why it is not sent now; empty if it is being sent or not pending.
	Wait WorkWait `json:"wait,omitzero"`
	// At is when it was done; Since is when its state last changed.
	At    time.Time `json:"at"`
	Since time.Time `json:"since"`
	// Sent is when it was first sent.
	Sent *time.Time `json:"sent,omitzero"`
	// Operator is who did it; Device is the label of the API key used.
	Operator string `json:"operator,omitzero"`
	Device   string `json:"device,omitzero"`
	// Refusal is why the service rejected it or why it is quarantined. Risk is why
	// the local ledger rejects it: the service may too.
	Refusal *WorkRefusal `json:"refusal,omitzero"`
	Risk    *WorkRefusal `json:"risk,omitzero"`
	// Goods are the item and quantities of the operation, as known at the node.
	Goods WorkGoods `json:"goods"`
	// By is who made the decision; Reason is why, and Successor is the key of the
	// replacement. Replaces is the key of the operation this one replaces.
	By        string `json:"by,omitzero"`
	Reason    string `json:"reason,omitzero"`
	Successor string `json:"successor,omitzero"`
	Replaces  string `json:"replaces,omitzero"`
	// Needing are the keys of the work that depends on it.
	Needing []string `json:"needing"`
}

// A WorkRefusal is why an operation was, or would be, rejected.
type WorkRefusal struct {
	Code    Code    `json:"code"`
	Message string  `json:"message"`
	Details Details `json:"details,omitzero"`
}

// WorkGoods is a description of an operation for people. Anything the operation
// does not name or the node does not know is empty.
type WorkGoods struct {
	ProductID  ID     `json:"productId,omitzero"`
	SKU        string `json:"sku,omitzero"`
	Product    string `json:"product,omitzero"`
	LocationID ID     `json:"locationId,omitzero"`
	Location   string `json:"location,omitzero"`
	// Kind is the type of the document; Document is its id and Reference its reference.
	Kind      DocumentKind `json:"kind,omitzero"`
	Document  ID           `json:"document,omitzero"`
	Reference string       `json:"reference,omitzero"`
	// OwnerID is the owner of the balance; empty for the organization's default.
	OwnerID ID `json:"ownerId,omitzero"`
	// ChannelID is the channel of the balance; empty for the organization's default.
	ChannelID ID `json:"channelId,omitzero"`
	// Quantity is in base units, signed if it is a difference; nil if the operation
	// has none.
	Quantity *int64 `json:"quantity,omitzero"`
	Lot      string `json:"lot,omitzero"`
	// Serials are the serial numbers.
	Serials []string `json:"serials,omitzero"`
	// InAll is the total quantity of the document. OpenHere is the open quantity at
	// the node; OpenThere is the open quantity last read from the service.
	InAll     *int64 `json:"inAll,omitzero"`
	OpenHere  *int64 `json:"openHere,omitzero"`
	OpenThere *int64 `json:"openThere,omitzero"`
	// Here is the balance at the node; There is the balance last read from the
	// service.
	Here  *Quantities `json:"here,omitzero"`
	There *Quantities `json:"there,omitzero"`
}
