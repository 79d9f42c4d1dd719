package api

import "time"

// SyncState is the state of a node's connection to the service.
type SyncState string

const (
	// SyncOnline means connected.
	SyncOnline SyncState = "online"
	// SyncOffline means the service cannot be reached.
	SyncOffline SyncState = "offline"
	// SyncQuota means the service rejects billable operations because the monthly quota is used up.
	SyncQuota SyncState = "quota"
	// SyncDenied means the service rejects the key.
	SyncDenied SyncState = "barred"
	// SyncForeign means something else answers for the service, such as a proxy or a network
	// sign-in.
	SyncForeign SyncState = "foreign"
)

// Values lists the states.
func (SyncState) Values() []string {
	return toStrings([]SyncState{SyncOnline, SyncOffline, SyncQuota, SyncDenied, SyncForeign})
}

// SyncAlarm is a condition that needs a person's attention.
type SyncAlarm string

const (
	// AlarmLate is work that is not synced after an hour online, or after a day
	// offline.
	AlarmLate SyncAlarm = "late"
	// AlarmDecision is work that needs a decision.
	AlarmDecision SyncAlarm = "decide"
	// AlarmKey is a key that the service rejects.
	AlarmKey SyncAlarm = "key"
	// AlarmDamage is saved work that cannot be read from disk. A person acknowledges it.
	AlarmDamage SyncAlarm = "damage"
	// AlarmCopy is a copy of the node's directory that is in use at the same time, so that
	// nothing is sent. A person acknowledges it or ends the other program.
	AlarmCopy SyncAlarm = "copy"
	// AlarmDisk is a disk that does not accept work.
	AlarmDisk SyncAlarm = "disk"
	// AlarmMirror is a second copy of the journal that cannot be written.
	AlarmMirror SyncAlarm = "mirror"
	// AlarmForeign is something else that answers for the service.
	AlarmForeign SyncAlarm = "foreign"
	// AlarmQuota is a monthly quota that is used up.
	AlarmQuota SyncAlarm = "quota"
	// AlarmStuck is work that repeatedly gets no answer although other requests do.
	AlarmStuck SyncAlarm = "stuck"
	// AlarmClock is a clock that is wrong by minutes.
	AlarmClock SyncAlarm = "clock"
)

// Values lists the alarms.
func (SyncAlarm) Values() []string {
	return toStrings([]SyncAlarm{
		AlarmDisk,
		AlarmDamage,
		AlarmCopy,
		AlarmMirror,
		AlarmKey,
		AlarmForeign,
		AlarmDecision,
		AlarmStuck,
		AlarmQuota,
		AlarmLate,
		AlarmClock,
	})
}

// Sync is the sync status of a node.
type Sync struct {
	// Service is the address of the service.
	Service string `json:"service"`
	// Locations are the codes of the locations that the node is limited to; all if it
	// has none.
	Locations []string  `json:"locations,omitzero"`
	State     SyncState `json:"state"`
	// Since is when the state began, if known.
	Since *time.Time `json:"since,omitzero"`
	// Heard is when the service last responded.
	Heard *time.Time `json:"heard,omitzero"`
	// Next is when the node tries to connect next.
	Next *time.Time `json:"next,omitzero"`
	// Read is when the node's data was last known to match the service.
	Read *time.Time `json:"read,omitzero"`
	// Waiting is the number of operations not yet synced, including those sent.
	Waiting int64 `json:"waiting"`
	// Sent is the number of operations that were sent and have no response yet.
	Sent int64 `json:"sent"`
	// Refused is the number of failed operations; they need a decision.
	Refused int64 `json:"refused"`
	// Held is the number of quarantined operations; they need a decision.
	Held int64 `json:"held"`
	// Oldest is when the oldest operation not yet synced was done.
	Oldest *time.Time `json:"oldest,omitzero"`
	// Stuck is the number of operations that repeatedly get no answer.
	Stuck int64 `json:"stuck,omitzero"`
	// Why is why the service rejects work, or what answers in its place.
	Why    *WorkRefusal `json:"why,omitzero"`
	Alarms []SyncAlarm  `json:"alarms"`
	// Troubles are descriptions of the alarms, for people to read.
	Troubles []string `json:"troubles"`
}

// ToDecide returns the number of operations that need a decision.
func (s *Sync) ToDecide() int64 { return s.Refused + s.Held }

// SyncInput has no parameters.
type SyncInput struct{}

var (
	// GetSync returns the sync status of the node without waiting for the service.
	GetSync = nodeOperation[SyncInput, Sync](Spec{
		ID: "getSync", Method: "GET", Path: "/sync", Scope: InventoryRead,
		Summary: "Get the sync status of the node"})
	// TrySync syncs immediately instead of waiting for the next attempt.
	TrySync = nodeOperation[SyncInput, Sync](Spec{
		ID: "trySync", Method: "POST", Path: "/sync/try", Scope: InventoryRead,
		Summary: "Sync now"})
	// AcknowledgeDamage ends the alarm about damaged work, which stays until then. It also
	// ends the alarm about a copy: the node gets another id.
	AcknowledgeDamage = nodeOperation[SyncInput, Sync](Spec{
		ID: "acknowledgeDamage", Method: "POST", Path: "/sync/acknowledge", Scope: InventoryWrite,
		AllLocations: true,
		Summary:      "Acknowledge damaged work or a copied directory"})
)

var nodeOperations []*Spec

// NodeOperations returns the operations that only nodes support: the sync status and
// the management of offline work.
func NodeOperations() []*Spec { return nodeOperations }

func nodeOperation[I, O any](s Spec) Operation[I, O] {
	s.Extension = true
	op := newOperation[I, O](s)
	nodeOperations = append(nodeOperations, op.Spec)
	return op
}
