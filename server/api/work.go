package api

import "time"

// WorkState tells where an operation is that was done at a node.
type WorkState string

const (
	// WorkWaiting is kept and not sent.
	WorkWaiting WorkState = "waiting"
	// WorkSent was sent and has no answer: it may have been carried out.
	WorkSent WorkState = "sent"
	// WorkRefused is turned down by the service.
	WorkRefused WorkState = "refused"
	// WorkHeld looks like a conflict and is not sent before a person has decided.
	WorkHeld WorkState = "held"
	// WorkDone is in the service.
	WorkDone WorkState = "done"
	// WorkReplaced has another one in its place.
	WorkReplaced WorkState = "superseded"
	// WorkDropped was given up by a person, with a reason.
	WorkDiscarded WorkState = "dropped"
)

// Values lists the states.
func (WorkState) Values() []string {
	return toStrings([]WorkState{WorkWaiting, WorkSent, WorkRefused, WorkHeld, WorkDone, WorkReplaced, WorkDiscarded})
}

// WorkWait tells why work that waits is not sent now.
type WorkWait string

const (
	// WaitLine waits for the service to be reached.
	WaitLink WorkWait = "line"
	// WaitOrder waits for what was done before it with the same goods.
	WaitOrder WorkWait = "order"
	// WaitNeed waits for what refused or held work would have made.
	WaitDependency WorkWait = "need"
	// WaitQuota waits for the plan to have room.
	WaitQuota WorkWait = "quota"
	// WaitKey waits for a key that the service takes.
	WaitKey WorkWait = "key"
)

// Work is one operation that was done at a node, and what became of it.
type Work struct {
	// Key is its idempotency key.
	Key string `json:"key"`
	// N is its place in the order in which things were done at the node, from 1.
	N int64 `json:"n"`
	// Operation is the ID of its Spec; Target is the path, Body the JSON that
	// is sent, with all that was left open pinned down.
	Operation string    `json:"operation"`
	Target    string    `json:"target"`
	Body      Metadata  `json:"body,omitzero"`
	State     WorkState `json:"state"`
	// Wait is why it is not sent now; empty where it is, or is not waiting.
	Wait WorkWait `json:"wait,omitzero"`
	// At is when it was done, Since when it came to its state.
	At    time.Time `json:"at"`
	Since time.Time `json:"since"`
	// Sent is when it was first sent.
	Sent *time.Time `json:"sent,omitzero"`
	// Operator is who did it, Device the label of the key by which it came.
	Operator string `json:"operator,omitzero"`
	Device   string `json:"device,omitzero"`
	// Refusal is the service's, or why it is held. Risk is what the ledger here
	// says against it: the service may refuse it.
	Refusal *WorkRefusal `json:"refusal,omitzero"`
	Risk    *WorkRefusal `json:"risk,omitzero"`
	// Goods are what it is about, as it is known here.
	Goods WorkGoods `json:"goods"`
	// By, Reason and Successor are of the decision that settled it: who, why,
	// and the key of what took its place. Replaces is whose place it took.
	By        string `json:"by,omitzero"`
	Reason    string `json:"reason,omitzero"`
	Successor string `json:"successor,omitzero"`
	Replaces  string `json:"replaces,omitzero"`
	// Needing are the keys of work that needs what it would make.
	Needing []string `json:"needing"`
}

// A WorkRefusal is why an operation was, or would be, turned down.
type WorkRefusal struct {
	Code    Code    `json:"code"`
	Message string  `json:"message"`
	Details Details `json:"details,omitzero"`
}

// WorkGoods tell people what an operation is about. What it does not name, or
// the node does not know, is empty.
type WorkGoods struct {
	ProductID  ID     `json:"productId,omitzero"`
	SKU        string `json:"sku,omitzero"`
	Product    string `json:"product,omitzero"`
	LocationID ID     `json:"locationId,omitzero"`
	Location   string `json:"location,omitzero"`
	// Document is of the kind Kind; Reference is what people call it.
	Kind      DocumentKind `json:"kind,omitzero"`
	Document  ID           `json:"document,omitzero"`
	Reference string       `json:"reference,omitzero"`
	// Owner and Channel are whose balance it is; both are empty where the
	// organization's own are meant.
	OwnerID   ID `json:"ownerId,omitzero"`
	ChannelID ID `json:"channelId,omitzero"`
	// Quantity is in base units, with a sign where it is a difference; nil
	// where the operation has none.
	Quantity *int64 `json:"quantity,omitzero"`
	Lot      string `json:"lot,omitzero"`
	// Serials are the numbers of the pieces.
	Serials []string `json:"serials,omitzero"`
	// InAll is how much the document is about, OpenHere how much of it is still
	// to be done as it shows at the node, OpenThere as the service has it as far
	// as it was read.
	InAll     *int64 `json:"inAll,omitzero"`
	OpenHere  *int64 `json:"openHere,omitzero"`
	OpenThere *int64 `json:"openThere,omitzero"`
	// Here is the balance as it shows at the node, There as the service has it
	// as far as it was read.
	Here  *Quantities `json:"here,omitzero"`
	There *Quantities `json:"there,omitzero"`
}
