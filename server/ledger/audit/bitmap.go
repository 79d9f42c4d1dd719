package audit

import (
	"bytes"

	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// checkBitmaps checks the rows of the block that an entry ends; checkBitmapTable
// then checks that there are no others.
func (v *verification) checkBitmaps(seq uint64, data []byte) error {
	if v.block == nil || seq%stored.BlockSize == 1 {
		v.block = stored.NewBlock(v.Tx)
	}
	if err := v.block.Add(int((seq-1)%stored.BlockSize), data); err != nil {
		return nil // already reported with the entry
	}
	if seq%stored.BlockSize != 0 {
		return nil
	}

	for t, set := range v.block.Bitmaps {
		v.bitmaps++
		row, err := v.Reader.Get(stored.BitmapTable, t.Key(stored.BlockOf(seq)))
		if err != nil {
			return err
		}

		if !bytes.Equal(row, set.Append(nil)) {
			v.reportFault(
				stored.BitmapTable,
				"row %x does not match journal entries %d to %d",
				t.Key(stored.BlockOf(seq)),
				stored.FirstSeqOf(stored.BlockOf(seq)),
				seq,
			)
		}
	}

	return nil
}

// checkBitmapTable checks that the table has no further rows.
func (v *verification) checkBitmapTable() error {
	found := 0
	err := v.Reader.Scan(stored.BitmapTable, store.Range{}, func(_, _ []byte) error { found++; return nil })
	if err == nil && found != v.bitmaps {
		v.reportFault(stored.BitmapTable, "has %d rows; the journal requires %d", found, v.bitmaps)
	}
	return err
}
