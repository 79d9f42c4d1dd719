package intake

import (
	"fmt"
	"strings"

	"bincard/server/api"
)

// A grouping groups the rows of a table into documents.
type grouping struct {
	*checker
	documents   []*document // in the order of their first rows
	byReference map[string]*document
}

// A documentRow is the texts of a row, with their rules.
type documentRow struct {
	Reference         string `json:"reference" required:"true"`
	Line              string `json:"line" maxLength:"40"`
	Supplier          string `json:"supplier" text:"name"`
	SupplierReference string `json:"supplierReference"`
	api.InboundDetails
	Customer string   `json:"customer" text:"name"`
	Order    string   `json:"order"`
	Lot      string   `json:"lot"`
	Batch    string   `json:"batch"`
	Serials  []string `json:"serials" maxItems:"1000"`
}

// add adds the current row to its document.
func (g *grouping) add() {
	texts := documentRow{
		Reference:         g.cell("reference"),
		Line:              g.cell("line"),
		Supplier:          g.cell("supplier"),
		SupplierReference: g.cell("supplierReference"),
		Customer:          g.cell("customer"),
		Order:             g.cell("order"),
		Lot:               g.cell("lot"),
		Batch:             g.cell("batch"),
		Serials:           g.serialNumbers(),
	}

	for _, detail := range texts.Details() {
		*detail.Text = g.cell(detail.Name)
	}

	g.checkRules(&texts, [][2]string{{"serials", "serials"}})
	d := g.document(texts.Reference)
	g.mergeHeader(d, &texts)
	l := g.line(&texts)
	if l != nil && !g.bad {
		g.merge(d, l)
	}

	d.bad = d.bad || g.bad
}

// document returns the document with a reference. It adds one for a new reference.
func (g *grouping) document(reference string) *document {
	key := foldName(reference)
	d := g.byReference[key]
	if d == nil {
		d = &document{header: header{reference: reference}, first: g.row.Line, byKey: map[lineKey]*documentLine{}}
		g.byReference[key] = d
		g.documents = append(g.documents, d)
	}

	return d
}

// mergeHeader requires that the header's columns of the row agree with those of earlier rows.
// An empty cell agrees with everything.
func (g *grouping) mergeHeader(d *document, texts *documentRow) {
	if texts.Reference != "" && texts.Reference != d.reference {
		g.problem("reference", "is %s, but line %d has %s", texts.Reference, d.first, d.reference)
	}

	location, destination, due := "location", "destination", "expectedAt"
	switch g.Kind {
	case Outbounds:
		due = "shipAt"
	case Transfers:
		location = "source"
		mergePlace(g, d, destination, "location", &d.destination, g.catalogue.locations)
	}

	mergePlace(g, d, location, "location", &d.location, g.catalogue.locations)
	if g.Kind == Transfers && d.location != nil && d.location == d.destination {
		g.problem(destination, "must differ from the source, is %s too", d.destination.Code)
	}
	if d.location == nil && g.cell(location) == "" {
		g.problem(location, "is missing")
	}
	if g.Kind == Transfers && d.destination == nil && g.cell(destination) == "" {
		g.problem(destination, "is missing")
	}

	mergePlace(g, d, "owner", "owner", &d.owner, g.catalogue.owners)
	mergePlace(g, d, "channel", "channel", &d.channel, g.catalogue.channels)
	mergeText(g, d, "supplier", &d.party, texts.Supplier)
	mergeText(g, d, "supplierReference", &d.partyReference, texts.SupplierReference)
	known := d.details.Details()
	for i, detail := range texts.Details() {
		mergeText(g, d, detail.Name, known[i].Text, *detail.Text)
	}

	mergeText(g, d, "customer", &d.party, texts.Customer)
	mergeText(g, d, "order", &d.order, texts.Order)
	if at := g.day(due); at != nil && d.due != nil && !at.Equal(*d.due) {
		g.problem(due, "is %s, but an earlier line of %s has %s", g.cell(due), d.reference, formatDue(d.due))
	} else if at != nil {
		d.due, d.dueDay = at, !strings.Contains(g.cell(due), "T")
	}
}

func mergePlace(g *grouping, d *document, column, kind string, to **api.Place, known *places) {
	p := g.place(column, kind, known, false)
	switch {
	case p == nil:
	case *to == nil:
		*to = p
	case *to != p:
		g.problem(column, "is %s, but an earlier line of %s has %s; use one reference for each %s", p.Code, d.reference,
			(*to).Code, kind)
	}
}

func mergeText(g *grouping, d *document, column string, to *string, text string) {
	switch {
	case text == "":
	case *to == "":
		*to = text
	case *to != text:
		g.problem(column, "is %s, but an earlier line of %s has %s", text, d.reference, *to)
	}
}

// merge adds a line to its document. A row that repeats a line adds serial numbers to it.
func (g *grouping) merge(d *document, l *documentLine) {
	for _, serial := range l.serials {
		if line := g.firstLine(fmt.Sprint("serial ", l.product.ID, foldName(serial))); line != l.row {
			g.problem("serials", "%s of %s is already on line %d", serial, l.product.SKU, line)
		}
	}

	have := d.byKey[l.lineKey]
	switch {
	case have == nil:
		d.byKey[l.lineKey] = l
		d.lines = append(d.lines, l)
	case len(have.serials) > 0 && len(l.serials) > 0:
		have.quantity += l.quantity
		have.serials = append(have.serials, l.serials...)
	default:
		g.problem("sku", "%s is already on line %d of %s; add the quantities, or number the lines in the column line",
			l.describe(), have.row, d.reference)
	}

	if most := 200; g.Kind == Outbounds && len(d.lines) == most+1 {
		g.problem("reference", "%s has more than %d lines; an outbound has at most %d", d.reference, most, most)
	}
}

// describe names a line: its product, lot, pallet and number.
func (l *documentLine) describe() string {
	parts := []string{l.product.SKU}
	for _, x := range [][2]string{{"lot", l.lot}, {"SSCC", l.sscc}, {"line", l.line}} {
		if x[1] != "" {
			parts = append(parts, fmt.Sprint(x[0], " ", x[1]))
		}
	}

	return strings.Join(parts, " ")
}
