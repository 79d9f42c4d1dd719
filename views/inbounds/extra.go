package inbounds

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/views/session"
)

// extraPage is how many receipts are searched for those that came over an inbound.
const extraPage = 500

// extraMsg carries how much came over each received inbound of a version of the delivery,
// and what was received of it.
type extraMsg struct {
	version string
	extra   map[api.ID]int64
	lots    map[api.ID]string
	err     error
}

// receivedVersion names the versions of the received inbounds, or "" if there are none.
func receivedVersion(d *delivery) (version string) {
	for i := range d.Lines {
		if in := &d.Lines[i]; in.Status == api.InboundReceived {
			version += fmt.Sprint(in.ID, in.Version, " ")
		}
	}

	return version
}

// readExtra reads how much came over the received inbounds, unless it did for this version.
// It is stock of its own, recorded after the inbound, with the inbound as its reference.
func (s *screen) readExtra() tea.Cmd {
	if s.Doc == nil || s.Panel.Busy() || s.Panel.HasSubmission() || s.site.Denied(api.ReportMovements.Spec) != "" {
		return nil
	}

	version := receivedVersion(s.Doc)
	if version == s.extraOf {
		return nil
	}

	s.extra, s.lots, s.extraOf = nil, nil, version
	lines := s.Doc.Lines

	return s.Latest("extra", func(ctx context.Context) tea.Msg {
		m := extraMsg{version: version, extra: map[api.ID]int64{}, lots: map[api.ID]string{}}
		for i := range lines {
			if in := &lines[i]; in.Status == api.InboundReceived && m.err == nil {
				if m.extra[in.ID], m.err = overInbound(ctx, s.site, in); m.err == nil {
					m.lots[in.ID], m.err = receivedLots(ctx, s.site, in)
				}
			}
		}

		return m
	})
}

// overInbound returns how much came over an inbound.
func overInbound(ctx context.Context, site *session.Site, in *api.Inbound) (n int64, err error) {
	limit := int64(extraPage)
	list, err := session.Call(
		ctx,
		site,
		api.ReportMovements,
		api.ReportMovementsInput{StockFilter: api.StockFilter{ProductID: in.ProductID, LocationID: in.LocationID},
			Operation: api.OpReceive, InventoryState: api.OnHand, CreatedFrom: &in.CreatedAt, Limit: &limit},
	)

	for _, m := range list.Items {
		if m.ReferenceID == in.ID.String() {
			n += m.Quantity
		}
	}

	return n, err
}

// receivedLots names the lots and serials of an inbound: "L42-A × 12".
func receivedLots(ctx context.Context, site *session.Site, in *api.Inbound) (string, error) {
	limit := int64(extraPage)
	list, err := session.Call(
		ctx,
		site,
		api.ReportMovements,
		api.ReportMovementsInput{StockFilter: api.StockFilter{ProductID: in.ProductID, LocationID: in.LocationID},
			Operation: api.OpInboundReceive, InventoryState: api.OnHand, CreatedFrom: &in.CreatedAt, Limit: &limit},
	)

	quantities := map[string]int64{}
	var lots, texts, serials []string
	for _, m := range slices.Backward(list.Items) {
		// Some services do not say which document was changed.
		unknown := m.DocumentID == api.NoID && (m.ReferenceID == in.ID.String() || m.ReferenceID == in.ReferenceID)
		if m.DocumentID != in.ID && !unknown {
			continue
		}

		serials = append(serials, m.SerialNumbers...)
		if m.LotCode != "" && quantities[m.LotCode] == 0 {
			lots = append(lots, m.LotCode)
		}

		quantities[m.LotCode] += m.Quantity
	}

	for _, lot := range lots {
		texts = append(texts, lot+" × "+site.T().Count(quantities[lot]))
	}

	return strings.Join(append(texts, serials...), ", "), err
}

// extraRead shows what came over. Without it, the rest is shown.
func (s *screen) extraRead(m extraMsg) {
	if m.version == s.extraOf && m.err == nil {
		s.extra, s.lots = m.extra, m.lots
	}
}
