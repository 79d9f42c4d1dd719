package panel_test

import (
	"context"
	"math/rand/v2"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/views/viewtest"
)

// Errors of a write that the service did not perform.
var unperformed = []error{
	viewtest.ErrUnreachable,
	&api.Error{Code: api.RateLimited},
	&api.Error{Code: api.Unauthorized},
	&api.Error{Code: api.PlanLimitExceeded},
	&api.Error{Code: api.InsufficientScope, Details: map[string]any{"requiredScope": "inventory:write"}},
	&api.Error{Code: api.Unavailable, Message: "Restarting.", Details: map[string]any{"retryAfterSeconds": int64(1)}},
	&api.Error{Code: api.InternalError},
	&api.Error{Code: api.Unavailable},
	context.DeadlineExceeded,
}

// Errors of a write that the service performed.
var performed = []error{viewtest.ErrLost, &api.Error{Code: api.InternalError}, context.DeadlineExceeded}

// A lossyService refuses some requests and loses some answers. It knows what was recorded.
type lossyService struct {
	api.Service
	c *eventCase
	r *rand.Rand

	faultOf  int                         // one of so many writes fails; 0 for none
	recorded map[string]map[string]int64 // pieces by line, by the keys of the writes
	changed  bool                        // stock may have changed
	news     bool                        // pieces were recorded
}

func (s *lossyService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	fails := s.faultOf > 0 && s.r.IntN(s.faultOf) == 0
	if !req.Spec.Writes() {
		if fails && s.r.IntN(3) == 0 {
			return nil, viewtest.ErrUnreachable
		}
		return s.Service.Do(ctx, req)
	}

	if fails && s.r.IntN(2) == 0 {
		err := unperformed[s.r.IntN(len(unperformed))]
		s.c.note("    %s %.4s: not performed: %v", req.Spec.ID, req.IdempotencyKey, err)
		return nil, err
	}

	s.changed = true
	res, err := s.Service.Do(context.WithoutCancel(ctx), req)
	s.c.note("    %s %.4s by %q: %v", req.Spec.ID, req.IdempotencyKey, req.ApprovedBy, err)
	if err != nil {
		return nil, err
	}

	_, again := s.recorded[req.IdempotencyKey]
	require.Equal(s.c.t, again, res.Replayed, "%s is recorded twice", req.Spec.ID)
	if !again {
		pieces := piecesOf(req.Input, s.c.onlyLine)
		s.recorded[req.IdempotencyKey], s.news = pieces, s.news || len(pieces) > 0
		s.c.checkApproval(req)
	}
	if fails {
		err = performed[s.r.IntN(len(performed))]
		s.c.note("      the answer is lost: %v", err)
		return nil, err
	}

	return res, nil
}

// piecesOf returns how many pieces of each line an input records. only is the key of the
// only line of an order.
func piecesOf(input any, only string) map[string]int64 {
	out := map[string]int64{}
	switch in := input.(type) {
	case *api.ReceiveInboundInput:
		out[in.InboundID.String()] = in.Quantity
	case *api.ReceiveStockInput:
		out[in.ReferenceID] = *in.Quantity
	case *api.FulfillOutboundInput:
		for _, l := range in.Lines {
			out[l.LineID.String()] += l.Quantity
		}
		if len(in.Lines) == 0 {
			out[only] = *in.Quantity
		}
	}
	return out
}
