package replicas_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline/replicas"
	"bincard/server/store"
)

func TestSet_Overlaps(t *testing.T) {
	t.Parallel()
	entity := []byte("0123456789abcdef")
	s := replicas.RowSet{}
	require.False(t, s.Overlaps([]uint64{replicas.HashRow("t", entity)}), "the set is empty")
	s.Add("t", append(entity, 'x'))
	for name, c := range map[string]struct {
		hash uint64
		want bool
	}{
		"the row":                 {replicas.HashRow("t", append(entity, 'x')), true},
		"another row":             {replicas.HashRow("t", append(entity, 'y')), false},
		"a row of another table":  {replicas.HashRow("u", append(entity, 'x')), false},
		"the rows of the entity":  {replicas.HashRange("t", store.Prefix(entity)), true},
		"those of another entity": {replicas.HashRange("t", store.Prefix([]byte("0123456789abcdeF"))), false},
		"a range of one entity":   {replicas.HashRange("t", store.Range{From: append(entity, 'a'), To: append(entity, 'b')}), true},
		"a range of several":      {replicas.HashRange("t", store.Range{From: entity, To: []byte("1")}), true},
		"the table":               {replicas.HashRange("t", store.Range{}), true},
		"another table":           {replicas.HashRange("u", store.Range{}), false},
	} {
		require.Equal(t, c.want, s.Overlaps([]uint64{c.hash}), name)
	}
}

func TestSet_AddDiff(t *testing.T) {
	t.Parallel()
	row := func(key, value string) store.Row {
		return store.Row{Table: "t", Key: []byte(key), Value: []byte(value)}
	}
	before := []store.Row{row("a", "1"), row("b", "1"), row("c", "1"), {Table: "t", Key: []byte("e")}}
	after := []store.Row{row("b", "1"), row("c", "2"), row("d", "1"), row("e", "")}
	s := replicas.RowSet{}
	s.AddDiff(before, after)
	for key, changed := range map[string]bool{"a": true, "b": false, "c": true, "d": true, "e": true} {
		require.Equal(t, changed, s.Overlaps([]uint64{replicas.HashRow("t", []byte(key))}), key)
	}
}
