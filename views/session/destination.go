package session

import (
	"context"
	"errors"
	"net/url"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/names"
)

// A Destination is where a scan leads: a route to open, or a location to switch to.
type Destination struct {
	Label    string
	Route    string // empty for a location
	Location Location
}

// Resolve returns where a scanned code leads, most likely first. It fails if the code
// is unknown.
func (s *Site) Resolve(ctx context.Context, r count.Label) ([]Destination, error) {
	codes := r.Codes
	if r.HasNoCode() {
		codes = nil
		for _, c := range []string{r.Serial, r.Lot} {
			if c != "" {
				codes = append(codes, c)
			}
		}
	}
	found, err := s.Lookup(ctx, codes...)
	switch {
	case IsUnsupported(err):
		found, err = s.searchLists(ctx, codes)
	case err == nil && len(found) == 0 && r.Problem != "":
		return nil, errors.New(s.T().Get("Invalid label: %s. Scan it again.", s.T().Message(r.Problem)))
	}
	if err != nil {
		return nil, err
	}
	out := s.Destinations(found)
	if len(out) == 0 {
		s.noteUnknown(r)
		unknown := &UnknownItemError{text: s.T().Get("%s is unknown. Check the code, or press F2 to search for a name.", r.Name())}
		if !r.HasNoCode() {
			unknown.Code = r.Codes[0]
		}
		return nil, unknown
	}
	if !r.HasNoCode() && r.Problem == "" {
		out = append(out, s.labelDestinations(ctx, found, r.Lot, r.Serial)...)
	}
	return out, nil
}

// Destinations returns where matches lead, each once. The lines of a delivery lead to one
// of them.
func (s *Site) Destinations(found []api.Match) (out []Destination) {
	for _, m := range firstLines(found) {
		for _, t := range s.matchDestinations(m) {
			if !slices.ContainsFunc(out, func(x Destination) bool { return x.Route == t.Route && x.Location == t.Location }) {
				out = append(out, t)
			}
		}
	}
	return out
}

// labelDestinations returns the destinations of the lot and the serial that a label
// names besides the item. Lookup errors are ignored.
func (s *Site) labelDestinations(ctx context.Context, found []api.Match, codes ...string) (out []Destination) {
	for _, code := range codes {
		if code == "" {
			continue
		}
		matches, err := s.Lookup(ctx, code)
		if err != nil {
			return out
		}
		for _, m := range matches {
			same := func(f api.Match) bool { return f.Product != nil && m.Product != nil && f.Product.ID == m.Product.ID }
			if (m.Kind == api.KindLot || m.Kind == api.KindSerial) && slices.ContainsFunc(found, same) {
				out = append(out, s.matchDestinations(m)[0])
			}
		}
	}
	return out
}

// matchDestinations returns where a match leads.
func (s *Site) matchDestinations(m api.Match) []Destination {
	t := s.T()

	here := s.Location()
	switch {
	case m.Kind == api.KindInbound && m.Inbound != nil:
		return []Destination{{Label: t.GetC("Receive %s", "inbounds", names.Inbound(m.Inbound)) + refSKU(m.Inbound.Product), Route: tui.Path("receive", m.ID.String())}}
	case m.Kind == api.KindOutbound && m.Outbound != nil:
		return []Destination{{Label: t.Get("Fulfill %s", names.Outbound(m.Outbound)), Route: tui.Path("fulfill", m.ID.String())}}
	case m.Kind == api.KindTransfer && m.Transfer != nil:
		return transferDestinations(t, m.Transfer, here)
	case m.Kind == api.KindLocation && m.Location != nil:
		p := LocationOfPlace(m.Location)
		return []Destination{{Label: t.Get("Work at %s", p.String()), Location: p}}
	case m.Kind == api.KindLot && m.Lot != nil:
		return append([]Destination{{Label: t.Get("Trace lot %s", m.Lot.LotCode), Route: tui.Path("trace", m.ID.String())}}, itemDestinations(t, m.Product, here)...)
	case m.Kind == api.KindSerial && m.Serial != nil:
		return append([]Destination{{Label: t.Get("History of serial %s", m.Serial.SerialNumber), Route: tui.Path("serial", m.ID.String())}}, itemDestinations(t, m.Product, here)...)
	}
	return itemDestinations(t, m.Product, here)
}

// itemDestinations returns the destinations of p, or nil if p is nil.
func itemDestinations(t *i18n.Translator, p *api.Product, here Location) []Destination {
	if p == nil {
		return nil
	}
	return productDestinations(t, p, here)
}

// productDestinations returns what can be done with a product, its stock first.
func productDestinations(t *i18n.Translator, p *api.Product, here Location) []Destination {
	sku := p.SKU
	if !here.IsSet() {
		return []Destination{{Label: t.Get("Stock of %s", sku), Route: "stock?sku=" + url.QueryEscape(sku)}}
	}
	at := sku + "@" + here.Code
	out := []Destination{
		{Label: t.Get("Stock of %s at %s", sku, here.Code), Route: tui.Path("explain", at)},
		{Label: t.Get("Adjust %s", sku), Route: tui.Path("adjust", at)},
		{Label: t.Get("Move %s between states", sku), Route: tui.Path("move", at)},
		{Label: t.Get("Reserve %s", sku), Route: "reservations/new?sku=" + url.QueryEscape(sku)},
		{Label: t.Get("Count %s here", sku), Route: tui.Path("count", here.Code) + "?sku=" + url.QueryEscape(sku)},
	}
	if len(p.Components) > 0 {
		out = append(out, Destination{Label: t.Get("Assemble or disassemble %s", sku), Route: tui.Path("kit", at)})
	}
	return out
}

func refSKU(ref *api.ProductRef) string {
	if ref == nil {
		return ""
	}
	return "  " + ref.SKU
}

// transferDestinations returns the jobs of a transfer that fit the operator's
// location: shipping at the source, receiving at the destination, elsewhere the jobs
// with a pending quantity.
func transferDestinations(t *i18n.Translator, transfer *api.Transfer, here Location) []Destination {
	ship := Destination{Label: t.Get("Ship %s", names.Transfer(transfer)) + refSKU(transfer.Product), Route: tui.Path("ship", transfer.ID.String())}
	receive := Destination{Label: t.Get("Receive %s", names.Transfer(transfer)) + refSKU(transfer.Product), Route: tui.Path("receive-transfer", transfer.ID.String())}
	switch {
	case here.ID == transfer.SourceLocationID:
		return []Destination{ship}
	case here.ID == transfer.DestinationLocationID:
		return []Destination{receive}
	case transfer.PendingShipmentQuantity == 0:
		return []Destination{receive}
	case transfer.PendingReceiveQuantity == 0:
		return []Destination{ship}
	}
	return []Destination{ship, receive}
}
