package session

import (
	"context"
	"errors"
	"sync"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/names"
)

// Item reads a product from the catalog. Without a catalog it returns what the
// embedded reference has; ref may be nil.
func (s *Site) Item(ctx context.Context, id api.ID, ref *api.ProductRef) (count.Item, error) {
	p, err := Call(ctx, s, api.GetProduct, api.ProductInput{ProductID: id})
	switch {
	case err == nil:
		return count.ItemOf(&p), nil
	case !IsUnsupported(err):
		return count.Item{}, err
	case ref == nil:
		return count.Item{ID: id, SKU: names.ShortID(id)}, nil
	}

	return count.Item{ID: id, SKU: ref.SKU, Name: ref.Name}, nil
}

// FindItem returns the product that a code or a typed SKU names.
func (s *Site) FindItem(ctx context.Context, r count.Label) (*count.Item, error) {
	if r.HasNoCode() {
		return nil, labelError(s.T(), r, s.T().Get("%s has no product. Scan the product label.", r.Name()))
	}

	found, err := s.Lookup(ctx, r.Codes...)
	if IsUnsupported(err) {
		found, err = searchLists(ctx, s, r.Codes)
	}
	if err != nil {
		return nil, err
	}

	for _, m := range found {
		if m.Product != nil {
			g := count.ItemOf(m.Product)
			return &g, nil
		}
	}

	if r.Problem != "" {
		return nil, count.MisreadError(s.T(), r)
	}

	if len(found) > 0 { // a location or a document
		return nil, s.T().NewError("%s is not a product label. Scan the barcode of the product.", r.Name())
	}

	noteUnknown(s, r)

	return nil, &UnknownItemError{
		Code: r.Codes[0],
		Text: s.T().Get("There is no product %s. Check the code, or add the product.", r.Name()),
	}
}

// An UnknownItemError reports a valid code that no product has.
type UnknownItemError struct {
	Code string
	Text string
}

func (e *UnknownItemError) Error() string { return e.Text }

func labelError(t *i18n.Translator, r count.Label, text string) error {
	if r.Problem != "" {
		return count.MisreadError(t, r)
	}
	return errors.New(text)
}

// LotID returns the ID of the counted lot, or zero if no lot was counted. It fails if the
// service does not know the lot, or cannot book by lot.
func (s *Site) LotID(ctx context.Context, l count.Line) (api.ID, error) {
	if l.Count.Lot == "" || l.Count.LotID != api.NoID {
		return l.Count.LotID, nil
	}

	lots, err := Call(ctx, s, api.ListLots, api.ListLotsInput{ProductID: l.Item.ID, LotCode: l.Count.Lot})
	if IsUnsupported(err) {
		return api.NoID, s.T().NewError("This service does not record lots. Clear the lot (F7), then try again.")
	}
	if err != nil {
		return api.NoID, err
	}
	for _, lot := range lots.Items {
		if api.CleanCode(lot.LotCode) == api.CleanCode(l.Count.Lot) {
			return lot.ID, nil
		}
	}

	return api.NoID, &api.Error{Code: api.LotMismatch, Details: api.Details{"lineId": l.Key},
		Message: s.T().Get("%s has no lot %s. Check the label, or correct the lot (F7).", l.Item.SKU, l.Count.Lot)}
}

// noteUnknown records an unknown scan. Typed codes, which have no time, are not
// recorded.
func noteUnknown(s *Site, r count.Label) {
	if len(r.Codes) > 0 && !r.Scan.At.IsZero() {
		s.AddUnknownCode(r.Codes[0], "", r.Scan.At)
	}
}

// selection is the item whose line a document selects when it opens.
type selection struct {
	mu    sync.Mutex
	route string
	item  api.ID
}

// SelectItem makes the document with the route select the line of an item when it opens
// next.
func (s *selection) SelectItem(route string, item api.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.route, s.item = route, item
}

// TakeSelectedItem returns the item to select in the document with the route, once; zero
// for none.
func (s *selection) TakeSelectedItem(route string) api.ID {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.route != route {
		return api.NoID
	}
	item := s.item
	s.route, s.item = "", api.NoID
	return item
}
