package stock

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/views/dock"
)

// Register adds the screens that correct stock.
func Register(r *tui.Registry, site *dock.Site) {
	r.AddEntry(site.Entry("adjust", saidAdjustStock, Adjust(site), api.AdjustStock.Spec))
	r.AddEntry(site.Entry("adjust/{balance}", "", Adjust(site), api.AdjustStock.Spec))
	r.AddEntry(site.Entry("move", saidMoveBetweenStates, Move(site), api.MoveStock.Spec))
	r.AddEntry(site.Entry("move/{balance}", "", Move(site), api.MoveStock.Spec))
	r.AddEntry(site.Entry("kit", saidTakeKitsApartOr, Kit(site), api.DisassembleStock.Spec))
	r.AddEntry(site.Entry("kit/{balance}", "", Kit(site), api.DisassembleStock.Spec))
	r.AddEntry(site.Entry("count", saidCountAPlace, Count(site), api.AdjustStock.Spec))
	r.AddEntry(site.Entry("count/{place}", "", Count(site), api.AdjustStock.Spec))
}
