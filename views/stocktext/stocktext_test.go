package stocktext_test

import (
	"testing"

	"bincard/server/api"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
	"bincard/views/stocktext"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestEquationLines_NamesEveryState(t *testing.T) {
	t.Parallel()
	six := api.Quantities{OnHand: 787, Available: 689, Committed: 72, Damaged: 6, QualityControl: 20, Incoming: 144}
	for _, c := range []struct {
		name     string
		language string
		q        api.Quantities
		want     []string
	}{
		{"one line", "en", api.Quantities{OnHand: 312, Available: 310, Damaged: 2}, []string{"on hand 312 = available 310 + damaged 2"}},
		{"nothing", "en", api.Quantities{}, []string{"on hand 0 = 0"}},
		{"two lines", "en", six, []string{"787 = available 689 + committed 72", "+ damaged 6 + quality 20    incoming 144"}},
		{"German", "de", six, []string{"787 = verfügbar 689 + zugesagt 72", "+ beschädigt 6 + Prüfung 20     erw. 144"}},
		{"does not add up", "en", api.Quantities{OnHand: 5, Available: 4}, []string{"on hand 5 ≠ available 4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, stocktext.EquationLines(tuitest.Language(t, c.language), widget.PlainTheme(), c.q, 40, true))
		})
	}
}

func TestDocumentRoute_Reservation(t *testing.T) {
	t.Parallel()
	id := uuid.NewString()
	require.Equal(t, "reservations/"+id, stocktext.DocumentRoute(api.OpCommit, "reservation", id))
	require.Equal(t, "reservations/web%2099812", stocktext.DocumentRoute(api.OpReserve, "web", "web 99812"))
	require.Empty(t, stocktext.DocumentRoute(api.OpAdjust, "", ""))
}
