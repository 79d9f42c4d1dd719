package api

// State is one of the eight quantity states of a balance.
type State string

const (
	OnHand         State = "onHand"
	Available      State = "available"
	Reserved       State = "reserved"
	Committed      State = "committed"
	Incoming       State = "incoming"
	Damaged        State = "damaged"
	QualityControl State = "qualityControl"
	SafetyStock    State = "safetyStock"
)

// States are the eight states in display order. Ledgers store their positions in every
// movement, in three bits, so they never change.
var States = [8]State{OnHand, Available, Reserved, Committed, Incoming, Damaged, QualityControl, SafetyStock}

// Values lists the states.
func (State) Values() []string { return toStrings(States[:]) }

// Index returns the state's index in States, or -1.
func (s State) Index() int {
	for i, x := range States {
		if x == s {
			return i
		}
	}

	return -1
}

var stateTitles = [8]string{Text("on hand"), Text("available"), Text("reserved"), Text("committed"), Text("incoming"),
	Text("damaged"), Text("quality control"), Text("safety stock")}

// Title returns the display name of the state.
func (s State) Title() string {
	if i := s.Index(); i >= 0 {
		return stateTitles[i]
	}
	return string(s)
}

// Quantities are the eight quantities of a balance, in base units.
// onHand = available + reserved + committed + damaged + qualityControl + safetyStock;
// incoming is not included because it has not arrived.
type Quantities struct {
	OnHand         int64 `json:"onHand"`
	Available      int64 `json:"available"`
	Reserved       int64 `json:"reserved"`
	Committed      int64 `json:"committed"`
	Incoming       int64 `json:"incoming"`
	Damaged        int64 `json:"damaged"`
	QualityControl int64 `json:"qualityControl"`
	SafetyStock    int64 `json:"safetyStock"`
}

// Of returns the quantity in state s.
func (q *Quantities) Of(s State) int64 {
	if p := q.at(s); p != nil {
		return *p
	}
	return 0
}

// Add adds d to the quantity in state s.
func (q *Quantities) Add(s State, d int64) {
	if p := q.at(s); p != nil {
		*p += d
	}
}

// AddsUp reports whether onHand is the sum of the on-hand states.
func (q *Quantities) AddsUp() bool {
	return q.OnHand == q.Available+q.Reserved+q.Committed+q.Damaged+q.QualityControl+q.SafetyStock
}

func (q *Quantities) at(s State) *int64 {
	switch s {
	case OnHand:
		return &q.OnHand
	case Available:
		return &q.Available
	case Reserved:
		return &q.Reserved
	case Committed:
		return &q.Committed
	case Incoming:
		return &q.Incoming
	case Damaged:
		return &q.Damaged
	case QualityControl:
		return &q.QualityControl
	case SafetyStock:
		return &q.SafetyStock
	}

	return nil
}

// toStrings converts values of a string type to strings.
func toStrings[S ~string](list []S) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}
