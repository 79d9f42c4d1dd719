package outbounds

import (
	"context"
	"errors"
	"maps"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/session"

	"github.com/go-json-experiment/json"

	tea "github.com/charmbracelet/bubbletea"
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
	return s.env.Latest("lots", func(ctx context.Context) tea.Msg {
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
	for i, l := range lines(s.Doc) {
		if i < len(s.Panel.Lines) {
			s.Panel.Lines[i].LotHint = s.lotCodes(l)
		}
	}
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

// lotCodes returns the codes of the lots that a line holds.
func (s *screen) lotCodes(line api.OutboundLine) string {
	var codes []string
	for _, l := range s.lotsOn(line) {
		codes = append(codes, widget.Clean(l.LotCode))
	}
	return strings.Join(codes, ", ")
}

// lotsText describes the lots that a line holds: "packed L41-C × 4   allocated L42-A × 2".
func (s *screen) lotsText(line api.OutboundLine) string {
	t := s.T()

	var parts []string
	for _, l := range s.lotsOn(line) {
		packed, picked := max(0, l.PackedQuantity-l.FulfilledQuantity), max(0, l.PickedQuantity-l.FulfilledQuantity)
		for _, x := range []struct {
			n    int64
			word string
		}{{packed, t.GetC("packed", "status")}, {picked - packed, t.GetC("picked", "status")}, {l.AllocatedQuantity - l.FulfilledQuantity - picked, t.Get("allocated")}} {
			if x.n > 0 {
				parts = append(parts, x.word+" "+widget.Clean(l.LotCode)+" × "+t.Count(x.n))
			}
		}
	}
	return strings.Join(parts, "   ")
}

// lotRefusal says what lot a line is packed or picked from if another one was scanned, and
// offers to swap it.
func (s *screen) lotRefusal(err error) (text string, offers []tui.Action) {
	t := s.T()

	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.LotMismatch || e.Details["allocated"] == nil {
		return "", nil
	}
	var details struct {
		LineID    string `json:"lineId"`
		LotCode   string `json:"lotCode"`
		Available int64  `json:"available"`
		Requested int64  `json:"requested"`
		Allocated []struct {
			LotCode string `json:"lotCode"`
			Picked  int64  `json:"picked"`
			Packed  int64  `json:"packed"`
		} `json:"allocated"`
	}
	raw, err := json.Marshal(e.Details)
	if err != nil || json.Unmarshal(raw, &details) != nil {
		return "", nil
	}
	var packed, picked, allocated []string
	for _, l := range details.Allocated {
		switch code := widget.Clean(l.LotCode); {
		case l.Packed > 0:
			packed = append(packed, code)
		case l.Picked > 0:
			picked = append(picked, code)
		default:
			allocated = append(allocated, code)
		}
	}
	scanned := widget.Clean(details.LotCode)
	if details.Available < details.Requested {
		held := strings.Join(append(append(packed, picked...), allocated...), ", ")
		return t.Get("Lot %s has only %s available. The order is for lot %s: scan that one.", scanned, t.Count(details.Available), held), nil
	}
	switch {
	case len(packed) > 0:
		text = t.Get("Packed from lot %s, not %s. Press F8 to swap the lot.", strings.Join(packed, ", "), scanned)
	case len(picked) > 0:
		text = t.Get("Picked from lot %s, not %s. Press F8 to swap the lot.", strings.Join(picked, ", "), scanned)
	default:
		return "", nil
	}
	return text, []tui.Action{s.swapAction(details.LineID)}
}

// swapAction books the count again, with the scanned lot of a line in place of the
// picked one.
func (s *screen) swapAction(line string) tui.Action {
	t, action, swapped := s.T(), s.verb, s.swapped
	s.verb = fulfilling
	return tui.Action{ID: "fulfill.swap", Keys: []string{"f8"}, Label: t.Get("swap the lot"), Short: t.Get("swap"),
		Help: t.Get("Put the picked lot back and book the scanned one"), Run: func() tea.Cmd {
			s.swap = maps.Clone(swapped)
			s.swap[line] = true
			return s.bookAs(action)()
		}}
}
