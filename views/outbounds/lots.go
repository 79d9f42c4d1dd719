package outbounds

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/session"
)

// lotsMsg carries the lots of a version of the order.
type lotsMsg struct {
	version int64
	lots    []api.OutboundLot
	err     error
}

// readLots reads the lots of the order, unless those of this version were read.
func (s *screen) readLots() tea.Cmd {
	if s.Doc == nil || s.lotsOf == s.Doc.Version || !s.site.Supports(api.ListOutboundLots.Spec) {
		return nil
	}

	s.lots, s.lotsOf = nil, s.Doc.Version
	id, version := s.Doc.ID, s.Doc.Version

	return s.Latest("lots", func(ctx context.Context) tea.Msg {
		list, err := session.Call(ctx, s.site, api.ListOutboundLots, api.OutboundInput{OutboundID: id})
		return lotsMsg{version, list.Items, err}
	})
}

// lotsRead shows the lots. Without them, the order can be fulfilled too.
func (s *screen) lotsRead(m lotsMsg) {
	if m.version != s.lotsOf || m.err != nil {
		return
	}

	s.lots = m.lots
	slices.SortStableFunc(s.lots, firstExpiryFirst)
	for i, l := range lines(s.Doc) {
		if i < len(s.Panel.Lines) {
			s.Panel.Lines[i].Stock.Held = s.heldStock(l).Held
		}
	}
}

// firstExpiryFirst orders lots by expiration date; those without one come last.
func firstExpiryFirst(a, b api.OutboundLot) int {
	switch {
	case a.ExpiresAt != nil && b.ExpiresAt != nil:
		return a.ExpiresAt.Compare(*b.ExpiresAt)
	case a.ExpiresAt != nil:
		return -1
	case b.ExpiresAt != nil:
		return 1
	}

	return 0
}

// lotsOn returns what a line holds of each lot, if it is known and not fulfilled.
func (s *screen) lotsOn(line api.OutboundLine) (out []api.OutboundLot) {
	for _, l := range s.lots {
		if l.LineID == line.ID && s.Doc.Version == s.lotsOf && l.AllocatedQuantity > l.FulfilledQuantity {
			out = append(out, l)
		}
	}

	return out
}

// heldStock returns the lots and the picked serials that a line holds.
func (s *screen) heldStock(line api.OutboundLine) (out count.PickStock) {
	out.Waiting, out.Packed = line.PendingAllocationQuantity, line.PackedQuantity > line.FulfilledQuantity
	for _, l := range s.lotsOn(line) {
		lot := count.PickLot{
			Code:     l.LotCode,
			Quantity: l.AllocatedQuantity - max(l.PickedQuantity, l.FulfilledQuantity),
		}
		if l.ExpiresAt != nil {
			lot.ExpiresAt = *l.ExpiresAt
		}
		out.Held = append(out.Held, lot)
	}

	for _, x := range line.Serials {
		if x.Serial.Status == api.Picked || x.Serial.Status == api.Packed {
			out.Picked = append(out.Picked, x.Serial.SerialNumber)
		}
	}

	return out
}

// lotsText describes the lots that a line holds, by how far they are: "packed L41-C × 4
// allocated L42-A × 2, L43-B × 6".
func (s *screen) lotsText(line api.OutboundLine) string {
	t := s.T
	stages := []struct {
		name string
		lots []string
	}{{name: t.GetC("packed", "status")}, {name: t.GetC("picked", "status")}, {name: t.Get("allocated")}}
	for _, l := range s.lotsOn(line) {
		packed, picked := max(0, l.PackedQuantity-l.FulfilledQuantity), max(0, l.PickedQuantity-l.FulfilledQuantity)
		for i, n := range []int64{packed, picked - packed, l.AllocatedQuantity - l.FulfilledQuantity - picked} {
			if n > 0 {
				stages[i].lots = append(stages[i].lots, widget.Clean(l.LotCode)+" × "+t.Count(n))
			}
		}
	}

	var parts []string
	for _, stage := range stages {
		if len(stage.lots) > 0 {
			parts = append(parts, stage.name+" "+strings.Join(stage.lots, ", "))
		}
	}

	return strings.Join(parts, "   ")
}

// sentText names the lots and serials of a line that left: "L42-A × 12", or "".
func (s *screen) sentText(line api.OutboundLine) string {
	var sent []string
	for _, l := range s.lots {
		if l.LineID == line.ID && s.Doc.Version == s.lotsOf && l.FulfilledQuantity > 0 && l.LotCode != "" {
			sent = append(sent, widget.Clean(l.LotCode)+" × "+s.T.Count(l.FulfilledQuantity))
		}
	}

	for _, x := range line.Serials {
		if x.Serial.Status == api.Consumed {
			sent = append(sent, widget.Clean(x.Serial.SerialNumber))
		}
	}

	return strings.Join(sent, ", ")
}

// wrapLots breaks a text of lotsText between lots.
func wrapLots(text string, width int) []string {
	const unbroken = "\u00a0×\u00a0"
	lines := widget.Wrap(strings.ReplaceAll(text, " × ", unbroken), width)
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], unbroken, " × ")
	}
	return lines
}
