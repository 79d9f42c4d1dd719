package intake

import (
	"context"
	"fmt"
	"time"

	"bincard/server/api"
)

// A lot is what the ledger or an earlier row has for a lot.
type lot struct {
	code     string
	expiry   *time.Time
	archived bool
	where    string // "the ledger" or the line
}

// lot checks the lot of the row against what is known of it.
func (c *checker) lot(p *api.Product, code string, expires *time.Time) error {
	if code == "" {
		if expires != nil {
			c.problem("lot", "is missing: an expiration date needs a lot")
		}
		return nil
	}

	known, err := c.readLot(c.ctx, p, code)
	c.checkLot(known, p, code, expires)

	return err
}

// checkLot checks a lot against what is known of it, or if that is nil, against the first row
// with the lot.
func (c *checker) checkLot(known *lot, p *api.Product, code string, expires *time.Time) {
	line := c.firstLine(fmt.Sprint("lot ", p.ID, foldName(code)))
	if known == nil {
		known = &lot{where: api.Textf("line %d", line)}
		c.withRow(line, func() { known.code, known.expiry = c.cell("lot"), parseDay(c.cell("expiry")) })
	}
	if column, text := known.contradicts(code, expires); text != "" {
		c.problem(column, "%s", text)
	}
}

// readLot returns what the ledger has for a lot, nil for an unknown lot.
func (c *checker) readLot(ctx context.Context, p *api.Product, code string) (*lot, error) {
	list, err := api.ListLots.Call(ctx, c.svc, api.ListLotsInput{ProductID: p.ID, LotCode: code})
	if err != nil || len(list.Items) == 0 {
		return nil, err
	}
	l := list.Items[0]
	return &lot{l.LotCode, l.ExpiresAt, l.Status == api.Archived, api.Text("the ledger")}, nil
}

// contradicts returns how a line differs from what is known of its lot, and in which column.
func (l *lot) contradicts(code string, expires *time.Time) (column, text string) {
	switch {
	case l.archived:
		return "lot", api.Textf("%s is archived; use another lot", l.code)
	case l.code != code:
		return "lot", api.Textf("is %s, but %v calls it %s", code, l.where, l.code)
	case expires != nil && (l.expiry == nil || !l.expiry.Equal(*expires)):
		is := api.Text("no expiration")
		if l.expiry != nil {
			is = l.expiry.Format(time.DateOnly)
		}
		return "expiry", api.Textf("is %s, but %v has %v for lot %s; check the label", expires.Format(time.DateOnly),
			l.where, is, code)
	}

	return "", ""
}
