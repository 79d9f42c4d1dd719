package confirm

import (
	"strings"
	"time"

	"bincard/server/api"
	"bincard/views/export"
)

// A Row is what was received or shipped for one line of a document, of one lot. Its names
// are those of the import.
type Row struct {
	// Document is the kind of the document: inbound, outbound or transfer.
	Document  string `json:"document"`
	Reference string `json:"reference"`
	Line      string `json:"line,omitzero"`
	SKU       string `json:"sku"`
	Quantity  int64  `json:"quantity"` // in pieces
	// Location is where it was received or shipped. A transfer also has both ends.
	Location    string `json:"location"`
	Source      string `json:"source,omitzero"`
	Destination string `json:"destination,omitzero"`
	Lot         string `json:"lot,omitzero"`
	// Expiry is the lot's expiration, a day or an instant.
	Expiry            string   `json:"expiry,omitzero"`
	Serials           []string `json:"serials,omitzero"`
	SSCC              string   `json:"sscc,omitzero"`
	Supplier          string   `json:"supplier,omitzero"`
	SupplierReference string   `json:"supplierReference,omitzero"`
	api.InboundDetails
	Customer string `json:"customer,omitzero"`
	Order    string `json:"order,omitzero"`
	Owner    string `json:"owner"`
	Channel  string `json:"channel"`
	// ReceivedAt or ShippedAt is when it happened.
	ReceivedAt time.Time `json:"receivedAt,omitzero"`
	ShippedAt  time.Time `json:"shippedAt,omitzero"`
	Operator   string    `json:"operator,omitzero"`
	Device     string    `json:"device,omitzero"`
	// Extra marks what was received beyond the expected quantity, outside the document.
	Extra      bool   `json:"extra,omitzero"`
	DocumentID string `json:"documentId,omitzero"`
	MovementID string `json:"movementId"`
}

type column = export.Column[Row]

func text(name string, value func(*Row) string) column { return export.Text(name, value) }

// commonColumns are the columns of both reports up to the parties of the document.
var commonColumns = []column{
	text("document", func(r *Row) string { return r.Document }),
	text("reference", func(r *Row) string { return r.Reference }),
	text("line", func(r *Row) string { return r.Line }),
	text("sku", func(r *Row) string { return r.SKU }),
	export.Number("quantity", func(r *Row) int64 { return r.Quantity }),
	text("location", func(r *Row) string { return r.Location }),
	text("source", func(r *Row) string { return r.Source }),
	text("destination", func(r *Row) string { return r.Destination }),
	text("lot", func(r *Row) string { return r.Lot }),
	{Name: "expiry", Value: func(r *Row) any { return export.Day(r.Expiry) }},
	text("serials", func(r *Row) string { return strings.Join(r.Serials, "|") }),
	text("order", func(r *Row) string { return r.Order }),
	text("owner", func(r *Row) string { return r.Owner }),
	text("channel", func(r *Row) string { return r.Channel }),
	text("operator", func(r *Row) string { return r.Operator }),
	text("device", func(r *Row) string { return r.Device }),
	export.Literal("documentId", func(r *Row) string { return r.DocumentID }),
	export.Literal("movementId", func(r *Row) string { return r.MovementID }),
}

// receiptColumns and shipmentColumns are the columns that one of the reports has, after those
// of both. The details of the inbound follow the receiptColumns.
var (
	receiptColumns = []column{
		export.Time("receivedAt", func(r *Row) time.Time { return r.ReceivedAt }),
		export.Literal("sscc", func(r *Row) string { return r.SSCC }),
		text("supplier", func(r *Row) string { return r.Supplier }),
		text("supplierReference", func(r *Row) string { return r.SupplierReference }),
		export.Literal("extra", func(r *Row) string { return map[bool]string{true: "true"}[r.Extra] }),
	}
	shipmentColumns = []column{
		export.Time("shippedAt", func(r *Row) time.Time { return r.ShippedAt }),
		text("customer", func(r *Row) string { return r.Customer }),
	}
)
