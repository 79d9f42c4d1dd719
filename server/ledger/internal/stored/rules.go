package stored

import (
	"bincard/server/api"
	"bincard/server/store"
)

var (
	rulesKey = []byte("rules")

	// defaultRules apply until an organization sets its own.
	defaultRules api.Rules
)

// A RulesRow is the stored form of api.Rules.
type RulesRow struct {
	api.Rules
	store.Unknown
}

// Rules has the rules of its partition, in a single row.
var Rules = store.NewTable(store.Table[RulesRow]{
	Name:  "rules",
	Key:   func(*RulesRow) []byte { return rulesKey },
	Codec: store.JSON[RulesRow](),
})

// RulesOf returns the rules of a partition.
func RulesOf(r store.Reader) (*api.Rules, error) {
	row, err := Rules.Shared(r, rulesKey)
	if row == nil || err != nil {
		return &defaultRules, err
	}
	return &row.Rules, nil
}

// PutRules sets the rules of a partition.
func PutRules(tx store.Tx, in api.Rules) error {
	row, err := Rules.Get(tx, rulesKey)
	if err != nil {
		return err
	}
	if row == nil {
		row = new(RulesRow)
	}

	row.Rules = in

	return Rules.Put(tx, row)
}
