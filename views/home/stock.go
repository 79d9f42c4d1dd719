package home

import (
	"context"
	"errors"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/dock"
	"bincard/views/watchlist"
)

// lotPages are as many pages of what all places hold by lot as home reads; of a
// larger company the list of lots that end tells.
const lotPages = 20

// countStock counts the balances here, the products that are low, and the lots that
// end within a week. What a service cannot tell, or this key may not read, is
// left out.
func countStock(ctx context.Context, site *dock.Site, now time.Time) (counts, error) {
	limit := int64(500)
	list, err := dock.Call(ctx, site, api.ReportSnapshot, api.ReportSnapshotInput{LocationID: site.Location().ID, Limit: &limit})
	if err != nil {
		return counts{}, err
	}
	t := counts{number: countText(site.T(), len(list.Items), list.NextCursor != nil), noun: site.T().Get("low")}
	t.cells[0] = site.T().Get("%s balances", t.number)
	if len(list.Items) == 0 {
		return t, nil
	}
	short, err := watchlist.LowProducts(ctx, site, site.Location())
	if err := ignoreUnsupported(err); err != nil {
		return t, err
	}
	t.late = int64(len(short))
	ending, more, err := watchlist.ExpiringLots(ctx, site, site.Location(), 7, now, lotPages)
	if !more {
		t.cells[1] = countPhrase(site.T(), int64(len(ending)), i18n.Text("%s lots expire soon"))
	}
	return t, ignoreUnsupported(err)
}

// ignoreUnsupported is an error that is more than a service that cannot tell.
func ignoreUnsupported(err error) error {
	if dock.IsUnsupported(err) || api.HasCode(err, api.InsufficientScope) || errors.Is(err, watchlist.ErrUnsupported) {
		return nil
	}
	return err
}
