package catalog

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
)

// addChange adds what a write changes in a resource to the list of its changes. It reports
// whether anything differs.
func addChange(c *posting.Tx, list *[]api.ResourceChange, version int64, before, after any) (bool, error) {
	x := api.ResourceChange{
		Version:   version + 1,
		Reason:    c.Entry.Reason,
		Actor:     c.Entry.Actor,
		CreatedBy: c.Entry.Operator,
		CreatedAt: c.Now,
	}

	var err error
	if x.Before, x.After, err = differences(before, after); x.Before == nil || err != nil {
		return false, err
	}

	*list = append([]api.ResourceChange{x}, *list...)
	*list = (*list)[:min(len(*list), api.MaxResourceChanges)]

	return true, nil
}

// differences returns the fields that differ between two states of a resource, nil if none do.
func differences(before, after any) (from, to api.Metadata, err error) {
	var fields [2]map[string]jsontext.Value
	for i, x := range []any{before, after} {
		text, err := json.Marshal(x, json.Deterministic(true))
		if err == nil {
			err = json.Unmarshal(text, &fields[i])
		}
		if err != nil {
			return nil, nil, err
		}
	}

	for name, value := range fields[0] {
		if _, ok := fields[1][name]; !ok {
			fields[1][name] = jsontext.Value("null")
		}
		if bytes.Equal(value, fields[1][name]) {
			delete(fields[0], name)
			delete(fields[1], name)
		}
	}
	for name := range fields[1] {
		if _, ok := fields[0][name]; !ok {
			fields[0][name] = jsontext.Value("null")
		}
	}

	if len(fields[0]) == 0 {
		return nil, nil, nil
	}
	if from, err = json.Marshal(fields[0], json.Deterministic(true)); err != nil {
		return nil, nil, err
	}
	to, err = json.Marshal(fields[1], json.Deterministic(true))

	return from, to, err
}
