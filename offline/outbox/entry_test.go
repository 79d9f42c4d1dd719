package outbox_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/upgrade/storedtypes"
)

// newerJournal is a journal with every kind of entry, as a newer version would
// write it: each member has an unknown field.
var newerJournal = []string{
	`{"begin":{"format":1,"service":"s","organization":"o","environment":"test","later":"begin"}}`,
	`{"capture":{"key":"done","operation":"adjustStock","target":"/stock/adjust","at":"2026-03-02T10:00:00Z","later":"captured done"}}`,
	`{"capture":{"key":"held","operation":"adjustStock","target":"/stock/adjust","at":"2026-03-02T10:00:01Z","later":"captured held"}}`,
	`{"freeze":{"keys":["done","held"],"at":"2026-03-02T10:00:02Z","later":"freeze"}}`,
	`{"mark":{"key":"done","state":"done","at":"2026-03-02T10:00:03Z","later":"marked done"}}`,
	`{"mark":{"key":"held","state":"held","at":"2026-03-02T10:00:03Z","refusal":{"code":"X","message":"m"},"later":"marked held"}}`,
	`{"settle":{"keys":["done"],"later":"settle"}}`,
	`{"epoch":{"id":"e","at":"2026-03-02T10:00:04Z","later":"epoch"}}`,
}

func TestEntry_NewerFieldsSurviveRewrite(t *testing.T) {
	t.Parallel()
	queue := outbox.New(outbox.Options{})
	for _, text := range newerJournal {
		e, err := outbox.Decode([]byte(text))
		require.NoError(t, err)
		require.NoError(t, queue.Apply(e))
	}
	var rewritten strings.Builder
	for _, e := range queue.Compact(start.AddDate(0, 0, -1), 0) {
		data, err := e.Encode()
		require.NoError(t, err)
		rewritten.Write(data)
	}
	for _, later := range []string{"begin", "captured done", "captured held", "freeze", "marked done", "marked held", "settle", "epoch"} {
		require.Contains(t, rewritten.String(), `"later":"`+later+`"`)
	}
}

func TestEntry_NewerFieldsSurviveExport(t *testing.T) {
	t.Parallel()
	queue := outbox.New(outbox.Options{})
	for _, text := range newerJournal {
		e, err := outbox.Decode([]byte(text))
		require.NoError(t, err)
		require.NoError(t, queue.Apply(e))
	}
	data, err := queue.Export(queue.Operation("held"))
	require.NoError(t, err)
	exported, err := outbox.ReadExported(data)
	require.NoError(t, err)
	captured, err := exported.Entries()[0].Encode()
	require.NoError(t, err)
	require.Contains(t, string(captured), `"later":"captured held"`)
}

func TestEntry_NewerKindIsRefused(t *testing.T) {
	t.Parallel()
	_, err := outbox.Decode([]byte(`{"merge":{"keys":["a"]}}`))
	require.ErrorContains(t, err, "written by a newer Bincard")
	require.ErrorContains(t, err, "merge")
	_, err = outbox.Decode([]byte(`{"begin":{"format":2,"service":"s","organization":"o","environment":"test"}}`))
	require.ErrorContains(t, err, "format 2; this version reads up to 1")
}

func TestStoredTypes_HaveAFixture(t *testing.T) {
	t.Parallel()
	storedtypes.Check(t, "outbox", outbox.Entry{}, outbox.Exported{})
}
