package printing_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/tui/label/printing"
	"bincard/tui/scan"
)

func TestNext_CountsWithCheckDigit(t *testing.T) {
	t.Parallel()
	c := printing.PalletNumbers{Dir: t.TempDir(), Prefix: "0952100", Extension: 3}
	for _, want := range []string{"309521000000000002", "309521000000000019", "309521000000000026"} {
		got, err := c.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, got)
		s := scan.Parse("]C100"+got, time.Now())
		require.True(t, s.OK(), s.Problems())
		require.Equal(t, got, s.GS1.SSCC)
	}
	other := c
	other.Extension = 4
	got, err := other.Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, "4", got[:1], "each extension digit has its own numbers")
}

func TestNext_StaysInItsRange(t *testing.T) {
	t.Parallel()
	c := printing.PalletNumbers{Dir: t.TempDir(), Prefix: "095210012345", From: 500, To: 501}
	for _, want := range []string{"0500", "0501"} {
		got, err := c.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, got[13:17])
	}
	_, err := c.Next(t.Context())
	require.ErrorIs(t, err, printing.ErrNumbersExhausted)
	c.To = 0
	got, err := c.Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, "0502", got[13:17])
}

func TestNext_DamagedFileStopsIt(t *testing.T) {
	t.Parallel()
	c := printing.PalletNumbers{Dir: t.TempDir(), Prefix: "0952100"}
	require.NoError(t, os.WriteFile(filepath.Join(c.Dir, "sscc-0-0952100"), nil, 0o600))
	_, err := c.Next(t.Context())
	require.ErrorContains(t, err, "sscc-0-0952100 is damaged")
}

func TestPallets_RejectsWrongSettings(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]printing.PalletNumbers{
		`the company prefix "123" is not a number`: {Prefix: "123"},
		`the company prefix "12a4567"`:             {Prefix: "12a4567"},
		"the extension digit 10":                   {Prefix: "0952100", Extension: 10},
		"the SSCC numbers 7 to 5 are not a range":  {Prefix: "0952100", From: 7, To: 5},
		"within 0 to 9999, which fit":              {Prefix: "095210012345", From: 10000},
	} {
		require.ErrorContains(t, c.Check(), want)
	}
}
