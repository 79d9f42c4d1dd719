package session

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/names"
)

// A Delivery is the documents of one product each that are handled as the lines of one
// document, because they have the same reference and the same locations. A document
// without a reference is a delivery of one line.
type Delivery[T deliveryDocument] struct {
	Lines []T // never empty, in the order of the delivery note, or oldest first
}

// A deliveryDocument is the type of a line.
type deliveryDocument interface{ api.Inbound | api.Transfer }

// Split returns a delivery of each line.
func (d *Delivery[T]) Split() (out []*Delivery[T]) {
	for i := range d.Lines {
		out = append(out, &Delivery[T]{Lines: d.Lines[i : i+1]})
	}
	return out
}

// WithLine returns the delivery with a document that was read again in place of its line.
func (d *Delivery[T]) WithLine(doc *T) *Delivery[T] {
	lines, id := slices.Clone(d.Lines), lineOf(doc).id
	for i := range lines {
		if lineOf(&lines[i]).id == id {
			lines[i] = *doc
		}
	}

	return &Delivery[T]{Lines: lines}
}

// SKUs returns the SKU of the first line and the number of further lines.
func (d *Delivery[T]) SKUs(t *i18n.Translator) string {
	return lineOf(&d.Lines[0]).sku + moreLines(t, len(d.Lines))
}

// SyncBadge returns the first badge of the lines.
func (d *Delivery[T]) SyncBadge(s *Site) string {
	for i := range d.Lines {
		if badge := s.SyncBadge(lineOf(&d.Lines[i]).id); badge != "" {
			return badge
		}
	}

	return ""
}

// FindInboundDeliveries returns the deliveries with an inbound of an ID, reference or
// external order, each with all its inbounds, open deliveries first. A reference means
// those at the operator's location if some are open there. It fails if there are none.
func (s *Site) FindInboundDeliveries(ctx context.Context, ref string) ([]Delivery[api.Inbound], error) {
	return findDeliveries(ctx, s, ref, inboundFinder)
}

// FindTransferDeliveries is FindInboundDeliveries for transfers.
func (s *Site) FindTransferDeliveries(ctx context.Context, ref string) ([]Delivery[api.Transfer], error) {
	return findDeliveries(ctx, s, ref, transferFinder)
}

// A deliveryKey is what the lines of a delivery have in common.
type deliveryKey struct {
	kind, reference string
	// from and to are the locations; to is zero if there is one.
	from, to api.ID
	id       api.ID // of the only line, if it has no reference
}

// A deliveryLine is what a delivery needs to know of a line.
type deliveryLine struct {
	key       deliveryKey
	reference string // as written
	id        api.ID
	created   time.Time
	sku       string
	number    string // of the sender, "" if unknown
}

// lineOf returns what a delivery needs to know of a document.
func lineOf[T deliveryDocument](doc *T) deliveryLine {
	if in, ok := any(doc).(*api.Inbound); ok {
		sku := names.ProductSKU(in.Product, in.ProductID)
		return newDeliveryLine("inbound", in.ID, in.CreatedAt, sku, in.Metadata, in)
	}
	t := any(doc).(*api.Transfer)
	return newDeliveryLine("transfer", t.ID, t.CreatedAt, names.ProductSKU(t.Product, t.ProductID), t.Metadata, t)
}

func newDeliveryLine(kind string, id api.ID, created time.Time, sku string, m api.Metadata,
	doc api.StockDocument) deliveryLine {
	l := deliveryLine{
		reference: names.Reference(doc),
		id:        id,
		created:   created,
		sku:       sku,
		number:    api.AnnouncedIn(m).Line,
	}

	l.key = deliveryKey{kind: kind, reference: foldReference(l.reference)}
	if l.reference == "" {
		l.key.id = id
	}

	stock := doc.StockKeys()
	l.key.from = stock[0].LocationID
	if len(stock) > 1 {
		l.key.to = stock[1].LocationID
	}

	return l
}

// compare orders the lines of a delivery: as in its delivery note, then those without a
// number as they were created.
func (l deliveryLine) compare(o deliveryLine) int {
	digits := func(l deliveryLine) int { return cmp.Or(len(l.number), math.MaxInt) }
	return cmp.Or(cmp.Compare(digits(l), digits(o)), strings.Compare(l.number, o.number), l.created.Compare(o.created),
		strings.Compare(l.sku, o.sku), slices.Compare(l.id[:], o.id[:]))
}

func foldReference(text string) string { return strings.ToUpper(strings.TrimSpace(text)) }

// involves reports whether the line comes from or goes to a location.
func (l deliveryLine) involves(location api.ID) bool {
	return location != api.NoID && (l.key.from == location || l.key.to == location)
}

// Deliveries groups inbounds or transfers into deliveries, in the order of their first lines.
func Deliveries[T deliveryDocument](rows []T) (out []Delivery[T]) {
	at := map[deliveryKey]int{}
	var lines [][]deliveryLine
	docs := map[api.ID]T{}
	for i := range rows {
		line := lineOf(&rows[i])
		n, ok := at[line.key]
		if !ok {
			n = len(lines)
			at[line.key] = n
			lines = append(lines, nil)
		}

		lines[n], docs[line.id] = append(lines[n], line), rows[i]
	}

	for _, of := range lines {
		slices.SortStableFunc(of, deliveryLine.compare)
		var d Delivery[T]
		for _, line := range of {
			d.Lines = append(d.Lines, docs[line.id])
		}
		out = append(out, d)
	}

	return out
}

// fullLookup is how many documents a lookup returns at most; there may be more then.
const fullLookup = 20

// findDeliveries finds the documents that ref means, and then the other lines of their
// deliveries.
func findDeliveries[T deliveryDocument](ctx context.Context, s *Site, ref string,
	finder func(ctx context.Context, s *Site, ref string) docFinder[T]) ([]Delivery[T], error) {

	f := finder(ctx, s, ref)
	docs, err := findDocuments(ctx, s, ref, f)
	if err != nil {
		return nil, err
	}

	found, keys := map[api.ID]bool{}, map[deliveryKey]string{} // with the reference as written
	for i := range docs {
		line := lineOf(&docs[i])
		found[line.id], keys[line.key] = true, line.reference
	}

	addLines := func(rows []T) {
		for i := range rows {
			line := lineOf(&rows[i])
			if _, ok := keys[line.key]; ok && !found[line.id] {
				found[line.id] = true
				docs = append(docs, rows[i])
			}
		}
	}

	read := map[string]bool{foldReference(ref): true, "": true}
	for key, reference := range keys {
		if read[key.reference] {
			continue
		}

		read[key.reference] = true
		rows, err := findAny(ctx, s, reference, finder(ctx, s, reference))
		if err != nil {
			return nil, err
		}

		addLines(rows)
	}

	if len(docs) >= fullLookup {
		rows, _, err := f.open()
		if err != nil && !IsUnsupported(err) {
			return nil, err
		}
		addLines(rows)
	}

	return preferred(Deliveries(docs), func(d Delivery[T]) bool {
		return slices.ContainsFunc(d.Lines, func(doc T) bool { return f.isOpen(&doc) })
	}, func(d Delivery[T]) bool {
		return lineOf(&d.Lines[0]).involves(s.Location().ID)
	}), nil
}

// preferred returns the open deliveries that are here if there are any, else all
// deliveries, open ones first.
func preferred[D any](all []D, isOpen, isHere func(D) bool) []D {
	var here, open, closed []D
	for _, d := range all {
		switch {
		case !isOpen(d):
			closed = append(closed, d)
		case isHere(d):
			here = append(here, d)
		default:
			open = append(open, d)
		}
	}

	if len(here) > 0 {
		return here
	}

	return append(open, closed...)
}

// firstLines returns the matches with one line for each delivery: its first one.
func firstLines(found []api.Match) (out []api.Match) {
	at := map[deliveryKey]int{}
	for _, m := range found {
		line, ok := matchLine(m)
		if !ok {
			out = append(out, m)
			continue
		}

		n, seen := at[line.key]
		if !seen {
			at[line.key] = len(out)
			out = append(out, m)
		} else if first, _ := matchLine(out[n]); line.compare(first) < 0 {
			out[n] = m
		}
	}

	return out
}

// matchLine returns the line of a delivery that a match is.
func matchLine(m api.Match) (l deliveryLine, ok bool) {
	switch {
	case m.Inbound != nil:
		return lineOf(m.Inbound), true
	case m.Transfer != nil:
		return lineOf(m.Transfer), true
	}

	return l, false
}
