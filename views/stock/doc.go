// Package stock holds the screens that correct stock: adjusting a balance,
// moving stock between states, taking returns, counting a location, and assembling or
// disassembling kits.
//
// The screens for one balance share a balanceScreen. The screen of a count has parts: its
// lines (count_lines.go), the comparison with recorded stock (count_comparison.go), the plan
// of the writes that post the differences (count_plan.go), the queue that sends them
// (count_queue.go), and the view that shows it all (count_view.go).
package stock

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// Register adds the screens that correct stock.
func Register(r *tui.Registry, site *session.Site) {
	r.AddEntry(site.Entry("adjust", i18n.Text("Adjust stock"), Adjust(site), api.AdjustStock.Spec))
	r.AddEntry(site.Entry("adjust/{balance}", "", Adjust(site), api.AdjustStock.Spec))
	r.AddEntry(site.Entry("move", i18n.Text("Move between states"), Move(site), api.MoveStock.Spec))
	r.AddEntry(site.Entry("move/{balance}", "", Move(site), api.MoveStock.Spec))
	r.AddEntry(site.Entry("return", i18n.Text("Returns"), Return(site), api.ReturnStock.Spec))
	r.AddEntry(site.Entry("return/{balance}", "", Return(site), api.ReturnStock.Spec))
	r.AddEntry(site.Entry("kit", i18n.Text("Assemble or disassemble kits"), Kit(site), api.DisassembleStock.Spec))
	r.AddEntry(site.Entry("kit/{balance}", "", Kit(site), api.DisassembleStock.Spec))
	r.AddEntry(site.Entry("count", i18n.Text("Count a location"), Count(site), api.AdjustStock.Spec))
	r.AddEntry(site.Entry("count/{location}/several", "", CountSeveral(site), api.AdjustStock.Spec))
	r.AddEntry(site.Entry("count/{location}", "", Count(site), api.AdjustStock.Spec))
}
