package wire_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/store/wire"
)

func TestReader_ReadsWhatWasAppended(t *testing.T) {
	t.Parallel()
	data := []byte{7}
	data = binary.AppendUvarint(data, 1<<40)
	data = binary.AppendVarint(data, -300)
	data = wire.AppendText(data, "text")
	data = wire.AppendOptional(data, nil)
	data = wire.AppendOptional(data, []byte{})
	data = wire.AppendOptional(data, []byte("value"))
	data = append(data, "end"...)

	r := wire.Reader{Data: data}
	require.EqualValues(t, 7, r.Byte())
	require.EqualValues(t, 1<<40, r.Uvarint())
	require.EqualValues(t, -300, r.Varint())
	require.Equal(t, "text", string(r.Text()))
	require.Nil(t, r.Optional())
	require.Equal(t, []byte{}, r.Optional())
	require.Equal(t, "value", string(r.Optional()))
	require.ErrorIs(t, r.Err(), wire.ErrTruncated, "three bytes are left")
	require.Equal(t, "end", string(r.Next(3)))
	require.NoError(t, r.Err())

	for size := range data {
		r := wire.Reader{Data: data[:size]}
		_, _, _, _ = r.Byte(), r.Uvarint(), r.Varint(), r.Text()
		_, _, _, _ = r.Optional(), r.Optional(), r.Optional(), r.Next(3)
		require.True(t, r.Bad, size)
	}
}

func TestReader_ReturnsZeroAfterAnError(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*wire.Reader){
		"next":            func(r *wire.Reader) { r.Next(10) },
		"negative length": func(r *wire.Reader) { r.Next(-1) },
		"count":           func(r *wire.Reader) { r.Count() },
		"text":            func(r *wire.Reader) { r.Text() },
		"optional":        func(r *wire.Reader) { r.Optional() },
		"caller":          func(r *wire.Reader) { r.Fail() },
	} {
		r := wire.Reader{Data: []byte{9, 1, 1, 1}}
		fail(&r)
		require.True(t, r.Bad, name)
		require.Zero(t, r.Byte(), name)
		require.Zero(t, r.Uvarint(), name)
		require.Zero(t, r.Varint(), name)
		require.Zero(t, r.Count(), name)
		require.Empty(t, r.Text(), name)
		require.Empty(t, r.Next(0), name)
		require.ErrorIs(t, r.Err(), wire.ErrTruncated, name)
	}
}

func TestChecksum(t *testing.T) {
	t.Parallel()
	require.EqualValues(t, 0xe3069283, wire.Checksum([]byte("1234"), []byte("56789")), "the check value of CRC-32C")
}
