package storetest

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/store"
)

func testRows(t *testing.T, s store.Store) {
	p := partition()
	require.Equal(t, "none", get(t, s, p, "a"), "an unknown table is empty")
	require.Empty(t, rows(t, s, p))

	put(t, s, p, "a", "1", "b", "")
	require.Equal(t, "1", get(t, s, p, "a"))
	require.Equal(t, "", get(t, s, p, "b"), "an empty value is not a missing one")
	require.Equal(t, "none", get(t, s, p, "aa"))
	require.Equal(t, "none", get(t, s, p, ""))

	put(t, s, p, "a", "2")
	require.Equal(t, []string{"a=2", "b="}, rows(t, s, p))

	require.NoError(t, s.Update(ctx, p, func(tx store.Tx) error {
		return errors.Join(tx.Delete("t", []byte("a")), tx.Delete("t", []byte("never")), tx.Delete("none", []byte("a")))
	}))
	require.Equal(t, []string{"b="}, rows(t, s, p))
}

func testRanges(t *testing.T, s store.Store) {
	p := partition()
	put(t, s, p, "a", "", "b", "", "ba", "", "c", "", "\xff", "", "\xff\xff", "")
	for _, c := range []struct {
		name     string
		from, to string
		want     []string
	}{
		{"all", "", "", []string{"a=", "b=", "ba=", "c=", "\xff=", "\xff\xff="}},
		{"from is inclusive", "b", "", []string{"b=", "ba=", "c=", "\xff=", "\xff\xff="}},
		{"to is exclusive", "", "c", []string{"a=", "b=", "ba="}},
		{"between keys", "aa", "bb", []string{"b=", "ba="}},
		{"past the end", "", "\xff\xff\xff", []string{"a=", "b=", "ba=", "c=", "\xff=", "\xff\xff="}},
		{"before the start", "", "0", []string{}},
		{"empty", "b", "b", []string{}},
		{"from after to", "c", "a", []string{}},
	} {
		rng := store.Range{From: bound(c.from), To: bound(c.to)}
		require.NoError(t, s.View(ctx, p, func(r store.Reader) error {
			forward, err := list(r, rng)
			require.NoError(t, err)
			require.Equal(t, c.want, forward, c.name)
			backward, err := list(r, rng.Reversed())
			require.NoError(t, err)
			require.Equal(t, reversed(c.want), backward, c.name)
			return nil
		}))
	}

	require.NoError(t, s.View(ctx, p, func(r store.Reader) error {
		got, err := list(r, store.Prefix([]byte("b")))
		require.NoError(t, err)
		require.Equal(t, []string{"b=", "ba="}, got)
		got, err = list(r, store.Prefix([]byte("\xff")).Reversed())
		require.NoError(t, err)
		require.Equal(t, []string{"\xff\xff=", "\xff="}, got)
		return nil
	}))
}

func testStop(t *testing.T, s store.Store) {
	p := partition()
	put(t, s, p, "a", "", "b", "", "c", "")
	broken := errors.New("broken")
	count := func(r store.Reader, end error) (n int, err error) {
		err = r.Scan("t", store.Range{}, func(_, _ []byte) error {
			if n++; n == 2 {
				return end
			}
			return nil
		})

		return n, err
	}

	check := func(r store.Reader) error {
		n, err := count(r, store.ErrStop)
		require.NoError(t, err)
		require.Equal(t, 2, n)
		n, err = count(r, broken)
		require.ErrorIs(t, err, broken)
		require.Equal(t, 2, n)
		return nil
	}

	require.NoError(t, s.View(ctx, p, check))
	require.NoError(t, s.Update(ctx, p, func(tx store.Tx) error {
		require.NoError(t, tx.Put("t", []byte("d"), nil))
		return check(tx)
	}))
}

func testKeys(t *testing.T, s store.Store) {
	p := partition()
	for _, key := range [][]byte{nil, {}, make([]byte, store.MaxKey+1)} {
		err := s.Update(ctx, p, func(tx store.Tx) error { return tx.Put("t", key, []byte("v")) })
		require.ErrorIs(t, err, store.ErrKey)
		err = s.Update(ctx, p, func(tx store.Tx) error { return tx.Delete("t", key) })
		require.ErrorIs(t, err, store.ErrKey)
	}

	err := s.Update(ctx, p, func(tx store.Tx) error { return tx.Put("", []byte("k"), nil) })
	require.ErrorIs(t, err, store.ErrKey)

	longest := string(make([]byte, store.MaxKey))
	put(t, s, p, longest, "v")
	require.Equal(t, "v", get(t, s, p, longest))
}

func testLarge(t *testing.T, s store.Store) {
	p := partition()
	large := string(bytes.Repeat([]byte("0123456789abcdef"), 4<<20/16))
	put(t, s, p, "large", large, "small", "v")
	require.True(t, large == get(t, s, p, "large"), "4 MiB are unchanged")
	put(t, s, p, "large", "v")
	require.Equal(t, []string{"large=v", "small=v"}, rows(t, s, p))
}

func testApart(t *testing.T, s store.Store) {
	org, other := uuid.New(), uuid.New()
	all := []store.Partition{
		{Organization: org, Environment: "live"},
		{Organization: org, Environment: "live2"},
		{Organization: org, Environment: "liv"},
		{Organization: org},
		{Organization: other, Environment: "live"},
		{},
	}

	for i, p := range all {
		put(t, s, p, "k", string(rune('0'+i)))
	}
	for i, p := range all {
		require.Equal(t, []string{"k=" + string(rune('0'+i))}, rows(t, s, p))
	}

	require.NoError(t, s.Update(ctx, all[0], func(tx store.Tx) error { return tx.Delete("t", []byte("k")) }))
	require.Empty(t, rows(t, s, all[0]))
	require.Equal(t, "1", get(t, s, all[1], "k"))
}

func testPartitions(t *testing.T, s store.Store) {
	none, err := s.Partitions(ctx)
	require.NoError(t, err)
	require.Empty(t, none)

	a, b, system := partition(), partition(), store.Partition{}
	for _, p := range []store.Partition{a, b, system} {
		put(t, s, p, "k", "v")
		require.NoError(t, s.Update(ctx, p, func(tx store.Tx) error { return tx.Put("second", []byte("k"), nil) }))
	}

	require.NoError(t, s.Update(ctx, b, func(tx store.Tx) error {
		return errors.Join(tx.Delete("t", []byte("k")), tx.Delete("second", []byte("k")))
	}))
	require.Error(t, s.Update(ctx, partition(), func(store.Tx) error { return errors.New("no") }))
	got, err := s.Partitions(ctx)
	require.NoError(t, err)
	require.ElementsMatch(t, []store.Partition{a, system}, got)
}

func bound(s string) []byte {
	if s == "" {
		return nil
	}
	return []byte(s)
}

func reversed(list []string) []string {
	back := make([]string, len(list))
	for i, s := range list {
		back[len(list)-1-i] = s
	}
	return back
}
