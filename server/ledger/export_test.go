package ledger

import "bincard/server/api"

// RecodeRecord reads the row of a record and writes it again.
func RecodeRecord(row []byte) ([]byte, error) {
	var r record
	if err := (recordCodec{}).Decode(row, &r); err != nil {
		return nil, err
	}
	return recordCodec{}.Append(nil, &r)
}

// Gist reads the row of a record both ways, and answers what its gist leaves
// out of it; the error is of either.
func Gist(row []byte) (moves int, missing []string, err error) {
	var g gist
	if err := g.take(row); err != nil {
		return 0, nil, err
	}
	var r record
	if err := (recordCodec{}).Decode(row, &r); err != nil {
		return 0, nil, err
	}
	for i := range r.Moves {
		m := &r.Moves[i]
		if m.Op != "" && g.seen&(1<<operationNumber(m.Op)) == 0 {
			missing = append(missing, string(m.Op))
		}
		if g.states&(1<<m.State) == 0 {
			missing = append(missing, string(api.States[m.State]))
		}
	}
	for i := range r.Balances {
		if len(g.balances) != len(r.Balances) || api.ID(g.balances[i]) != r.Balances[i].Balance {
			missing = append(missing, r.Balances[i].Balance.String())
		}
	}
	return len(r.Moves), missing, nil
}

// WithoutLately is the row of a balance as it was when its whole history stood
// in the table, and what is to be put there then.
func WithoutLately(row []byte) (old []byte, keys [][]byte, err error) {
	var b balance
	if err := (balanceCodec{}).Decode(row, &b); err != nil {
		return nil, nil, err
	}
	for _, seq := range b.Lately {
		keys = append(keys, historyKey(b.ID, seq))
	}
	b.Lately = nil
	old, err = balanceCodec{}.Append(nil, &b)
	return old, keys, err
}
