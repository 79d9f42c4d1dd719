package intake

import (
	"fmt"
	"strings"
	"time"

	"bincard/server/api"
)

// Reason is the reason of the movements of opening stock.
const Reason = "Opening stock"

var stockColumns = [][2]string{{"quantity", "quantity"}, {"lotCode", "lot"}, {"expiresAt", "expiry"}}

// stock checks a row of opening stock.
func (c *checker) stock() error {
	quantity, stocked := c.quantity()
	if !stocked {
		c.Skipped++
		return nil
	}

	p := c.stocked()
	location := c.place("location", "location", c.catalogue.locations, true)
	owner := c.place("owner", "owner", c.catalogue.owners, false)
	channel := c.place("channel", "channel", c.catalogue.channels, false)
	in := api.ReceiveStockInput{
		Quantity:  quantity,
		Reason:    Reason,
		Reference: api.Reference{ReferenceType: "import", ReferenceID: c.batch},
		NewLot: api.NewLot{
			LotCode:   c.cell("lot"),
			ExpiresAt: c.day("expiry"),
		},
		StockKey: api.StockKey{OwnerID: idOf(owner), ChannelID: idOf(channel)},
	}

	if p == nil || location == nil || c.bad {
		return nil
	}

	in.ProductID, in.LocationID = p.ID, location.ID
	c.checkRules(&in, stockColumns)
	if err := c.lot(p, in.LotCode, in.ExpiresAt); err != nil {
		return err
	}

	what := p.SKU + " at " + location.Code
	if in.LotCode != "" {
		what += ", lot " + in.LotCode + ","
	}

	ownerID, channelID, err := c.defaults(&in)
	if err != nil {
		return err
	}
	if !c.checkUnique("", fmt.Sprint(in.ProductID, in.LocationID, ownerID, channelID, in.LotCode), what) || c.bad {
		return nil
	}
	if err := c.checkUntouched(p, location, ownerID, channelID); err != nil {
		return err
	}

	addStep(c, api.ReceiveStock, in)

	return nil
}

// shopifyQuantities are the columns of Shopify's export with the quantity on
// hand; the one edited by hand comes first.
var shopifyQuantities = []string{
	"On hand (new)",
	"On hand (current)",
	"On hand",
	"Available (not editable)",
	"Available",
}

// quantity returns the quantity of the row; stocked is false if it has none.
func (c *checker) quantity() (n *int64, stocked bool) {
	column := "quantity"
	if c.Format == Shopify {
		for _, name := range shopifyQuantities {
			if column = name; c.cell(name) != "" {
				break
			}
		}

		if text := c.cell(column); text == "" || strings.EqualFold(text, "not stocked") {
			return nil, false
		}
	}

	n = c.number(column)
	switch {
	case n == nil && !c.bad:
		c.problem(column, "is missing")
	case n != nil && *n < 0:
		c.problem(column, "must be 0 or more, is %d; count the stock", *n)
	case n != nil && *n == 0:
		return nil, false
	}

	return n, true
}

// stocked returns the product of a row of opening stock.
func (c *checker) stocked() *api.Product {
	p := c.activeProduct()
	switch {
	case p == nil:
	case p.Tracking == api.TrackSerial:
		c.problem("sku", "%s is serialized; receive it in the terminal", p.SKU)
	case p.Tracking == api.TrackLot && c.cell("lot") == "":
		c.problem("lot", "is missing: %s is tracked by lot", p.SKU)
	}

	return p
}

// activeProduct returns the product of the row.
func (c *checker) activeProduct() *api.Product {
	sku := c.cell("sku")
	if sku == "" {
		c.problem("sku", "is missing")
		return nil
	}

	p := c.catalogue.products[foldName(sku)]
	switch {
	case p == nil:
		c.problem("sku", "there is no product %s; import the products first", sku)
	case p.Status == api.Archived:
		c.problem("sku", "%s is archived", sku)
	default:
		return p
	}

	return nil
}

// place returns the location, owner or channel of the row.
func (c *checker) place(column, kind string, known *places, required bool) *api.Place {
	text := c.cell(column)
	if text == "" {
		if required {
			c.problem(column, "is missing")
		}
		return nil
	}

	p := known.find(text)
	if p == nil {
		c.problem(column, "there is no %s with the code or unique name %s", kind, text)
	}

	return p
}

func idOf(p *api.Place) api.ID {
	if p == nil {
		return api.NoID
	}
	return p.ID
}

// day returns a cell as a date.
func (c *checker) day(column string) *time.Time {
	text := c.cell(column)
	t := parseDay(text)
	switch {
	case t == nil && text != "":
		c.problem(column, "must be a date like 2026-12-31, is %q", text)
	case t != nil && (t.Year() < 2000 || t.Year() > 2099):
		c.problem(column, "must be a date from 2000 to 2099, is %q", text)
	}
	return t
}

// parseDay returns a text as a date, or nil.
func parseDay(text string) *time.Time {
	for _, layout := range []string{time.DateOnly, time.RFC3339, "20060102", "2.1.2006", "2.1.06"} {
		if t, err := time.Parse(layout, text); err == nil {
			t = t.UTC()
			return &t
		}
	}

	british, err := time.Parse("2/1/2006", text)
	american, errAmerican := time.Parse("1/2/2006", text)
	switch {
	case err == nil && (errAmerican != nil || british.Equal(american)):
		return &british
	case err != nil && errAmerican == nil:
		return &american
	}

	return nil
}

// checkUntouched requires that existing stock on the balance came from this
// file: opening stock is imported once.
func (c *checker) checkUntouched(p *api.Product, location *api.Place, owner, channel api.ID) error {
	if c.options.Add {
		return nil
	}

	list, err := api.ListBalances.Call(c.ctx, c.svc, api.ListBalancesInput{
		StockFilter: api.StockFilter{ProductID: p.ID, LocationID: location.ID, OwnerID: owner, ChannelID: channel},
	})
	if err != nil || len(list.Items) == 0 || list.Items[0].OnHand == 0 {
		return err
	}

	limit := int64(500)
	in := api.ExplainBalanceInput{BalanceID: list.Items[0].ID, HistoryPage: api.HistoryPage{Limit: &limit}}
	for {
		page, err := api.ExplainBalance.Call(c.ctx, c.svc, in)
		if err != nil {
			return err
		}
		for _, m := range page.Movements {
			if m.ReferenceType == "import" && m.ReferenceID == c.batch {
				return nil
			}
		}

		if page.NextCursor == nil {
			break
		}

		in.Cursor = *page.NextCursor
	}

	c.problem("quantity",
		"there are already %d of %s on hand at %s, not from this file. Remove the line, or add to the stock with --add",
		list.Items[0].OnHand, p.SKU, location.Code)

	return nil
}

// defaults returns the owner and channel of the row, or the organization's
// defaults.
func (c *checker) defaults(in *api.ReceiveStockInput) (owner, channel api.ID, err error) {
	owner, channel = in.OwnerID, in.ChannelID
	if owner != api.NoID && channel != api.NoID {
		return owner, channel, nil
	}

	if c.catalogue.home == nil {
		access, err := api.GetAccess.Call(c.ctx, c.svc, api.GetAccessInput{})
		if err != nil {
			return owner, channel, err
		}
		c.catalogue.home = &access.Organization
	}

	if owner == api.NoID {
		owner = c.catalogue.home.DefaultOwnerID
	}
	if channel == api.NoID {
		channel = c.catalogue.home.DefaultChannelID
	}

	return owner, channel, nil
}
