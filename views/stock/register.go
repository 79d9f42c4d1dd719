package stock

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/views/dock"
)

// Register adds the screens that put the books right.
func Register(r *tui.Registry, site *dock.Site) {
	add := func(pattern, label string, f tui.Factory, spec *api.Spec) {
		r.AddEntry(tui.Entry{Pattern: pattern, Label: label, Factory: f, Denied: func(tui.Env) string { return site.Denied(spec) }})
	}
	add("adjust", "Adjust stock", Adjust(site), api.AdjustStock.Spec)
	add("adjust/{balance}", "", Adjust(site), api.AdjustStock.Spec)
	add("move", "Move between states", Move(site), api.MoveStock.Spec)
	add("move/{balance}", "", Move(site), api.MoveStock.Spec)
	add("kit", "Take kits apart or put them together", Kit(site), api.DisassembleStock.Spec)
	add("kit/{balance}", "", Kit(site), api.DisassembleStock.Spec)
	add("count", "Count a place", Count(site), api.AdjustStock.Spec)
	add("count/{place}", "", Count(site), api.AdjustStock.Spec)
}
