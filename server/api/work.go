package api

import (
	"slices"
	"time"
)

// WorkState is the state of an operation done at a node.
type WorkState string

const (
	// WorkWaiting is pending: saved and not yet sent.
	WorkWaiting WorkState = "waiting"
	// WorkSent was sent and has no response yet; it may have been applied.
	WorkSent WorkState = "sent"
	// WorkRefused failed because the service rejected it.
	WorkRefused WorkState = "refused"
	// WorkHeld is quarantined: it may conflict and needs a decision before it is sent.
	WorkHeld WorkState = "held"
	// WorkDone is synced.
	WorkDone WorkState = "done"
	// WorkReplaced was replaced by another operation.
	WorkReplaced WorkState = "superseded"
	// WorkDiscarded was discarded by a person, with a reason.
	WorkDiscarded WorkState = "dropped"
)

// Values lists the states.
func (WorkState) Values() []string {
	return toStrings([]WorkState{WorkWaiting, WorkSent, WorkRefused, WorkHeld, WorkDone, WorkReplaced, WorkDiscarded})
}

// UndecidedStates are the states of work that needs a decision.
var UndecidedStates = []WorkState{WorkRefused, WorkHeld}

// NeedsDecision reports whether a person must decide about work in this state.
func (s WorkState) NeedsDecision() bool { return slices.Contains(UndecidedStates, s) }

// Unresolved reports whether work in this state is neither synced nor settled by a person.
func (s WorkState) Unresolved() bool {
	return s == WorkWaiting || s == WorkSent || s.NeedsDecision()
}

// WorkWait is why pending work is not sent now.
type WorkWait string

const (
	// WaitLink waits for a connection to the service.
	WaitLink WorkWait = "line"
	// WaitOrder waits for earlier work on the same stock.
	WaitOrder WorkWait = "order"
	// WaitOtherSite waits for another site to send its work again, which the
	// service lost when it went back to an earlier state.
	WaitOtherSite WorkWait = "site"
	// WaitDependency depends on failed or quarantined work.
	WaitDependency WorkWait = "need"
	// WaitQuota waits for the plan's quota.
	WaitQuota WorkWait = "quota"
	// WaitKey waits for a key that the service accepts.
	WaitKey WorkWait = "key"
)

// Work is one operation done at a node, and its state.
type Work struct {
	// Key is the idempotency key of the operation.
	Key string `json:"key"`
	// N is the number of the operation at the node, in the order they were done, from 1.
	N int64 `json:"n"`
	// Operation is the ID of the operation.
	Operation string `json:"operation"`
	// Target is the path that is sent, relative to the organization's.
	Target string `json:"target"`
	// Body is the body that is sent, with defaults filled in.
	Body  Metadata  `json:"body,omitzero"`
	State WorkState `json:"state"`
	// Wait is why pending work is not sent now; empty otherwise.
	Wait WorkWait `json:"wait,omitzero"`
	// At is when the operation was done.
	At time.Time `json:"at"`
	// Since is when the state last changed.
	Since time.Time `json:"since"`
	// Sent is when the operation was first sent.
	Sent *time.Time `json:"sent,omitzero"`
	// Operator is the person who did it.
	Operator string `json:"operator,omitzero"`
	// ApprovedBy is the supervisor who approved it, if one did.
	ApprovedBy string `json:"approvedBy,omitzero"`
	// Device is the label of the API key used.
	Device string `json:"device,omitzero"`
	// Refusal is why the service rejected the operation, why it is quarantined, or what it
	// waits for from another site.
	Refusal *WorkRefusal `json:"refusal,omitzero"`
	// Recorded is other work that the service recorded with the same key.
	Recorded *WorkRecord `json:"recorded,omitzero"`
	// NotRecorded is when the service was found not to have the operation although it was
	// sent: until it is sent again, it can be edited or discarded.
	NotRecorded *time.Time `json:"notRecorded,omitzero"`
	// Risk is why the local ledger rejects the operation. The service may reject it too.
	Risk *WorkRefusal `json:"risk,omitzero"`
	// Stock describes the item and quantities of the operation, as known at the node.
	Stock WorkStock `json:"goods"`
	// By is the person who resolved the operation.
	By string `json:"by,omitzero"`
	// Reason is why that person resolved it.
	Reason string `json:"reason,omitzero"`
	// Successor is the key of the operation that replaced this one.
	Successor string `json:"successor,omitzero"`
	// Replaces is the key of the operation that this one replaced.
	Replaces string `json:"replaces,omitzero"`
	// Needing are the keys of the operations that depend on this one.
	Needing []string `json:"needing"`
}

// A WorkRefusal is why an operation was rejected, or would be.
type WorkRefusal struct {
	Code    Code    `json:"code"`
	Message string  `json:"message"`
	Details Details `json:"details,omitzero"`
}

// A WorkRecord is work that the service recorded.
type WorkRecord struct {
	// Seq is the sequence number of the change.
	Seq int64 `json:"seq"`
	// Operation is the ID of the operation.
	Operation string `json:"operation"`
	// At is when the service recorded it.
	At time.Time `json:"at"`
	// OccurredAt is when the operation happened, if that is known and was not when it was recorded.
	OccurredAt time.Time `json:"occurredAt,omitzero"`
	// Operator is the person who did it.
	Operator string `json:"operator,omitzero"`
	// KeyLabel is the label of the API key that sent it.
	KeyLabel string `json:"keyLabel,omitzero"`
	// Device is the label of the device that did it.
	Device string `json:"device,omitzero"`
	// Client is the id of the node that sent it.
	Client ID `json:"client,omitzero"`
	// Stock are its movements.
	Stock []WorkRecordStock `json:"movements"`
}

// A WorkRecordStock is a movement of recorded work.
type WorkRecordStock struct {
	ProductID      ID     `json:"productId"`
	SKU            string `json:"sku,omitzero"`
	LocationID     ID     `json:"locationId"`
	Location       string `json:"location,omitzero"`
	InventoryState State  `json:"inventoryState"`
	Quantity       int64  `json:"quantity"`
}

// WorkStock describes the item and quantities of an operation. Fields that do not apply
// or that the node does not know are empty.
type WorkStock struct {
	ProductID  ID     `json:"productId,omitzero"`
	SKU        string `json:"sku,omitzero"`
	Product    string `json:"product,omitzero"`
	LocationID ID     `json:"locationId,omitzero"`
	Location   string `json:"location,omitzero"`
	// Kind is the type of the document.
	Kind DocumentKind `json:"kind,omitzero"`
	// Document is the id of the document.
	Document ID `json:"document,omitzero"`
	// Reference is the reference of the document.
	Reference string `json:"reference,omitzero"`
	// OwnerID is the owner of the balance; empty for the organization's default.
	OwnerID ID `json:"ownerId,omitzero"`
	// ChannelID is the channel of the balance; empty for the organization's default.
	ChannelID ID `json:"channelId,omitzero"`
	// Quantity is the quantity in base units, signed if it is a difference.
	Quantity *int64 `json:"quantity,omitzero"`
	Lot      string `json:"lot,omitzero"`
	// Serials are the serial numbers.
	Serials []string `json:"serials,omitzero"`
	// InAll is the total quantity of the document.
	InAll *int64 `json:"inAll,omitzero"`
	// OpenHere is the open quantity of the document at the node.
	OpenHere *int64 `json:"openHere,omitzero"`
	// OpenThere is the open quantity last read from the service.
	OpenThere *int64 `json:"openThere,omitzero"`
	// Here is the balance at the node.
	Here *Quantities `json:"here,omitzero"`
	// There is the balance last read from the service.
	There *Quantities `json:"there,omitzero"`
}

// ListWorkInput filters the offline work. Resolved work is stored for a week, and the
// last 2,000 operations longer.
type ListWorkInput struct {
	State    WorkState `json:"-" query:"state" doc:"only work in this state; default: all unresolved work"`
	Operator string    `json:"-" query:"operator" doc:"only work of this operator"`
	Device   string    `json:"-" query:"device" doc:"only work done with the API key of this label"`
	Key      string    `json:"-" query:"key" doc:"only the work with this idempotency key, in any state"`
	Limit    *int64    `json:"-" query:"limit" minimum:"1" maximum:"500" default:"100" doc:"page size"`
	Cursor   string    `json:"-" query:"cursor" doc:"the nextCursor of the previous page"`
}

// A WorkDecision is the input of a decision about one operation. A device that is bound to a
// location decides about its own work only.
type WorkDecision interface {
	// WorkKey returns the idempotency key of that operation.
	WorkKey() string
}

// WorkKeyInput identifies one operation by its idempotency key.
type WorkKeyInput struct {
	Key string `json:"key,omitzero" required:"true" text:"any" doc:"idempotency key of the operation"`
}

// WorkKey implements WorkDecision.
func (in *WorkKeyInput) WorkKey() string { return in.Key }

// DiscardWorkInput discards work.
type DiscardWorkInput struct {
	Key    string `json:"key,omitzero" required:"true" text:"any" doc:"idempotency key of the operation"`
	Reason string `json:"reason,omitzero" required:"true" text:"note" doc:"reason, stored with the operation"`
	// MayBeDone is needed for an operation that was sent without an answer.
	MayBeDone bool `json:"mayBeDone,omitzero" doc:"discard the operation although it was sent and may have been applied"`
}

// WorkKey implements WorkDecision.
func (in *DiscardWorkInput) WorkKey() string { return in.Key }

// ReplaceWorkInput replaces an operation that is not synced, either with the same
// operation and other values or with an adjustment that records what happened. The
// request's Idempotency-Key becomes the new operation's key.
type ReplaceWorkInput struct {
	Key       string   `json:"key,omitzero" required:"true" text:"any" doc:"idempotency key of the operation to replace"`
	Operation string   `json:"operation,omitzero" required:"true" text:"any" doc:"ID of the new operation, e.g. adjustStock"`
	Target    string   `json:"target,omitzero" required:"true" text:"any" doc:"path of the new operation, relative to the organization's"`
	Body      Metadata `json:"body,omitzero" whole:"true" doc:"body of the new operation"`
	Insist    bool     `json:"insist,omitzero" doc:"save the operation although the local ledger rejects it, because the stock has already moved"`
}

// WorkKey implements WorkDecision.
func (in *ReplaceWorkInput) WorkKey() string { return in.Key }

// WorkFile is exported work. The importing node sends it with the same
// idempotency keys, so it is safe to import it twice or to send it from both nodes.
type WorkFile struct {
	Format       int64       `json:"format"`
	Service      string      `json:"service"`
	Organization ID          `json:"organization"`
	Environment  Environment `json:"environment"`
	// Items are the operations in the order they were done.
	Items []Metadata `json:"items"`
}

// ImportWorkInput is exported work to import.
type ImportWorkInput struct {
	Format       int64       `json:"format,omitzero" required:"true" doc:"version of the file format"`
	Service      string      `json:"service,omitzero" doc:"URL of the service the work is for"`
	Organization ID          `json:"organization,omitzero" required:"true" doc:"organization of the work"`
	Environment  Environment `json:"environment,omitzero" required:"true" doc:"environment of the work"`
	Items        []Metadata  `json:"items,omitzero" required:"true" maxItems:"100000" doc:"operations in the order they were done"`
}

// Imported is the result of importing work.
type Imported struct {
	// Taken is the number of operations that were added.
	Taken int64 `json:"taken"`
	// Known is the number of operations that the node already had.
	Known int64 `json:"known"`
}

var (
	// ListWork returns the operations done at the node, oldest first.
	ListWork = nodeOperation[ListWorkInput, List[Work]](Spec{
		ID: "listWork", Method: "GET", Path: "/sync/work", Scope: InventoryRead,
		Summary: "List offline work"})
	// RetryWork retries failed or quarantined work without changes.
	RetryWork = nodeOperation[WorkKeyInput, Work](Spec{
		ID: "retryWork", Method: "POST", Path: "/sync/retry", Scope: InventoryWrite,
		Summary: "Retry failed or quarantined work"})
	// DiscardWork discards work, with a reason.
	DiscardWork = nodeOperation[DiscardWorkInput, Work](Spec{
		ID: "discardWork", Method: "POST", Path: "/sync/drop", Scope: InventoryWrite,
		Summary: "Discard work, with a reason"})
	// ReplaceWork replaces failed, quarantined or pending work with another
	// operation.
	ReplaceWork = nodeOperation[ReplaceWorkInput, Work](Spec{
		ID: "replaceWork", Method: "POST", Path: "/sync/replace", Scope: InventoryWrite,
		Summary: "Replace work that is not synced"})
	// ExportWork returns all work that is not synced, to be imported at another node.
	ExportWork = nodeOperation[SyncInput, WorkFile](Spec{
		ID: "exportWork", Method: "GET", Path: "/sync/export", Scope: InventoryRead,
		AllLocations: true,
		Summary:      "Export work that is not synced"})
	// ImportWork imports work exported from another node.
	ImportWork = nodeOperation[ImportWorkInput, Imported](Spec{
		ID: "importWork", Method: "POST", Path: "/sync/import", Scope: InventoryWrite,
		AllLocations: true,
		Summary:      "Import exported work"})
)
