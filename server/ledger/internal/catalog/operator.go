package catalog

import (
	"bytes"
	"cmp"

	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// CreateOperator creates an operator, whose name and badge must be new.
func CreateOperator(c *posting.Tx, in *api.CreateOperatorInput) error {
	o := &stored.Operator{Seq: c.Entry.Seq, Operator: api.Operator{
		ID:             c.NewID("operator"),
		OrganizationID: c.Partition.Organization,
		Environment:    api.Environment(c.Partition.Environment),
		Name:           api.CleanCode(in.Name),
		Role:           in.Role,
		Language:       in.Language,
		Badge:          in.Badge,
		PIN:            in.PIN,
		CreatedAt:      c.Now,
	}}

	return saveOperator(c, o)
}

// ChangeOperator changes or removes an operator.
func ChangeOperator(c *posting.Tx, in *api.ChangeOperatorInput) error {
	o, err := stored.Find(c.Reader, stored.Operators, "operator", in.OperatorID)
	if err != nil {
		return err
	}
	if err := c.CheckVersion(o.Version); err != nil {
		return err
	}

	o.Name = cmp.Or(api.CleanCode(in.Name), o.Name)
	o.Role = cmp.Or(in.Role, o.Role)
	o.Language = cmp.Or(in.Language, o.Language)
	o.Badge = cmp.Or(in.Badge, o.Badge)
	o.PIN = cmp.Or(in.PIN, o.PIN)
	if in.Removed != nil {
		o.Removed = *in.Removed
	}

	return saveOperator(c, o)
}

// saveOperator saves an operator whose name and badge no other has. There are few enough to
// compare all.
func saveOperator(c *posting.Tx, o *stored.Operator) error {
	count := 0
	err := stored.Operators.Scan(c.Reader, store.Range{}, func(other *stored.Operator) error {
		field := ""
		switch count++; {
		case other.ID == o.ID:
			return nil
		case bytes.Equal(stored.FoldName(other.Name), stored.FoldName(o.Name)):
			field = "name"
		case !o.Removed && !other.Removed && o.Badge != "" && other.Badge == o.Badge:
			field = "badge"
		case count >= api.MaxOperators && o.Version == 0:
			return api.Fail(api.AlreadyExists, api.Details{"resource": "operator", "most": api.MaxOperators},
				"There are %d operators, the most an organization can have. Change one instead.", api.MaxOperators)
		default:
			return nil
		}

		return api.Fail(api.AlreadyExists,
			api.Details{"resource": "operator", "field": field, "operatorId": other.ID, "name": other.Name},
			"%s is an operator with this %v. Change that one, or choose another.", other.Name, api.Text(field))
	})
	if err != nil {
		return err
	}

	o.Version++
	o.UpdatedAt = c.Now
	if err := stored.Operators.Put(c.Writer, o); err != nil {
		return err
	}

	return c.SetDocument(o.Operator)
}
