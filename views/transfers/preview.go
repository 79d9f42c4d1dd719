package transfers

import (
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/session"
)

// preview describes a transfer at this end.
func (e *side) preview(t *i18n.Translator, d *delivery, now time.Time) listscreen.Preview {
	first := &d.Lines[0]
	out := listscreen.Preview{
		Title:   deliveryName(d),
		Numbers: []string{t.Get(e.totalWord), t.Get(e.doneWord), t.Get("to go")},
		Facts: []listscreen.PreviewFact{
			{Label: t.Get(e.directionWord), Text: session.LocationOf(e.otherLocation(first)).String()},
			{Label: t.Get("created"), Text: t.When(first.CreatedAt, now)},
			{Label: t.Get("status"), Text: previewStatus(t, d)}},
	}

	for i := range d.Lines {
		x := &d.Lines[i]
		out.Lines = append(out.Lines, listscreen.PreviewLine{
			ID:      x.ID,
			SKU:     sku(x),
			Name:    name(x),
			Numbers: []int64{e.totalOf(x), e.doneOf(x), e.openQuantity(x)},
		})

		for _, note := range listscreen.PreviewNotes(x.Metadata) {
			if !slices.Contains(out.Facts, note) {
				out.Facts = append(out.Facts, note)
			}
		}
	}

	return out
}

// previewStatus returns the status of a delivery. One that nothing was shipped of is not in
// transit yet.
func previewStatus(t *i18n.Translator, d *delivery) string {
	if !slices.ContainsFunc(d.Lines,
		func(x api.Transfer) bool { return x.Status != api.TransferInTransit || x.ShippedQuantity > 0 }) {
		return t.Get("not shipped")
	}
	return names.Status(t, d.Lines[0].Status)
}
