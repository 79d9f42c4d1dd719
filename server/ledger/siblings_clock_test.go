package ledger_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
	"bincard/server/testenv"
)

// With clocks an hour apart, times in the journal never go back, a page continues exactly
// where the one before it ended, and past balances are those of their time.
func TestSiblings_ClocksApart(t *testing.T) {
	t.Parallel()
	a, b := siblings(t)
	b.Clock.Advance(time.Hour)
	both := []*ledgertest.World{a, b}
	product, at := a.Product("OAT-1L", api.TrackNone).ID, a.Location("WH-1").ID
	const writes = 24
	var pages [2][]api.ID
	cursors := [2]string{}
	then := map[time.Time]api.Balance{}
	for i := range writes {
		w := both[i%2]
		balance := w.Stock(product, at, 1)
		then[balance.UpdatedAt] = balance
		a.Clock.Advance(time.Second)
		b.Clock.Advance(time.Second)
		if i < writes/2 {
			continue
		}
		for n := range pages { // the other one reads on, while writes go on
			page := ledgertest.Do(both[(i+n)%2], api.ReportMovements, api.ReportMovementsInput{Limit: new(int64(2)), Cursor: cursors[n]})
			for _, m := range page.Items {
				pages[n] = append(pages[n], m.ID)
			}
			if page.NextCursor != nil {
				cursors[n] = *page.NextCursor
			}
		}
	}
	all := ledgertest.Do(a, api.ReportMovements, api.ReportMovementsInput{Limit: new(int64(500))}).Items
	require.Len(t, all, 2*writes)
	for i := range all[1:] {
		require.False(t, all[i+1].CreatedAt.After(all[i].CreatedAt), "newest first")
	}
	for n := range pages {
		require.Len(t, pages[n], writes)
		from := 2*writes - 2*(writes/2+1) // the newest when the first page was read
		for i, id := range pages[n] {
			require.Equal(t, all[from+i].ID, id, "no gap and no repeat")
		}
	}
	for instant, balance := range then {
		for _, w := range both {
			rows := ledgertest.Do(w, api.ReportSnapshot, api.ReportSnapshotInput{AsOf: &instant}).Items
			require.Len(t, rows, 1)
			require.Equal(t, balance.Quantities, rows[0].Quantities, "as of %s", instant)
		}
	}
	last, after := time.Time{}, int64(0)
	for _, c := range ledgertest.Do(a, api.ListChanges, api.ListChangesInput{After: &after, Limit: new(int64(100))}).Items {
		require.False(t, c.CreatedAt.Before(last), "entry %d", c.Seq)
		require.Equal(t, after+1, c.Seq)
		last, after = c.CreatedAt, c.Seq
	}
}

// A process says once that its clock is wrong, and when it is right again.
func TestSiblings_WrongClockIsLogged(t *testing.T) {
	t.Parallel()
	_, b := siblings(t)
	var log testenv.Output
	b.Clock.Set(time.Now())
	b.Ledger = ledger.New(b.Store, ledger.Options{Now: b.Clock.Now, Log: slog.New(slog.NewTextHandler(&log, nil))})
	b.Service = b.As(api.Live)
	read := func() { ledgertest.Do(b, api.ListBalances, api.ListBalancesInput{}) }
	read()
	require.Empty(t, log.Take())
	offset, known := b.Ledger.ClockOffset()
	require.True(t, known)
	require.Less(t, offset.Abs(), time.Minute)
	b.Clock.Advance(time.Hour)
	read()
	text := log.Take()
	require.Contains(t, text, "the clock differs from the database's; set it by a time service")
	require.Regexp(t, `level=WARN .* ahead=(1h0m|59m5)`, text)
	read()
	require.Empty(t, log.Take())
	b.Clock.Advance(-2 * time.Hour)
	read()
	require.Empty(t, log.Take())
	b.Clock.Set(time.Now())
	read()
	require.Contains(t, log.Take(), "the clock agrees with the database's again")
}
