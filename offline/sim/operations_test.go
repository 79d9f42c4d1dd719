package sim_test

import (
	"errors"

	"bincard/offline/journal"
	"bincard/server/api"
)

func toInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// pick is one of a list, of those that show at the hand's.
func pick[I, T any](h worker, op api.Operation[I, api.List[T]], in I) (T, bool) {
	var none T
	list, err := op.Call(h.sim.ctx, h.svc, in)
	if err != nil || len(list.Items) == 0 {
		return none, false
	}
	return list.Items[h.sim.rng.IntN(len(list.Items))], true
}

// doNew does an operation under a new key.
func doNew[I, O any](h worker, op api.Operation[I, O], in I) (O, bool) {
	return do(h, op, in, h.sim.newKey())
}

// do does an operation, and insists where the goods have moved. ok tells that
// it was answered as done, or as saved.
func do[I, O any](h worker, op api.Operation[I, O], in I, key string) (out O, ok bool) {
	w, s := h.sim, h.site
	if s != nil && s.node == nil {
		return out, false
	}
	who := "center"
	if s != nil {
		who = s.name
	}
	h.auditor.addKey(key, who)
	out, err := op.Call(w.ctx, h.svc, in, api.Key(key))
	var e *api.Error
	if errors.As(err, &e) && e.Details["insist"] == true && w.rng.IntN(2) == 0 {
		out, err = op.Call(w.ctx, h.svc, in, api.Key(key), api.AcceptRisk())
	}
	if s == nil {
		return out, err == nil
	}
	w.logf("%s does %s %s: %v", s.name, op.ID, key[:8], err)
	switch {
	case err == nil || api.HasCode(err, api.AtRisk):
		s.saved[key] = "captured"
		switch out := any(out).(type) {
		case api.InboundResult:
			s.created[key] = out.Inbound.ID.String()
		case api.TransferSourceResult:
			s.created[key] = out.Transfer.ID.String()
		case api.ReservationResult:
			s.created[key] = out.Reservation.ID.String()
		}
	case errors.Is(err, journal.ErrUncertain):
		s.restartIfUncertain(err)
	default:
		s.notSaved[key] = true
	}
	return out, err == nil
}
