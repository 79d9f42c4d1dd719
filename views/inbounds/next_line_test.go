package inbounds_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// glasses adds a delivery PO-9 of coffee and of glasses, neither by lot.
func glasses(h *viewtest.Warehouse) (coffee, glass api.Inbound) {
	product := h.Product("GL-06", api.TrackNone)
	coffee = h.Inbound("PO-9", h.Coffee, 5, time.Hour)
	h.Clock.Advance(time.Millisecond)
	return coffee, h.Inbound("PO-9", product, 4, time.Hour)
}

// Keys that bounce, and corrections of the line before, count nothing on the line that the
// program went to.
func TestDelivery_CountsNothingOnALineThatWasNotChosen(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]string{
		"all twice":       {"+"},
		"all, held down":  {"+", "+", "+", "+", "+", "+", "+", "+", "+", "+"},
		"a number":        {"3", "enter"},
		"a long number":   {"0", "0", "0", "0", "0", "3", "enter"},
		"close short":     {"f5"},
		"close all short": {"f10"},
		"the lot":         {"f7"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := viewtest.NewWarehouse(t)
			coffee, glass := glasses(h)
			d := openAt(t, h, "PO-9").Scan("COF-500").Key("+").Sees("COF-500 is counted. Next: GL-06, 4 to go", "▸ GL-06")
			d.Key(keys...).Sees("! Ignored: GL-06 is next. Scan it, or wait a second", "enter receive 5", "Next: GL-06, 4 to go")
			d.Key("enter").Sees("Received 5 of COF-500: 1 line to go")
			require.Equal(t, []int64{5, 0}, received(h, coffee, glass))
		})
	}
}

// A number is of the line that was shown when typing began, however long ago that is.
func TestDelivery_NumberIsOfItsLine(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	glasses(h)
	d := openAt(t, h, "PO-9").Scan("COF-500").Type("3").Key("+").Advance(2*time.Second).Sees("▸ GL-06", "▸ 3")
	d.Key("enter").Sees("! Ignored: GL-06 is next. Scan it, or wait a second", "enter receive 5")

	h.Proxy.Down()
	d = openAt(t, h, "PO-9").Sees("enter to retry").Type("3").Sees("The document is not loaded")
	h.Proxy.Up()
	d.Key("enter").Sees("▸ COF-500", "▸ Scan a box or item").Lacks("▸ 3")
}

// The program goes back to the line that was chosen before a scan was refused.
func TestDelivery_GoesBackAfterARefusedScan(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	glasses(h)
	d := openAt(t, h, "PO-9").Scan("COF-500").Key("+").Scan("GL-06").Type("3").Sees("▸ GL-06", "▸ 3")
	d.Scan("COF-500").Sees("Too many: COF-500 has only").Key("enter").Sees("▸ COF-500", "▸ 3")
	d.Key("f4").Sees("How many of the 5 × COF-500 are damaged?").Advance(time.Second).Type("0").Key("enter").Sees("▸ GL-06")
	d.Key("enter").Sees("! Ignored: GL-06 is next. Scan it, or wait a second", "enter receive 6")
}

// The line that the program went to is counted at once when the operator chooses it.
func TestDelivery_CountsAChosenLineAtOnce(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	glasses(h)
	d := openAt(t, h, "PO-9")
	d.Scan("COF-500").Key("+").Scan("GL-06").Key("+").Sees("enter receive 9")
	d = openAt(t, h, "PO-9")
	d.Scan("COF-500").Key("+", "up", "down", "+").Sees("enter receive 9")
	d = openAt(t, h, "PO-9")
	d.Scan("COF-500").Key("+").Advance(time.Second).Key("+").Sees("enter receive 9")
	d = openAt(t, h, "PO-9")
	d.Scan("COF-500").Key("+", "ctrl+z", "+").Sees("enter receive 5").Advance(time.Second).Type("2").Key("enter").Sees("enter receive 7")
	d = openAt(t, h, "PO-9")
	d.Scan("COF-500").Key("+", "f4").Sees("How many of the 5 × COF-500 are damaged?") // it is of the completed line
	d = openAt(t, h, "PO-9")
	d.Scan("GL-06").Scan("COF-500").Key("+").Sees("▸ GL-06").Key("f4").Sees("How many of the 5 × COF-500 are damaged?")
}

// What is on the label of the location, or unknown, chooses no line.
func TestDelivery_OtherScansChooseNoLine(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	glasses(h)
	d := openAt(t, h, "PO-9").Scan("COF-500").Key("+").Scan("WH-1").Key("+").Sees("! Ignored: GL-06 is next", "enter receive 5")
	d.Scan("NO-SUCH").Key("enter", "+").Sees("! Ignored: GL-06 is next", "enter receive 5")
	d.Scan(tui.DoAll.Code()).Sees("! Ignored: GL-06 is next", "enter receive 5") // the barcode of +
}

// Another line is added above the one being counted: that one stays selected.
func TestDelivery_StaysOnItsLineWhenLinesAreAdded(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	glasses(h)
	d := openAt(t, h, "PO-9", viewtest.KeepDrafts(drafts.InMemory())).Scan("GL-06").Sees("▸ GL-06")
	h.Inbound("PO-9", h.Product("AAA-1", api.TrackNone), 7, -time.Hour)
	d.Advance(time.Minute).Sees("AAA-1", "▸ GL-06").Key("+").Sees("enter receive 4")
}
