package dock

import (
	"context"
	"fmt"
	"net/url"
	"slices"

	"bincard/server/api"
	"bincard/tui"
)

// A Target is where a scan leads: a route to open, or a place to stand at.
type Target struct {
	Label string
	Route string // empty for a place
	Place Place
}

// Resolve tells where a code that was scanned anywhere leads, most likely
// first; none is an error in words.
func (s *Site) Resolve(ctx context.Context, r Reading) ([]Target, error) {
	codes := r.Codes
	if r.Bare() {
		codes = nil
		for _, c := range []string{r.Serial, r.Lot} {
			if c != "" {
				codes = append(codes, c)
			}
		}
	}
	found, err := s.LookUp(ctx, codes...)
	switch {
	case Missing(err):
		found, err = s.search(ctx, codes)
	case err == nil && len(found) == 0 && r.Fault != "":
		return nil, misread(r).Err
	}
	if err != nil {
		return nil, err
	}
	var out []Target
	for _, m := range found {
		for _, t := range s.targets(m) {
			if !slices.ContainsFunc(out, func(x Target) bool { return x.Route == t.Route && x.Place == t.Place }) {
				out = append(out, t)
			}
		}
	}
	if len(out) == 0 {
		s.stray(r)
		return nil, fmt.Errorf(unknownHere, r.Name())
	}
	if !r.Bare() && r.Fault == "" {
		out = append(out, s.within(ctx, found, r.Lot, r.Serial)...)
	}
	return out, nil
}

// within leads to the lot and the piece that a label names beside the goods. A
// service that cannot tell them takes nothing away from what was found.
func (s *Site) within(ctx context.Context, found []api.Match, codes ...string) (out []Target) {
	for _, code := range codes {
		if code == "" {
			continue
		}
		matches, err := s.LookUp(ctx, code)
		if err != nil {
			return out
		}
		for _, m := range matches {
			same := func(f api.Match) bool { return f.Product != nil && m.Product != nil && f.Product.ID == m.Product.ID }
			if (m.Kind == api.KindLot || m.Kind == api.KindSerial) && slices.ContainsFunc(found, same) {
				out = append(out, s.targets(m)[0])
			}
		}
	}
	return out
}

// targets are where one match leads.
func (s *Site) targets(m api.Match) []Target {
	here := s.Place()
	switch {
	case m.Kind == api.KindInbound && m.Inbound != nil:
		return []Target{{Label: fmt.Sprintf(leadReceive, InboundName(m.Inbound)) + goodsOf(m.Inbound.Product), Route: tui.Path("receive", m.ID.String())}}
	case m.Kind == api.KindOutbound && m.Outbound != nil:
		return []Target{{Label: fmt.Sprintf(leadFulfill, OutboundName(m.Outbound)), Route: tui.Path("fulfill", m.ID.String())}}
	case m.Kind == api.KindTransfer && m.Transfer != nil:
		return transferTargets(m.Transfer, here)
	case m.Kind == api.KindLocation && m.Location != nil:
		p := placeOf(m.Location)
		return []Target{{Label: fmt.Sprintf(leadPlace, p.String()), Place: p}}
	case m.Kind == api.KindLot && m.Lot != nil:
		return append([]Target{{Label: fmt.Sprintf(leadTrace, m.Lot.LotCode), Route: tui.Path("trace", m.ID.String())}}, goodsTargets(m.Product, here)...)
	case m.Kind == api.KindSerial && m.Serial != nil:
		return append([]Target{{Label: fmt.Sprintf(leadPiece, m.Serial.SerialNumber), Route: tui.Path("serial", m.ID.String())}}, goodsTargets(m.Product, here)...)
	}
	return goodsTargets(m.Product, here)
}

// goodsTargets are those of a product, if there is one.
func goodsTargets(p *api.Product, here Place) []Target {
	if p == nil {
		return nil
	}
	return productTargets(p, here)
}

// productTargets are what can be done with goods, the look at their stock first.
func productTargets(p *api.Product, here Place) []Target {
	sku := p.SKU
	if !here.Chosen() {
		return []Target{{Label: fmt.Sprintf(leadStock, sku), Route: "stock?sku=" + url.QueryEscape(sku)}}
	}
	at := sku + "@" + here.Code
	out := []Target{
		{Label: fmt.Sprintf(leadStockAt, sku, here.Code), Route: tui.Path("explain", at)},
		{Label: fmt.Sprintf(leadAdjust, sku), Route: tui.Path("adjust", at)},
		{Label: fmt.Sprintf(leadMove, sku), Route: tui.Path("move", at)},
		{Label: fmt.Sprintf(leadReserve, sku), Route: "reservations/new?sku=" + url.QueryEscape(sku)},
		{Label: fmt.Sprintf(leadCount, sku), Route: tui.Path("count", here.Code) + "?sku=" + url.QueryEscape(sku)},
	}
	if len(p.Components) > 0 {
		out = append(out, Target{Label: fmt.Sprintf(leadKit, sku), Route: tui.Path("kit", at)})
	}
	return out
}

func goodsOf(ref *api.ProductRef) string {
	if ref == nil {
		return ""
	}
	return "  " + ref.SKU
}

// transferTargets are the ends of a transfer at which something can be done
// from here; both where one stands nowhere.
func transferTargets(t *api.Transfer, here Place) []Target {
	ship := Target{Label: fmt.Sprintf(leadShip, TransferName(t)) + goodsOf(t.Product), Route: tui.Path("ship", t.ID.String())}
	arrive := Target{Label: fmt.Sprintf(leadReceive, TransferName(t)) + goodsOf(t.Product), Route: tui.Path("arrive", t.ID.String())}
	switch {
	case here.ID == t.SourceLocationID:
		return []Target{ship}
	case here.ID == t.DestinationLocationID:
		return []Target{arrive}
	case t.PendingShipmentQuantity == 0:
		return []Target{arrive}
	case t.PendingReceiveQuantity == 0:
		return []Target{ship}
	}
	return []Target{ship, arrive}
}
