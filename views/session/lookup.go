package session

import (
	"context"

	"bincard/server/api"
)

// Lookup returns the matches of the first code that has any. It is not an error if
// there are none.
func (s *Site) Lookup(ctx context.Context, codes ...string) ([]api.Match, error) {
	for _, code := range codes {
		out, err := Call(ctx, s, api.LookUp, api.LookupInput{Code: code})
		if err != nil {
			return nil, err
		}
		if len(out.Matches) > 0 {
			return out.Matches, nil
		}
	}
	return nil, nil
}
