package labels

import (
	"context"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/label"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/session"
)

// serial returns the label of a serial number, which is in Subject or on the scanned label
// of a product there.
func (r *Request) serial(ctx context.Context, site *session.Site) (none label.Label, err error) {
	t := site.T()
	scanned := count.ParseLabel(t, scan.Parse(r.Subject, r.Now))
	serial, product := r.Subject, r.SKU
	if scanned.Serial != "" {
		serial = scanned.Serial
		if !scanned.HasNoCode() && product == "" {
			product = r.Subject
		}
	}

	if product == "" {
		return r.knownSerial(ctx, site, serial)
	}

	item, err := r.item(ctx, site, product)
	if err != nil {
		return none, err
	}

	if !r.New {
		found, err := session.Call(
			ctx,
			site,
			api.ListSerials,
			api.ListSerialsInput{ProductID: item.ID, SerialNumber: serial},
		)

		switch {
		case session.IsUnsupported(err):
		case err != nil:
			return none, err
		case len(found.Items) == 0:
			return none, &UnknownError{
				t.Get(
					"%s has no serial number %s. Check it, or print it as a new one.",
					item.SKU,
					serial,
				),
			}

		default:
			serial = found.Items[0].SerialNumber
		}
	}

	if err := r.lot(ctx, site, item); err != nil {
		return none, err
	}

	return OfSerial(*item, serial, r.Lot, r.Expires, r.Now), nil
}

// knownSerial returns the label of a serial number of any product.
func (r *Request) knownSerial(ctx context.Context, site *session.Site, serial string) (none label.Label, err error) {
	t := site.T()
	matches, err := site.Lookup(ctx, serial)
	if err != nil {
		return none, err
	}

	var l label.Label
	var skus []string
	for _, m := range matches {
		if m.Serial != nil && m.Product != nil {
			skus = append(skus, m.Product.SKU)
			l = OfSerial(count.ItemOf(m.Product), m.Serial.SerialNumber, r.Lot, r.Expires, r.Now)
		}
	}

	switch len(skus) {
	case 0:
		return none, t.NewError("There is no serial number %s. Check it, or specify its product.", serial)
	case 1:
		return l, nil
	}

	return none, t.NewError(
		"Several products have the serial number %s: %s. Specify one.",
		serial,
		strings.Join(skus, ", "),
	)
}

// ofDocument returns the label of the document with a reference.
func ofDocument(ctx context.Context, site *session.Site, ref string, now time.Time) (none label.Label, err error) {
	codes := count.ParseLabel(site.T(), scan.Parse(ref, now)).Codes
	matches, err := site.Lookup(ctx, codes...)
	if session.IsUnsupported(err) {
		matches, err = site.SearchDocuments(ctx, codes...)
	}
	if err != nil {
		return none, err
	}
	for i := range matches {
		if l, ok := OfDocument(site, &matches[i]); ok {
			return l, nil
		}
	}

	return none, site.T().NewError("There is no document %s. Check the reference.", ref)
}

// OfDocument returns the label of the inbound, outbound or transfer of a match; ok is
// false if it is something else. Scanned, the label opens the document.
func OfDocument(site *session.Site, m *api.Match) (l label.Label, ok bool) {
	t := site.T()
	l.Kind = label.KindDocument
	switch {
	case m.Inbound != nil:
		l.Document, l.Reference, l.Party = t.Get("Inbound"), names.Inbound(m.Inbound), m.Inbound.SupplierName
	case m.Outbound != nil:
		l.Document, l.Reference, l.Party = t.Get("Outbound"), names.Outbound(m.Outbound), m.Outbound.CustomerName
	case m.Transfer != nil:
		l.Document, l.Reference = t.Get("Transfer"), names.Transfer(m.Transfer)
		l.Party = strings.Trim(
			names.LocationCode(m.Transfer.SourceLocation)+" → "+names.LocationCode(m.Transfer.DestinationLocation),
			" →")
	default:
		return label.Label{}, false
	}

	return l, true
}
