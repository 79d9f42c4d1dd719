package api

import "time"

// SyncState tells how a node's way to the service is.
type SyncState string

const (
	// SyncOnline is answered.
	SyncOnline SyncState = "online"
	// SyncOffline is not reached.
	SyncOffline SyncState = "offline"
	// SyncQuota is reached, and takes nothing billable: the plan is used up.
	SyncQuota SyncState = "quota"
	// SyncBarred is reached, and does not take the key.
	SyncDenied SyncState = "barred"
)

// Values lists the states.
func (SyncState) Values() []string {
	return toStrings([]SyncState{SyncOnline, SyncOffline, SyncQuota, SyncDenied})
}

// SyncAlarm tells what a person must see to.
type SyncAlarm string

const (
	// AlarmLate is work that is not in the service after an hour with a
	// connection, or after a day without one.
	AlarmLate SyncAlarm = "late"
	// AlarmDecide is work that a person must decide about.
	AlarmDecision SyncAlarm = "decide"
	// AlarmKey is a key that the service does not take.
	AlarmKey SyncAlarm = "key"
	// AlarmDamage is kept work that could not be read from the disk.
	AlarmDamage SyncAlarm = "damage"
)

// Sync is how a node stands to the service that it stands for.
type Sync struct {
	// Service is the address of the service.
	Service string    `json:"service"`
	State   SyncState `json:"state"`
	// Since is when it came to that state, where that is known.
	Since *time.Time `json:"since,omitzero"`
	// Heard is when the service last answered, Next when it is next tried.
	Heard *time.Time `json:"heard,omitzero"`
	Next  *time.Time `json:"next,omitzero"`
	// Read is when what shows here was last known to be what the service has.
	Read *time.Time `json:"read,omitzero"`
	// Waiting is not in the service yet; Sent of it was sent and has no answer.
	Waiting int64 `json:"waiting"`
	Sent    int64 `json:"sent"`
	// Refused and Held are for a person to decide.
	Refused int64 `json:"refused"`
	Held    int64 `json:"held"`
	// Oldest is when the oldest of all these was done.
	Oldest *time.Time `json:"oldest,omitzero"`
	// Why is what the service says where it takes nothing.
	Why    *WorkRefusal `json:"why,omitzero"`
	Alarms []SyncAlarm  `json:"alarms"`
	// Troubles are what the alarms are about, in words, where there is more to say.
	Troubles []string `json:"troubles"`
}

// SyncInput asks nothing more.
type SyncInput struct{}

var (
	// GetSync tells how the node stands. No other operation of a node waits for
	// the service, and neither does this.
	GetSync = nodeOperation[SyncInput, Sync](Spec{
		ID: "getSync", Method: "GET", Path: "/sync", Scope: InventoryRead,
		Summary: "Tell how the node stands to its service"})
	// TrySync ends all pauses and tries the service at once.
	TrySync = nodeOperation[SyncInput, Sync](Spec{
		ID: "trySync", Method: "POST", Path: "/sync/try", Scope: InventoryRead,
		Summary: "Try the service at once"})
)

var nodeOperations []*Spec

// NodeOperations is the table of what a node can do besides: of what is kept
// there and is not in the service. No service performs them.
func NodeOperations() []*Spec { return nodeOperations }

func nodeOperation[I, O any](s Spec) Operation[I, O] {
	s.Extension = true
	op := newOperation[I, O](s)
	nodeOperations = append(nodeOperations, op.Spec)
	return op
}
