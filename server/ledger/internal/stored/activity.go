package stored

import (
	"time"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store/wire"
)

// activityPeriod is how long movements count for the class of a product, in milliseconds.
const activityPeriod = 90 * 24 * int64(time.Hour/time.Millisecond)

// activity says when a balance was last counted and how often its stock has moved. It is
// derived from the journal, of which older versions kept no trace in the row.
type activity struct {
	Counted, CountedAt   int64 // the newest journal entry that counted the balance, and its time in milliseconds
	period, moves, older int64 // the period of the last movement, its entries that moved stock, and those of the one before
}

func (a *activity) fields(f *wire.Fields) {
	for i, p := range []*int64{&a.Counted, &a.CountedAt, &a.period, &a.moves, &a.older} {
		f.Int(i+1, p)
	}
}

// add adds a journal entry that moves the balance.
func (a *activity) add(e *journal.Entry, balance int) {
	moved := false
	for _, m := range e.Movements {
		switch {
		case m.Balance != balance:
		case m.Op == api.OpReconcile:
			a.Counted, a.CountedAt = int64(e.Seq), e.At.UnixMilli()
		case m.State == OnHand && m.Delta != 0:
			moved = true
		}
	}

	if moved {
		a.begin(e.At)
		a.moves++
	}
}

// begin begins the period of a time.
func (a *activity) begin(at time.Time) {
	period := at.UnixMilli() / activityPeriod
	switch period - a.period {
	case 0:
	case 1:
		a.moves, a.older = 0, a.moves
	default:
		a.moves, a.older = 0, 0
	}
	a.period = period
}

// Moves estimates how many journal entries moved stock in the period before now: those of
// this period, and a share of those of the one before.
func (a activity) Moves(now time.Time) int64 {
	a.begin(now)
	return a.moves + a.older*(activityPeriod-now.UnixMilli()%activityPeriod)/activityPeriod
}
