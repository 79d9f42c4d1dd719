package api

// ListWorkInput says which work to list. What is not in the service yet comes
// by itself; what is settled is kept for a week.
type ListWorkInput struct {
	State    WorkState `json:"-" query:"state" doc:"only work in this state; without it, all that is not settled"`
	Operator string    `json:"-" query:"operator" doc:"only what this person did"`
	Device   string    `json:"-" query:"device" doc:"only what came by the key with this label"`
	Key      string    `json:"-" query:"key" doc:"only the work with this idempotency key, in whatever state"`
	Limit    *int64    `json:"-" query:"limit" minimum:"1" maximum:"500" default:"100" doc:"page size"`
	Cursor   string    `json:"-" query:"cursor" doc:"the cursor from the previous page"`
}

// WorkKeyInput names one piece of work.
type WorkKeyInput struct {
	Key string `json:"key,omitzero" required:"true" doc:"its idempotency key"`
}

// DropWorkInput gives work up.
type DropWorkInput struct {
	Key    string `json:"key,omitzero" required:"true" doc:"its idempotency key"`
	Reason string `json:"reason,omitzero" required:"true" doc:"why; it is kept with the work"`
}

// ReplaceWorkInput does another operation in the place of one that is not in
// the service: the same with other numbers, or an adjustment that records what
// happened. The request's own Idempotency-Key is the new operation's.
type ReplaceWorkInput struct {
	Key       string   `json:"key,omitzero" required:"true" doc:"the idempotency key of the work that is replaced"`
	Operation string   `json:"operation,omitzero" required:"true" doc:"the operation that takes its place, e.g. adjustStock"`
	Target    string   `json:"target,omitzero" required:"true" doc:"its path, relative to the organization's"`
	Body      Metadata `json:"body,omitzero" whole:"true" doc:"its body"`
	Insist    bool     `json:"insist,omitzero" doc:"keep it at risk, where the goods have moved already and the ledger here says that it will be refused"`
}

// WorkFile is work to be handed over. Whoever takes it in sends it with the
// same keys, so it may be taken in twice, and sent by both.
type WorkFile struct {
	Format       int64       `json:"format"`
	Service      string      `json:"service"`
	Organization ID          `json:"organization"`
	Environment  Environment `json:"environment"`
	// Items are operations as they were done, in order.
	Items []Metadata `json:"items"`
}

// ImportWorkInput is a WorkFile.
type ImportWorkInput struct {
	Format       int64       `json:"format,omitzero" required:"true" doc:"the form of the file"`
	Service      string      `json:"service,omitzero" doc:"the address of the service it was done for"`
	Organization ID          `json:"organization,omitzero" required:"true" doc:"whose work it is"`
	Environment  Environment `json:"environment,omitzero" required:"true" doc:"its environment"`
	Items        []Metadata  `json:"items,omitzero" required:"true" maxItems:"100000" doc:"operations as they were done, in order"`
}

// Imported tells what became of a WorkFile.
type Imported struct {
	// Taken waits here now; Known was here already.
	Taken int64 `json:"taken"`
	Known int64 `json:"known"`
}

var (
	// ListWork answers what was done at the node, in the order in which it was done.
	ListWork = nodeOperation[ListWorkInput, List[Work]](Spec{
		ID: "listWork", Method: "GET", Path: "/sync/work", Scope: InventoryRead,
		Summary: "List what was done here and is not in the service"})
	// RetryWork has refused or held work sent again, as it is.
	RetryWork = nodeOperation[WorkKeyInput, Work](Spec{
		ID: "retryWork", Method: "POST", Path: "/sync/retry", Scope: InventoryWrite,
		Summary: "Send refused or held work again"})
	// DropWork gives work up, with a reason.
	DropWork = nodeOperation[DropWorkInput, Work](Spec{
		ID: "dropWork", Method: "POST", Path: "/sync/drop", Scope: InventoryWrite,
		Summary: "Give work up, with a reason"})
	// ReplaceWork does another operation in the place of refused, held or
	// waiting work.
	ReplaceWork = nodeOperation[ReplaceWorkInput, Work](Spec{
		ID: "replaceWork", Method: "POST", Path: "/sync/replace", Scope: InventoryWrite,
		Summary: "Put other work in the place of work that is not in the service"})
	// ExportWork answers all that is not in the service, to be handed over.
	ExportWork = nodeOperation[SyncInput, WorkFile](Spec{
		ID: "exportWork", Method: "GET", Path: "/sync/export", Scope: InventoryRead,
		Summary: "Hand over what is not in the service"})
	// ImportWork takes in what was handed over.
	ImportWork = nodeOperation[ImportWorkInput, Imported](Spec{
		ID: "importWork", Method: "POST", Path: "/sync/import", Scope: InventoryWrite,
		Summary: "Take in work that was handed over"})
)
