package stored

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// An Operator is the stored form of api.Operator.
type Operator struct {
	api.Operator
	store.Unknown
	Seq uint64 `json:"seq"`
}

// Operators has the operators of a partition, also those that were removed.
var Operators = store.NewTable(store.Table[Operator]{
	Name:  "operators",
	Key:   func(o *Operator) []byte { return o.ID[:] },
	Codec: store.JSON[Operator](),
	Indexes: []store.Index[Operator]{
		{Name: "seq", Keys: func(o *Operator) [][]byte { return [][]byte{journal.SeqKey(o.Seq)} }},
		{Name: "name", Keys: func(o *Operator) [][]byte { return [][]byte{FoldName(o.Name)} }},
	},
})

// OperatorNamed returns the operator with a name, or nil.
func OperatorNamed(r store.Reader, name string) (*Operator, error) {
	if name == "" {
		return nil, nil
	}
	return FindOne(r, Operators, "name", NameKeys(name))
}

// ListOperators returns a page of operators, newest first.
func (tx *Tx) ListOperators(in *api.ListOperatorsInput) (*api.List[api.Operator], error) {
	l := Listing[Operator]{
		Table: Operators,
		Seq:   func(o *Operator) uint64 { return o.Seq },
		ID:    func(o *Operator) api.ID { return o.ID },
	}

	rows, next, err := l.Page(tx, in.Page)

	return ListOf(rows, next, err, func(o *Operator) *api.Operator { return &o.Operator })
}
