package testenv

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNext_FindsTheDate(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 9, 30, 0, 0, time.UTC)
	for date, want := range map[string]string{
		"+130": "2027-04-01T09:30", "02-29": "2028-02-29T09:30", "12-31T23:58": "2026-12-31T23:58", "12-31T23:59:55": "2026-12-31T23:59", "11-22T09:00": "2027-11-22T09:00",
	} {
		at, err := nextDate(date, now)
		require.NoError(t, err, date)
		require.Equal(t, want, at.Format("2006-01-02T15:04"), date)
	}
	for _, date := range []string{"+x", "02-30", "tomorrow"} {
		_, err := nextDate(date, now)
		require.Error(t, err, date)
	}
}
