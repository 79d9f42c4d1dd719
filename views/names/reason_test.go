package names_test

import (
	"testing"
	"time"

	"bincard/tui/tuitest"
	"bincard/views/names"

	"github.com/stretchr/testify/require"
)

func TestReason_IsRecordedInEnglishAndShownInTheLanguage(t *testing.T) {
	t.Parallel()
	german := tuitest.Language(t, "de")
	for recorded, shown := range map[string]string{
		"":                                "",
		"broken":                          "zerbrochen",
		"undo: broken":                    "rückgängig: zerbrochen",
		"damaged on receipt":              "bei Eingang beschädigt",
		"over-receipt on PO-1: for free":  "Mehrmenge zu PO-1: for free",
		"counted at SO-1":                 "gezählt bei SO-1",
		"counted: the shelf was moved":    "gezählt: the shelf was moved",
		"bent: broken":                    "bent: broken",
		"Lot":                             "Lot",
		"Opening stock":                   "Anfangsbestand",
		"the customer: found at the gate": "the customer: found at the gate",
	} {
		require.Equal(t, shown, names.Reason(german, recorded))
		require.Equal(t, recorded, names.Reason(nil, recorded))
	}
	for _, list := range []names.Question{names.AdjustmentReasons, names.RemovalReasons, names.AdditionReasons, names.DamageReasons, names.ReleaseReasons,
		names.HoldReasons, names.AssemblyReasons, names.DisassemblyReasons, names.DamageCauses, names.UnlinkReasons} {
		for i, shown := range list.Answers(german, nil) {
			require.Equal(t, list.Answers(nil, nil)[i], names.RecordedReason(german, nil, shown))
		}
	}
	at := time.Date(2026, 3, 31, 14, 0, 0, 0, time.UTC)
	require.Equal(t, "abgelaufen am "+at.Local().Format("02.01.2006 15:04"), names.Reason(german, "expired at "+at.Format(time.RFC3339)))
	require.Equal(t, "expired at "+at.Local().Format("2006-01-02 15:04"), names.Reason(nil, "expired at "+at.Format(time.RFC3339)))
	require.Equal(t, "verbogen", names.RecordedReason(german, nil, "verbogen"))
}
