package audit

import (
	"bytes"

	"bincard/server/ledger/internal/bitmap"
	"bincard/server/store"
)

// checkBitmaps checks the rows of the block that an entry ends; checkBitmapTable
// then checks that there are no others.
func (v *verification) checkBitmaps(seq uint64, data []byte) error {
	if v.block == nil || seq%bitmap.BlockSize == 1 {
		v.block = bitmap.New(v.Tx)
	}
	if err := v.block.Add(int((seq-1)%bitmap.BlockSize), data); err != nil {
		return nil // already reported with the entry
	}
	if seq%bitmap.BlockSize != 0 {
		return nil
	}
	for t, set := range v.block.Bitmaps {
		v.bitmaps++
		row, err := v.Reader.Get(bitmap.Table, t.Key(bitmap.BlockOf(seq)))
		if err != nil {
			return err
		}
		if !bytes.Equal(row, set.Append(nil)) {
			v.reportFault(bitmap.Table, "row %x does not match journal entries %d to %d", t.Key(bitmap.BlockOf(seq)),
				bitmap.FirstSeqOf(bitmap.BlockOf(seq)), seq)
		}
	}
	return nil
}

// checkBitmapTable checks that the table has no further rows.
func (v *verification) checkBitmapTable() error {
	found := 0
	err := v.Reader.Scan(bitmap.Table, store.Range{}, func(_, _ []byte) error { found++; return nil })
	if err == nil && found != v.bitmaps {
		v.reportFault(bitmap.Table, "has %d rows; the journal requires %d", found, v.bitmaps)
	}
	return err
}
