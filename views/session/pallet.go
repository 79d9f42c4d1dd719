package session

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/views/count"
)

// palletDestinations returns where the label of a pallet or box leads: to the open inbounds
// that announce it. It returns none for a label that also names a product, and that no inbound
// announces.
func (s *Site) palletDestinations(ctx context.Context, r count.Label) ([]Destination, error) {
	inbounds, more, err := s.Inbounds(ctx, Location{})
	if err != nil {
		return nil, err
	}
	var found []api.Match
	for _, i := range api.FindSSCC(inbounds, r.SSCC) {
		found = append(found, api.Match{Kind: api.KindInbound, ID: inbounds[i].ID, Inbound: &inbounds[i]})
	}
	switch {
	case len(found) > 0 || !r.HasNoCode() || r.Serial != "" || r.Lot != "":
		return s.Destinations(found), nil
	case more:
		return nil, errors.New(s.T().Get("Pallet %s is on none of the %s inbounds searched. Scan the reference of its delivery.", r.SSCC, s.T().Count(int64(len(inbounds)))))
	}
	return nil, errors.New(s.T().Get("No open inbound announces pallet %s. Scan the reference of its delivery, or the goods on it.", r.SSCC))
}
