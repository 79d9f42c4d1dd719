package outbounds_test

import (
	"testing"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

const (
	firstPlate  = "340123450000000017"
	secondPlate = "340123450000000024"
)

// A plate is fulfilled in a request that names it, with all that is on it.
func TestFulfill_PlatesInThreeInputs(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	register := func(sscc string, lines ...api.PlateContent) {
		ledgertest.Do(f.World, api.RegisterPlate, api.RegisterPlateInput{SSCC: sscc, LocationID: f.Main.ID, Lines: lines})
	}
	register(firstPlate, api.PlateContent{ProductID: f.Oat.ID, LotCode: "L42-A", Quantity: 6}, api.PlateContent{ProductID: f.Soy.ID, Quantity: 4})
	register(secondPlate, api.PlateContent{ProductID: f.Soy.ID, Quantity: 4})
	d := f.open(f.Service, "fulfill/SO-7790")
	d.Scan("(00)"+firstPlate).Sees("2 lines").Scan("(00)"+secondPlate).Sees("enter fulfill 14").Key("enter", "enter")
	d.Sees("Fulfilled 14")
	require.Equal(t, []int64{6, 8}, f.fulfilled())
	for _, sscc := range []string{firstPlate, secondPlate} {
		p := ledgertest.Do(f.World, api.GetPlate, api.PlateInput{SSCC: sscc})
		left, _ := p.Left()
		require.Zero(t, left)
		require.Equal(t, api.OpOutboundFulfill, p.Operation)
	}

	d = f.open(f.Service, "fulfill/SO-7781").Scan("(00)" + firstPlate)
	viewtest.RequireErrors(t, d, "Nothing is left on pallet "+firstPlate+": order fulfilled, 2026-11-20.")
	register(secondPlate, api.PlateContent{ProductID: f.Phone.ID, Quantity: 1})
	viewtest.RequireErrors(t, d.Scan("(00)"+secondPlate), "Pallet "+secondPlate+" has PHONE-7, which is not on this list.")
}
