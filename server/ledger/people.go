package ledger

import (
	"bincard/server/api"
	"bincard/server/api/role"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// provenRole returns the role of who approved the write, or else of the operator, "" unless the
// proof is valid. It is that of before the write. What an operator does who was removed needs the
// approval of a supervisor.
func (w *write) provenRole(c *posting.Tx) (proven api.Role, err error) {
	operator, err := stored.OperatorNamed(c.Reader, w.req.Operator)
	if err != nil {
		return "", err
	}

	signer := operator
	if w.req.ApprovedBy != "" {
		if signer, err = stored.OperatorNamed(c.Reader, w.req.ApprovedBy); err != nil {
			return "", err
		}
	}

	if signer != nil && !signer.Removed && w.req.ProvenBy(&signer.Operator) {
		proven = signer.Role
	}

	if operator != nil && operator.Removed && proven != api.Supervisor {
		return "", api.Fail(api.ApprovalRequired, api.Details{"removed": operator.Name},
			"%s's badge was revoked. A supervisor must approve this work.", operator.Name)
	}

	return proven, nil
}

// checkRole checks a write with a key that is bound to a role, once its movements are known.
func (w *write) checkRole(c *posting.Tx, proven api.Role) error {
	key, needs := w.req.Caller.Role, needsOf(w.req.Spec, c.Entry.Movements)
	if key == "" {
		return nil
	}

	rules, err := stored.RulesOf(c.Reader)
	switch {
	case err != nil:
		return err
	case len(needs) > 0 && !rules.Allows(key, needs...) && !rules.Allows(proven, needs...):
	case w.req.ApprovedBy != "" && proven == "":
		return api.Fail(api.ApprovalRequired, api.Details{"approvedBy": w.req.ApprovedBy},
			"The approval by %s is not proven. It needs the badge or PIN.", w.req.ApprovedBy)
	default:
		return nil
	}

	return api.Fail(api.ApprovalRequired, api.Details{"permission": needs[0].Permission, "change": needs[0].Change},
		"This needs an approval (%v). A supervisor must approve it with badge or PIN.", api.Text(w.req.Spec.Summary))
}

// needsOf returns what an operation needs with the movements that it makes: for quantities, by
// how much they change what is recorded or, for a receipt, exceed what was expected.
func needsOf(spec *api.Spec, list []journal.Movement) []role.Need {
	need := role.Need{Permission: spec.Permission}
	over := need.Permission == role.MayOverReceive
	for _, m := range list {
		switch {
		case m.State == stored.Incoming && over:
			need.Recorded -= m.Delta
			need.Change += m.Delta
		case m.State == stored.OnHand && over:
			need.Change += m.Delta
		case m.State == stored.OnHand || m.State == stored.Incoming:
			need.Recorded = max(need.Recorded, m.Before)
			need.Change += m.Delta
		}
	}

	if need.Permission == "" || need.Change == 0 && need.Permission.HasQuantity() {
		return nil
	}

	return []role.Need{need}
}
