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

// pick returns a random item of a list, as the worker sees it.
func pick[I, T any](k worker, op api.Operation[I, api.List[T]], in I) (T, bool) {
	var zero T
	list, err := op.Call(k.sim.ctx, k.svc, in)
	if err != nil || len(list.Items) == 0 {
		return zero, false
	}
	return list.Items[k.sim.rng.IntN(len(list.Items))], true
}

// doNew performs an operation with a new key.
func doNew[I, O any](k worker, op api.Operation[I, O], in I) (O, bool) {
	return do(k, op, in, k.newKey())
}

// newKey returns a key for an operation, rarely one that another site has used.
func (k worker) newKey() string {
	w := k.sim
	if k.site != nil && w.basic == nil && len(k.auditor.keys) > 0 && w.chance(0.03) {
		key := k.auditor.keys[w.rng.IntN(len(k.auditor.keys))]
		if !k.auditor.users[key][k.site.name] {
			w.count(keyOfAnotherSite)
			return key
		}
	}
	key := w.newKey()
	k.auditor.keys = append(k.auditor.keys, key)
	return key
}

// do performs an operation, and half the time accepts the risk if the local
// ledger rejects it. ok means that it was reported as done or saved without
// risk.
func do[I, O any](k worker, op api.Operation[I, O], in I, key string) (out O, ok bool) {
	w, s := k.sim, k.site
	if s != nil && s.node == nil {
		return out, false
	}
	who := "center"
	if s != nil {
		who = s.name
	}
	k.auditor.addKey(key, who)
	out, err := op.Call(w.ctx, k.svc, in, api.Key(key))
	var e *api.Error
	if errors.As(err, &e) && e.Details["insist"] == true && w.rng.IntN(2) == 0 {
		out, err = op.Call(w.ctx, k.svc, in, api.Key(key), api.AcceptRisk())
	}
	if s == nil {
		return out, err == nil
	}
	w.logf("%s does %s %s: %v", s.name, op.ID, key[:8], err)
	switch {
	case err == nil || api.HasCode(err, api.AtRisk):
		s.saved[key] = "captured"
		s.recordCreated(op.Spec, key)
		if s.skew != 0 {
			w.count(clockWrongAtWork)
		}
	case errors.Is(err, journal.ErrUncertain):
		s.restartIfUncertain(err)
	default:
		s.notSaved[key] = true
	}
	return out, err == nil
}
