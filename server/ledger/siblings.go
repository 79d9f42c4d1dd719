package ledger

import (
	"encoding/binary"
	"time"

	"bincard/server/store"
)

// Other processes may change the store, if it is a store.Shared. Then what the ledger has in
// memory is brought up to date before it is used: within a transaction by the store, which
// calls changed before, and elsewhere by store.Refresh.

// changed notes that another process has changed rows of a partition, or nil if they are not
// known.
func (l *Ledger) changed(p store.Partition, rows []store.Row) {
	for _, of := range l.accounts.Changed(p, rows) {
		l.feed.Notify(of) // waits end when their key is revoked
	}
	if p != (store.Partition{}) {
		l.reservationsChanged(p, rows)
	}
	l.feed.Changed(p, rows)
}

// ClockOffset returns how far the ledger's clock is ahead of the database's, if it is known.
func (l *Ledger) ClockOffset() (ahead time.Duration, known bool) {
	if l.shared == nil {
		return 0, false
	}
	now, known := l.shared.Clock()
	return l.now().Sub(now), known
}

// maxClockOffset is the most that the ledger's clock may differ from the database's. Beyond
// it reservations and keys expire at the wrong time.
const maxClockOffset = 5 * time.Second

// checkClock logs once that the clock is wrong, and once that it is right again.
func (l *Ledger) checkClock() {
	ahead, known := l.ClockOffset()
	wrong := ahead.Abs() > maxClockOffset
	if !known || wrong == l.clockWrong.Load() || !l.clockWrong.CompareAndSwap(!wrong, wrong) {
		return
	}

	if wrong {
		l.log.Warn("the clock differs from the database's; set it by a time service", "ahead",
			ahead.Round(time.Millisecond))
	} else {
		l.log.Info("the clock agrees with the database's again")
	}
}

// reservationsChanged notes when reservations of another process are due.
func (l *Ledger) reservationsChanged(p store.Partition, rows []store.Row) {
	if rows == nil {
		l.expiry.Reload(p)
	}
	for _, row := range rows {
		if row.Table == DueTable && row.Value != nil && len(row.Key) > 8 {
			l.expiry.Add(p, time.UnixMilli(int64(binary.BigEndian.Uint64(row.Key))))
		}
	}
}
