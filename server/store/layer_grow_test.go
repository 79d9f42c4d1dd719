package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/store"
)

func TestLayer_GrowEqualsWith(t *testing.T) {
	t.Parallel()
	o := store.NewOverlay(nil)
	grown := &store.Layer{}
	var with *store.Layer
	for i := range 50 {
		o.Reuse(nil)
		require.NoError(t, o.Put("a", []byte{byte(i * 7 % 20)}, []byte{byte(i)}))
		require.NoError(t, o.Put("b", []byte{byte(i)}, []byte("x")))
		require.NoError(t, o.Delete("b", []byte{byte(i / 2)}))
		var rows []store.Row
		for _, r := range o.Rows() {
			rows = append(rows, store.Row{Table: r.Table, Key: append([]byte(nil), r.Key...), Value: append([]byte(nil), r.Value...)})
			if r.Value == nil {
				rows[len(rows)-1].Value = nil
			}
		}
		grown.Grow(rows)
		with = with.With(rows)
	}
	frozen := grown.With([]store.Row{{Table: "a", Key: []byte("more"), Value: []byte("x")}})
	require.Equal(t, changes(t, with), changes(t, grown))
	require.NotEqual(t, changes(t, with), changes(t, frozen))
}

func changes(t *testing.T, l *store.Layer) map[string]string {
	all := map[string]string{}
	for table := range l.Tables() {
		require.NoError(t, l.Changes(table, func(key, value []byte) error {
			if value == nil {
				value = []byte("gone")
			}
			all[table+"/"+string(key)] = string(value)
			return nil
		}))
	}
	return all
}
