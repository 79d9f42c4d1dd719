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
	return do(k, op, in, k.newKey(op.Spec))
}

// newKey returns a key for an operation, rarely one that another site has used, mostly for
// other work of the same kind: two documents with one key have one ID.
func (k worker) newKey(spec *api.Spec) string {
	w := k.sim
	creates := spec.Creates()
	if k.site != nil && w.basic == nil && w.chance(0.03) {
		if list := k.auditor.keys[creates != w.chance(0.2)]; len(list) > 0 {
			if key := list[w.rng.IntN(len(list))]; !k.auditor.users[key][k.site.name] {
				w.count(keyOfAnotherSite)
				if creates {
					w.count(keyOfAnotherDocument)
				}
				return key
			}
		}
	}
	key := w.newKey()
	k.auditor.keys[creates] = append(k.auditor.keys[creates], key)
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
	if s != nil { // before a crash, after which the operation may be saved
		s.recordTarget((&api.Request{Spec: op.Spec, Input: &in}).DocumentID(), key)
	}
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
		switch {
		case !api.HasCode(err, api.LocationNotAllowed):
		case s.locations != nil:
			w.count(workedElsewhere)
		default:
			w.count(boundDeviceRejected)
		}
		s.notSaved[key] = true
	}
	return out, err == nil
}
