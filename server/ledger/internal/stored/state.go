package stored

// The states, as indexes into api.States.
const (
	OnHand = iota
	Available
	Reserved
	Committed
	Incoming
	Damaged
	QualityControl
	SafetyStock
)
