package intake

import (
	"strings"
	"time"

	"bincard/server/api"
)

// line returns the line that the current row describes, or nil if it has a problem.
func (g *grouping) line(texts *documentRow) *documentLine {
	l := &documentLine{
		row:     g.row.Line,
		product: g.product(),
		batch:   texts.Batch,
		expires: g.day("expiry"),
		serials: texts.Serials,
	}

	l.lineKey = lineKey{line: texts.Line, sscc: g.sscc(), lot: texts.Lot}
	quantity := g.number("quantity")
	switch {
	case quantity == nil && g.cell("quantity") == "" && len(l.serials) > 0:
		l.quantity = int64(len(l.serials))
	case quantity == nil && g.cell("quantity") == "":
		g.problem("quantity", "is missing")
	case quantity == nil: // reported
	case *quantity < 1:
		g.problem("quantity", "must be at least 1, is %d", *quantity)
	case *quantity > api.MaxQuantity:
		g.problem("quantity", "must be at most %d, is %d", int64(api.MaxQuantity), *quantity)
	default:
		l.quantity = *quantity
	}

	if l.lot == "" && (l.expires != nil || l.batch != "") {
		g.problem("lot", "is missing: an expiration date and a batch need a lot")
	}
	if l.product == nil || g.bad {
		return nil
	}

	l.lineKey.product = l.product.ID
	g.checkTracking(l)

	return l
}

// serialNumbers returns the serial numbers of the row, separated by |.
func (g *grouping) serialNumbers() (list []string) {
	seen := map[string]bool{}
	for _, serial := range strings.Split(g.cell("serials"), "|") {
		switch serial = strings.TrimSpace(serial); {
		case serial == "":
		case scientificNumber.MatchString(serial):
			g.problem("serials",
				"%s is a number that the spreadsheet shortened; format the column as text and enter it again", serial)
		case seen[foldName(serial)]:
			g.problem("serials", "%s appears twice", serial)
		default:
			seen[foldName(serial)] = true
			list = append(list, serial)
		}
	}

	return list
}

// checkTracking checks the serial numbers and the lot of a line.
func (g *grouping) checkTracking(l *documentLine) {
	switch n := int64(len(l.serials)); {
	case n == 0:
	case l.product.Tracking != api.TrackSerial:
		g.problem("serials", "%s is not serialized; remove them", l.product.SKU)
	case n != l.quantity:
		g.problem("serials", "has %d for a quantity of %d; enter one for each piece, or none", n, l.quantity)
	}

	if l.lot != "" {
		g.checkLot(nil, l.product, l.lot, l.expires)
	}
}

// product returns the product of the row, by its SKU, its GTIN or both.
func (g *grouping) product() *api.Product {
	sku, gtin := g.cell("sku"), g.cell("gtin")
	if sku == "" && gtin == "" {
		g.problem("sku", "is missing")
		return nil
	}

	var p *api.Product
	if sku != "" {
		if p = g.catalogue.products[foldName(sku)]; p == nil {
			g.problem("sku", "there is no product %s; import the products first", sku)
		}
	}

	if gtin != "" {
		byGTIN := g.productOfGTIN(gtin)
		if p != nil && byGTIN != nil && p.ID != byGTIN.ID {
			g.problem("gtin", "%s is the GTIN of %s, not of %s", gtin, byGTIN.SKU, p.SKU)
		}
		if sku == "" {
			p = byGTIN
		}
	}

	if p != nil && p.Status == api.Archived {
		g.problem("sku", "%s is archived", p.SKU)
	}

	return p
}

func (g *grouping) productOfGTIN(gtin string) *api.Product {
	if text := checkGTIN(gtin); text != "" {
		g.problem("gtin", "%s", text)
		return nil
	}

	m := g.catalogue.gtins[normalizeGTIN(gtin)]
	switch {
	case m == nil || m.Product == nil:
		g.problem("gtin", "there is no product with the GTIN %s; import the products first, or use the column sku",
			gtin)
		return nil
	case m.Unit != nil:
		g.problem("gtin", "%s is a %s of %d; enter the SKU and the number of pieces", gtin, m.Unit.UnitCode,
			m.Unit.Factor)
		return nil
	}

	return m.Product
}

// sscc returns the SSCC of the row as 18 digits, or "" if it has none.
func (c *checker) sscc() string {
	text := c.cell("sscc")
	digits := strings.TrimPrefix(text, "(00)")
	if len(digits) == 20 {
		digits = strings.TrimPrefix(digits, "00")
	}

	switch {
	case text == "":
		return ""
	case scientificNumber.MatchString(text):
		c.problem("sscc", "%s is a number that the spreadsheet shortened; format the column as text and enter it again",
			text)
	case len(digits) != 18 || strings.Trim(digits, "0123456789") != "":
		c.problem("sscc", "must have 18 digits, is %q", text)
	case !validCheckDigit(digits):
		c.problem("sscc", "%s has a wrong check digit; copy it again from the label", text)
	}

	return digits
}

// checkGTIN returns what is wrong with a GTIN, or "".
func checkGTIN(gtin string) string {
	switch n := len(gtin); {
	case scientificNumber.MatchString(gtin):
		return api.Textf(
			"%s is a number that the spreadsheet shortened; format the column as text and enter it again", gtin)
	case n != 8 && n != 12 && n != 13 && n != 14 || strings.Trim(gtin, "0123456789") != "":
		return api.Textf("must have 8, 12, 13 or 14 digits, is %q", gtin)
	case !validCheckDigit(gtin):
		return api.Textf("%s has a wrong check digit; copy it again", gtin)
	}

	return ""
}

// validCheckDigit reports whether the last digit of a GTIN or SSCC is right: with weights of 1
// and 3 in turn from the right, the digits add up to a multiple of 10.
func validCheckDigit(digits string) bool {
	sum := 0
	for i := range len(digits) {
		n := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			n *= 3
		}
		sum += n
	}

	return sum%10 == 0
}

// formatDue formats a day, or an instant with its time.
func formatDue(at *time.Time) string {
	if at == nil {
		return "none"
	}
	if at.Equal(at.Truncate(24 * time.Hour)) {
		return at.Format(time.DateOnly)
	}
	return at.Format(time.RFC3339)
}
