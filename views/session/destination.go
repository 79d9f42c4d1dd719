package session

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/names"
)

// A Destination is where a scan leads: a route to open, or a location to switch to.
type Destination struct {
	Label    string
	Route    string // empty for a location
	Location Location
}

// onShelf returns the products on a shelf of the location.
func (s *Site) onShelf(ctx context.Context, shelf string) (found []api.Match) {
	if !s.Supports(api.SetShelves.Spec) || !s.Location().IsSet() {
		return nil
	}

	list, err := Call(ctx, s, api.ListProducts, api.ListProductsInput{Shelf: shelf, LocationID: s.Location().ID})
	if err != nil {
		return nil // the code is unknown then
	}
	for i := range list.Items {
		found = append(found, api.Match{Kind: api.KindProduct, ID: list.Items[i].ID, Product: &list.Items[i]})
	}

	return found
}

// Resolve returns where a scanned code leads, most likely first. It fails if the code
// is unknown.
func (s *Site) Resolve(ctx context.Context, r count.Label) ([]Destination, error) {
	if r.SSCC != "" {
		if out, err := palletDestinations(ctx, s, r); err != nil || len(out) > 0 {
			return out, err
		}
	}

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
		found, err = searchLists(ctx, s, codes)
	case err == nil && len(found) == 0 && r.Problem != "":
		return nil, s.T().NewError("Invalid label: %s. Scan it again.", s.T().Message(r.Problem))
	}

	if err != nil {
		return nil, err
	}

	if len(found) == 0 && !r.HasNoCode() {
		found = s.onShelf(ctx, codes[0])
	}

	out := s.Destinations(found)
	if len(out) == 0 {
		typed := count.ParseLabel(s.T(), scan.ParseTyped(r.Scan.Text, s.opts.Now()))
		if typed.SSCC != "" && r.SSCC == "" {
			return palletDestinations(ctx, s, typed)
		}

		noteUnknown(s, r)
		unknown := &UnknownItemError{Text: s.T().Get(
			"%s is unknown. Check the code, or press F2 to search by name.", r.Name())}
		if !r.HasNoCode() {
			unknown.Code = r.Codes[0]
		}

		return nil, unknown
	}

	if !r.HasNoCode() && r.Problem == "" {
		addLabel(ctx, s, out, found, r.Lot, r.Serial)
	}

	return out, nil
}

// Destinations returns where matches lead, each once. The lines of a delivery lead to one
// of them. A delivery elsewhere is left out if one with its reference is open here.
func (s *Site) Destinations(found []api.Match) (out []Destination) {
	type reference struct{ kind, text string }
	here, openHere, lines := s.Location().ID, map[reference]bool{}, map[deliveryKey]int{}
	for _, m := range found {
		line, ok := matchLine(m)
		if ok && isOpenMatch(m) && line.involves(here) && line.reference != "" {
			openHere[reference{line.key.kind, line.key.reference}] = true
		}
		if len(found) < fullLookup { // all lines are known
			lines[line.key]++
		}
	}

	for _, m := range firstLines(found) {
		line, ok := matchLine(m)
		if ok && !line.involves(here) && openHere[reference{line.key.kind, line.key.reference}] {
			continue
		}

		for _, t := range matchDestinations(s, m, lines[line.key]) {
			if !slices.ContainsFunc(out, func(x Destination) bool {
				return x.Route == t.Route && x.Location == t.Location
			}) {
				out = append(out, t)
			}
		}
	}

	return out
}

// addLabel adds the lot and the serial that a label names besides the item to the routes
// of the item. Lookup errors are ignored.
func addLabel(ctx context.Context, s *Site, out []Destination, found []api.Match, codes ...string) {
	for _, code := range codes {
		if code == "" {
			continue
		}

		matches, err := s.Lookup(ctx, code)
		if err != nil {
			return
		}

		for _, m := range matches {
			for _, f := range found {
				if f.Product == nil || m.Product == nil || f.Product.ID != m.Product.ID ||
					(m.Lot == nil && m.Serial == nil) {
					continue
				}
				for i := range out {
					if out[i].Route == itemRoute(s, f.Product, nil) {
						out[i].Route = itemRoute(s, m.Product, tracedQuery(m))
					}
				}
			}
		}
	}
}

// isOpenMatch reports whether a match is an open line of a delivery.
func isOpenMatch(m api.Match) bool {
	return m.Inbound != nil && m.Inbound.Status.Open() ||
		m.Transfer != nil && m.Transfer.Status == api.TransferInTransit
}

// matchDestinations returns where a match leads. lines is how many lines its delivery has, or 0
// if that is not known.
func matchDestinations(s *Site, m api.Match, lines int) []Destination {
	t := s.T()

	here := s.Location()
	switch {
	case m.Kind == api.KindInbound && m.Inbound != nil:
		label := t.GetC("Receive %s", "inbounds", names.Inbound(m.Inbound))
		label += refSKU(m.Inbound.Product) + moreLines(t, lines)
		if m.Inbound.LocationID != here.ID {
			label += "  " + LocationOf(m.Inbound.Location).Code
			if due := m.Inbound.Due(s.opts.Now().Location()); due != nil {
				label += "  " + t.Day(*due, s.opts.Now())
			}
		}

		return []Destination{{Label: label, Route: tui.Path("receive", m.ID.String())}}

	case m.Kind == api.KindOutbound && m.Outbound != nil:
		return []Destination{{
			Label: t.Get("Fulfill %s", names.Outbound(m.Outbound)),
			Route: tui.Path("fulfill", m.ID.String()),
		}}
	case m.Kind == api.KindTransfer && m.Transfer != nil:
		return transferDestinations(t, m.Transfer, here, moreLines(t, lines))
	case m.Kind == api.KindLocation && m.Location != nil:
		p := LocationOfPlace(m.Location)
		return []Destination{{Label: t.Get("Work at %s", p.String()), Location: p}}
	case m.Kind == api.KindLot && m.Lot != nil:
		return tracedDestination(s, t.Get("Lot %s", m.Lot.LotCode), tui.Path("trace", m.ID.String()), m)
	case m.Kind == api.KindSerial && m.Serial != nil:
		return tracedDestination(s, t.GetC("Serial %s", "destination", m.Serial.SerialNumber),
			tui.Path("serial", m.ID.String()), m)
	case m.Product != nil:
		return []Destination{{Label: itemLabel(m.Product), Route: itemRoute(s, m.Product, nil)}}
	}

	return nil
}

// tracedDestination returns where the match of a lot or serial leads: to its item, or to
// its trace if the item or the location is unknown.
func tracedDestination(s *Site, label, trace string, m api.Match) []Destination {
	if m.Product == nil || !s.Location().IsSet() {
		return []Destination{{Label: label, Route: trace}}
	}
	query := tracedQuery(m)
	query.Set("first", "trace")
	return []Destination{{Label: label + "  " + itemLabel(m.Product), Route: itemRoute(s, m.Product, query)}}
}

// tracedQuery returns the query that names a lot or serial to the screen of its item.
func tracedQuery(m api.Match) url.Values {
	if m.Lot != nil {
		return url.Values{"lot": {m.ID.String()}, "code": {m.Lot.LotCode}}
	}
	return url.Values{"serial": {m.ID.String()}, "code": {m.Serial.SerialNumber}}
}

// itemRoute returns the route of what can be done with an item here, or of its stock if
// no location is set.
func itemRoute(s *Site, p *api.Product, query url.Values) string {
	if !s.Location().IsSet() {
		return "stock?sku=" + url.QueryEscape(p.SKU)
	}
	route := tui.Path("item", p.SKU)
	if len(query) > 0 {
		route += "?" + query.Encode()
	}
	return route
}

func itemLabel(p *api.Product) string { return strings.TrimSpace(p.SKU + "  " + p.Name) }

func refSKU(ref *api.ProductRef) string {
	if ref == nil {
		return ""
	}
	return "  " + ref.SKU
}

// moreLines tells of the lines of a delivery besides its first one: " +2".
func moreLines(t *i18n.Translator, lines int) string {
	if lines < 2 {
		return ""
	}
	return " +" + t.Count(int64(lines-1))
}

// transferDestinations returns the jobs of a transfer that fit the operator's
// location: shipping at the source, receiving at the destination, elsewhere the jobs
// with a pending quantity. more tells of its other lines.
func transferDestinations(t *i18n.Translator, transfer *api.Transfer, here Location, more string) []Destination {
	way := names.LocationCode(transfer.SourceLocation) + " → " + names.LocationCode(transfer.DestinationLocation)
	lines := refSKU(transfer.Product) + more + "  " + way
	ship := Destination{
		Label: t.Get("Ship %s", names.Transfer(transfer)) + lines,
		Route: tui.Path("ship", transfer.ID.String()),
	}
	receive := Destination{
		Label: t.Get("Receive %s", names.Transfer(transfer)) + lines,
		Route: tui.Path("receive-transfer", transfer.ID.String()),
	}
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

// palletDestinations returns where the label of a pallet or box leads: to the open inbounds
// that announce it, or else, if the label names nothing else, to the received ones. It returns
// none for a label that also names a product, and that no open inbound announces.
func palletDestinations(ctx context.Context, s *Site, r count.Label) ([]Destination, error) {
	inbounds, more, err := s.Inbounds(ctx, Location{})
	if err != nil {
		return nil, err
	}

	open, onlyPallet := len(inbounds), r.HasNoCode() && r.Serial == "" && r.Lot == ""
	if onlyPallet && len(api.FindSSCC(inbounds, r.SSCC)) == 0 { // the screen of a received one says by whom
		received, _, err := inboundsIn(ctx, s, Location{}, api.InboundReceived)
		if err != nil {
			return nil, err
		}
		inbounds = received
	}

	var found []api.Match
	for _, i := range api.FindSSCC(inbounds, r.SSCC) {
		found = append(found, api.Match{Kind: api.KindInbound, ID: inbounds[i].ID, Inbound: &inbounds[i]})
	}

	switch {
	case len(found) > 0 || !onlyPallet:
		return s.Destinations(found), nil
	}

	plate, err := Call(ctx, s, api.GetPlate, api.PlateInput{SSCC: r.SSCC})
	switch {
	case err == nil:
		return nil, errors.New(count.PlateText(s.T(), &plate))
	case more:
		return nil, s.T().NewError(
			"Pallet %s was not found on the %s deliveries searched. Scan the delivery.", r.SSCC,
			s.T().Count(int64(open)))
	}

	return nil, s.T().NewError(
		"Pallet %s is not on any open delivery. Scan the delivery or the items on the pallet.", r.SSCC)
}
