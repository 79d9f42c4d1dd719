package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/store/wire"
)

// row1 is a row of one version, row2 the same row of a later version.
type row1 struct {
	carrier string
	unknown []byte
}

func (r *row1) fields(f *wire.Fields) { f.Text(1, &r.carrier) }

type row2 struct {
	row1
	priority int64
	seal     []byte
}

func (r *row2) fields(f *wire.Fields) {
	f.Text(1, &r.carrier)
	f.Int(2, &r.priority)
	f.Bytes(3, &r.seal)
}

func encode(fields func(*wire.Fields), unknown []byte) []byte {
	var f wire.Fields
	fields(&f)
	return f.Append(nil, unknown)
}

func decode(t *testing.T, data []byte, fields func(*wire.Fields)) (unknown []byte) {
	t.Helper()
	f := wire.Read(data)
	fields(&f)
	unknown, err := f.Unknown()
	require.NoError(t, err)
	return unknown
}

func TestFields_RoundTrip(t *testing.T) {
	t.Parallel()
	in := row2{row1: row1{carrier: "Nordbahn"}, priority: -7, seal: []byte{0, 1}}
	data := encode(in.fields, nil)
	var out row2
	require.Nil(t, decode(t, data, out.fields))
	require.Equal(t, in, out)
}

func TestFields_OmitZeroValues(t *testing.T) {
	t.Parallel()
	require.Empty(t, encode(new(row2).fields, nil))
	out := row2{row1: row1{carrier: "before"}, priority: 1, seal: []byte{1}}
	require.Nil(t, decode(t, nil, out.fields))
	require.Equal(t, row2{}, out, "a missing field reads as zero")
}

func TestFields_PreserveUnknown(t *testing.T) {
	t.Parallel()
	newer := row2{row1: row1{carrier: "Nordbahn"}, priority: 9, seal: []byte("seal")}
	data := encode(newer.fields, nil)

	var older row1
	older.unknown = decode(t, data, older.fields)
	require.Equal(t, "Nordbahn", older.carrier)
	require.Equal(t, data, encode(older.fields, older.unknown), "an unchanged row has the same encoding")

	older.carrier = "Westbahn"
	data = encode(older.fields, older.unknown)
	var again row2
	require.Nil(t, decode(t, data, again.fields))
	require.Equal(t, row2{row1: row1{carrier: "Westbahn"}, priority: 9, seal: []byte("seal")}, again)
}

func TestFields_SortedByNumber(t *testing.T) {
	t.Parallel()
	all := row2{row1: row1{carrier: "x"}, priority: 1, seal: []byte{1}}
	data := encode(all.fields, nil)
	var priority int64
	onlySecond := func(f *wire.Fields) { f.Int(2, &priority) }
	unknown := decode(t, data, onlySecond)
	require.Equal(t, data, encode(onlySecond, unknown))
}

func TestFields_RejectDamage(t *testing.T) {
	t.Parallel()
	data := encode((&row2{row1: row1{carrier: "Nordbahn"}}).fields, nil)
	for n := 1; n < len(data); n++ {
		f := wire.Read(data[:n])
		_, err := f.Unknown()
		require.Error(t, err, "cut to %d bytes", n)
	}
	var number int64
	f := wire.Read(data)
	f.Int(1, &number) // it is a text field
	_, err := f.Unknown()
	require.Error(t, err)
}

func FuzzFields(f *testing.F) {
	f.Add(encode((&row2{row1: row1{carrier: "Nordbahn"}, priority: 3, seal: []byte("s")}).fields, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		var once row1
		fields := wire.Read(data)
		once.fields(&fields)
		unknown, err := fields.Unknown()
		if err != nil {
			return
		}
		written := encode(once.fields, unknown)
		var twice row1
		again := decode(t, written, twice.fields)
		require.Equal(t, once.carrier, twice.carrier)
		require.Equal(t, written, encode(twice.fields, again))
	})
}
