package stored_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/ledger/internal/stored"
)

func FuzzBlockSet(f *testing.F) {
	f.Add([]byte{3, 9, 255})
	f.Add(make([]byte, 32))
	f.Fuzz(func(t *testing.T, data []byte) {
		once, members, err := recode(data)
		if err != nil {
			return
		}
		twice, again, err := recode(once)
		if len(members) == 0 {
			return
		}
		require.NoError(t, err)
		require.Equal(t, once, twice)
		require.Equal(t, members, again)
	})
}

// recode decodes and encodes a set of entries of a block; members are
// descending.
func recode(data []byte) (again []byte, members []int, err error) {
	var s stored.BlockSet
	if err := s.Read(data); err != nil {
		return nil, nil, err
	}
	for i := s.Last(stored.BlockSize); i >= 0; i = s.Last(i) {
		members = append(members, i)
	}
	return s.Append(nil), members, nil
}
