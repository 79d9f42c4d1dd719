package stock_test

import (
	"testing"
	"time"

	"bincard/tui/drafts"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

func TestCountSeveral_CollectsProducts(t *testing.T) {
	t.Parallel()
	h, saved := fullWarehouse(t), drafts.InMemory()
	d := openAt(t, h, "count/WH-1", keepDrafts(saved))
	d.Key("f11").Sees("Count › several products at WH-1", "No product is in the list yet. Scan one.").Key("enter").Sees("No product is in the list yet.")
	d.Scan("COF-500").Sees("COF-500 added", "Coffee beans 500 g").Scan("COF-500").Sees("COF-500 is in the list already")
	d.Type("camera").Key("enter").Sees("CAM-1 added").Type("1 l").Key("enter").Sees("Which product?", "OAT-1L", "SOY-1L").Advance(time.Second).Key("down", "enter").Sees("SOY-1L added")
	d.Goldens("list")
	d.Scan("9521000000019")
	require.NotEmpty(t, d.Model.Fault())
	d = openAt(t, h, "count/WH-1/several", keepDrafts(saved)) // restarted
	d.Sees("COF-500", "CAM-1", "SOY-1L").Key("down", "down", "f8").Lacks("SOY-1L")
	d.Key("enter").Sees("2 products@WH-1", "0 of 2 counted").Lacks("SOY-1L")
	require.Equal(t, "count/WH-1?skus=CAM-1,COF-500", d.Model.Route())
	openAt(t, h, "count/WH-1/several", keepDrafts(saved)).Sees("No product is in the list yet.")
}

func TestCountSeveral_ServiceIsDown(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1/several")
	h.Proxy.Down()
	d.Scan("COF-500")
	viewtest.RequireErrors(t, d, "cannot be reached")
	h.Proxy.Up()
	d.Key("enter").Scan("COF-500").Sees("COF-500 added")
}
