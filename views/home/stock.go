package home

import (
	"context"
	"errors"
	"time"

	"bincard/server/api"
	"bincard/views/alerts"
	"bincard/views/catalog"
	"bincard/views/session"
)

// lotPages limits the pages of lots that home reads. In a larger company the count
// is omitted.
const lotPages = 20

// countStock counts the balances in stock, the low products, and the lots that expire
// soon: as many rows as the lists have that stock opens. Counts that the service does not support or the key may not read are
// omitted.
func countStock(ctx context.Context, site *session.Site, now time.Time) (counts, error) {
	n, more, err := catalog.InStock(ctx, site, site.Location())
	if err != nil {
		return counts{}, err
	}

	t := counts{number: countText(site.T(), n, more), noun: site.T().Get("low")}
	t.cells[0] = site.T().Get("%s in stock", t.number)

	low, err := alerts.LowProducts(ctx, site, site.Location())
	if err := ignoreUnsupported(err); err != nil {
		return t, err
	}

	t.low, t.late = low, int64(len(low))
	expiring, more, err := alerts.ExpiringLots(ctx, site, site.Location(), alerts.ExpireSoon, now, lotPages)
	if !more {
		t.expiring = expiring
		if len(expiring) > 0 {
			t.cells[1] = site.T().GetN(len(expiring), "%s lot expires soon", "%s lots expire soon")
		}
	}

	return t, ignoreUnsupported(err)
}

// ignoreUnsupported returns nil for errors of missing support or permission.
func ignoreUnsupported(err error) error {
	if session.IsUnsupported(err) || api.HasCode(err, api.InsufficientScope) || errors.Is(err, alerts.ErrUnsupported) {
		return nil
	}
	return err
}
