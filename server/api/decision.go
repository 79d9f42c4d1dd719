package api

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

// WorkKeyInput identifies one operation by its idempotency key.
type WorkKeyInput struct {
	Key string `json:"key,omitzero" required:"true" text:"any" doc:"idempotency key of the operation"`
}

// DiscardWorkInput discards work.
type DiscardWorkInput struct {
	Key    string `json:"key,omitzero" required:"true" text:"any" doc:"idempotency key of the operation"`
	Reason string `json:"reason,omitzero" required:"true" text:"note" doc:"reason, stored with the operation"`
	// MayBeDone is needed for an operation that was sent without an answer.
	MayBeDone bool `json:"mayBeDone,omitzero" doc:"discard the operation although it was sent and may have been applied"`
}

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

// ImportWorkInput is a WorkFile to import.
type ImportWorkInput struct {
	Format       int64       `json:"format,omitzero" required:"true" doc:"version of the file format"`
	Service      string      `json:"service,omitzero" doc:"URL of the service the work is for"`
	Organization ID          `json:"organization,omitzero" required:"true" doc:"organization of the work"`
	Environment  Environment `json:"environment,omitzero" required:"true" doc:"environment of the work"`
	Items        []Metadata  `json:"items,omitzero" required:"true" maxItems:"100000" doc:"operations in the order they were done"`
}

// Imported is the result of importing a WorkFile.
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
