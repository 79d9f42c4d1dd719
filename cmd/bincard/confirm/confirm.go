// Package confirm reports what was received or shipped for documents, for the system that
// sent them.
package confirm

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/views/export"
)

// A Report is a kind of report.
type Report string

// The reports.
const (
	Receipts  Report = "receipts"
	Shipments Report = "shipments"
)

// Operations returns the operations of the movements in the report.
func (r Report) Operations() []api.MovementOperation {
	if r == Receipts {
		return []api.MovementOperation{api.OpInboundReceive, api.OpReceive, api.OpTransferIn}
	}
	return []api.MovementOperation{api.OpOutboundFulfill, api.OpTransferOut}
}

// Columns returns the columns of the report.
func (r Report) Columns() []export.Column[Row] {
	if r == Shipments {
		return slices.Concat(commonColumns, shipmentColumns)
	}

	columns := slices.Concat(commonColumns, receiptColumns)
	for i, detail := range new(Row).Details() {
		columns = append(columns, text(detail.Name, func(r *Row) string { return *r.Details()[i].Text }))
	}

	return columns
}

// A Query selects the rows of a report.
type Query struct {
	Report Report
	// Movements filters the movements, but for the operation and the state.
	Movements api.ReportMovementsInput
	// Reference and Order select documents; empty for all.
	Reference, Order string
}

// An Exporter reads the rows of one report.
type Exporter struct {
	svc       api.Service
	query     Query
	documents *documents
	passes    []api.ReportMovementsInput
	chosen    map[api.ID]bool // the documents of the rows; nil for all
}

// New returns an exporter. It reads the documents that the query names, and fails if there
// are none.
func New(ctx context.Context, svc api.Service, q Query) (*Exporter, error) {
	e := &Exporter{svc: svc, query: q, documents: &documents{svc: svc}}
	inputs := []api.ReportMovementsInput{q.Movements}
	if name := q.Reference + q.Order; name != "" {
		list, err := e.documents.find(ctx, q)
		if err != nil {
			return nil, err
		}

		e.chosen = map[api.ID]bool{}
		inputs = nil
		for _, d := range list {
			e.chosen[d.id] = true
			inputs = appendProducts(inputs, q.Movements, d)
		}
	}

	for _, in := range inputs {
		for _, op := range q.Report.Operations() {
			in.Operation, in.InventoryState = op, api.OnHand
			e.passes = append(e.passes, in)
		}
	}

	return e, nil
}

// appendProducts adds a query for each product of a document that no earlier document has.
// The movements of a document are not older than the document.
func appendProducts(
	inputs []api.ReportMovementsInput,
	filter api.ReportMovementsInput,
	d *document,
) []api.ReportMovementsInput {
	for _, product := range d.products {
		if filter.ProductID != api.NoID && filter.ProductID != product {
			continue
		}

		at := slices.IndexFunc(inputs, func(in api.ReportMovementsInput) bool { return in.ProductID == product })
		if at < 0 {
			at = len(inputs)
			inputs = append(inputs, filter)
			inputs[at].ProductID = product
			if filter.CreatedFrom == nil {
				inputs[at].CreatedFrom = &d.created
			}
		}

		if filter.CreatedFrom == nil && d.created.Before(*inputs[at].CreatedFrom) {
			inputs[at].CreatedFrom = &d.created
		}
	}

	return inputs
}

// Page returns a page of rows, newest first for each operation. Its cursors are its own.
func (e *Exporter) Page(ctx context.Context, cursor string) (rows []Row, next *string, err error) {
	pass, cursor, err := parseCursor(cursor)
	if err != nil || pass >= len(e.passes) {
		return nil, nil, err
	}

	in := e.passes[pass]
	in.Cursor = cursor
	page, err := api.ReportMovements.Call(ctx, e.svc, in)
	if err != nil {
		return nil, nil, err
	}

	for i := range page.Items {
		m := &page.Items[i]
		kind, id := documentOf(m)
		if kind == "" {
			continue
		}

		d, err := e.documents.read(ctx, kind, id, m.ReferenceID)
		if err != nil {
			return nil, nil, err
		}
		if e.chosen == nil || e.chosen[d.id] ||
			id == api.NoID && e.query.Order == "" && sameText(d.reference, e.query.Reference) {
			rows = append(rows, e.row(m, kind, d))
		}
	}

	switch {
	case page.NextCursor != nil:
		text := fmt.Sprint(pass, " ", *page.NextCursor)
		next = &text
	case pass+1 < len(e.passes):
		text := fmt.Sprint(pass+1, " ")
		next = &text
	}

	return rows, next, nil
}

func parseCursor(text string) (pass int, cursor string, err error) {
	if text == "" {
		return 0, "", nil
	}
	number, cursor, _ := strings.Cut(text, " ")
	pass, err = strconv.Atoi(number)
	return pass, cursor, err
}

// row returns the row of a movement of a document.
func (e *Exporter) row(m *api.MovementRow, kind api.DocumentKind, d *document) Row {
	r := Row{
		Document:          string(kind),
		Reference:         d.reference,
		SKU:               m.ProductSKU,
		Quantity:          max(m.Quantity, -m.Quantity),
		Location:          m.LocationCode,
		Source:            d.source,
		Destination:       d.destination,
		Lot:               m.LotCode,
		Serials:           m.SerialNumbers,
		SSCC:              d.sscc,
		Supplier:          d.supplier,
		SupplierReference: d.supplierReference,
		InboundDetails:    d.details,
		Customer:          d.customer,
		Order:             d.order,
		Line:              d.lines[m.ProductID],
		Owner:             m.OwnerCode,
		Channel:           m.ChannelCode,
		Extra:             m.Operation == api.OpReceive,
		MovementID:        m.ID.String(),
	}

	if d.id != api.NoID {
		r.DocumentID = d.id.String()
	}

	if m.ExpiresAt != nil {
		r.Expiry = m.ExpiresAt.Format(time.RFC3339Nano)
		if m.ExpiresAt.Equal(m.ExpiresAt.Truncate(24 * time.Hour)) {
			r.Expiry = m.ExpiresAt.Format(time.DateOnly)
		}
	}

	at := m.CreatedAt
	if !m.OccurredAt.IsZero() {
		at = m.OccurredAt
	}
	if r.Operator, _, r.Device = (&api.Movement{Actor: api.Actor{Type: m.ActorType, Label: m.ActorLabel}}).Who(); m.Operator != "" ||
		m.Device != "" {
		r.Operator, r.Device = m.Operator, m.Device
	}
	if e.query.Report == Receipts {
		r.ReceivedAt = at
	} else {
		r.ShippedAt = at
	}

	return r
}
