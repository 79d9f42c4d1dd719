package store_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/store"
	"bincard/server/store/storetest"
	"bincard/server/testenv"
)

// Layers over layers over a base read like a map, and existing readers do not change.
func TestLayer_Histories(t *testing.T) {
	t.Parallel()
	testenv.Property.Check(t, func(rt *rapid.T) {
		base, model := store.NewOverlay(nil), storetest.Model{"t": {}, "u": {}}
		write := func(rows []store.Row) {
			for _, row := range rows {
				delete(model[row.Table], string(row.Key))
				if row.Value != nil {
					model[row.Table][string(row.Key)] = string(row.Value)
				}
			}
		}
		draw := func() (rows []store.Row) {
			for _, table := range []string{"t", "u"} {
				for _, n := range rapid.SliceOfDistinct(rapid.Uint16Max(600), rapid.ID).Draw(rt, table) {
					row := store.Row{Table: table, Key: binary.BigEndian.AppendUint16(nil, n)}
					if !rapid.Bool().Draw(rt, "deleted") {
						row.Value = binary.BigEndian.AppendUint16([]byte{}, n)
					}
					rows = append(rows, row)
				}
			}
			return rows
		}
		first := draw()
		for _, row := range first {
			require.NoError(rt, row.Apply(base))
		}
		write(first)
		var frozen, active *store.Layer
		type reading struct {
			r store.Reader
			m storetest.Model
		}
		var all []reading
		for range rapid.IntRange(1, 6).Draw(rt, "steps") {
			if rapid.IntRange(0, 3).Draw(rt, "freeze") == 0 && frozen == nil {
				frozen, active = active, nil
			}
			rows := draw()
			active = active.With(rows)
			write(rows)
			all = append(all, reading{active.Over(frozen.Over(base)), model.Clone()})
		}
		for _, reading := range all {
			require.NoError(rt, reading.m.Holds(reading.r))
			for range 3 {
				bound := func() []byte { return binary.BigEndian.AppendUint16(nil, rapid.Uint16Max(620).Draw(rt, "bound")) }
				rng := store.Range{From: bound(), To: bound(), Reverse: rapid.Bool().Draw(rt, "reverse")}
				op := storetest.Op{Do: "scan", Table: "t", Range: rng}
				require.NoError(rt, reading.m.Do(store.NewOverlay(reading.r), []storetest.Op{op}))
			}
		}
	})
}
