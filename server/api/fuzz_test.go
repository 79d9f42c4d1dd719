package api_test

import (
	"net/url"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// FuzzDecode requires that every request decodes to a valid input, which can be encoded
// again, or returns an api.Error.
func FuzzDecode(f *testing.F) {
	for i := range api.Operations() {
		f.Add(i, one, "", "{}")
	}
	for _, body := range []string{adjust("5"), adjust("1e-9999999"), adjust("null"), `{"metadata":{"a":1,"a":2}}`, "[", "{}{}", `{"lines":[{}]}`} {
		f.Add(0, one, "limit=1&createdFrom=2026-01-01T00:00:00Z", body)
	}
	f.Fuzz(func(t *testing.T, i int, id, query, body string) {
		table := api.Operations()
		spec := table[uint(i)%uint(len(table))]
		q, _ := url.ParseQuery(query)
		in, err := spec.Decode(func(string) string { return id }, q, []byte(body))
		if err != nil {
			e, ok := err.(*api.Error)
			require.True(t, ok, "%T", err)
			require.Contains(t, []api.Code{api.ValidationError, api.InvalidJSON, api.NotFound}, e.Code)
			return
		}
		require.NoError(t, api.Check(in))
		path, q, encoded, err := spec.Encode(in)
		require.NoError(t, err)
		decoded, err := spec.Decode(paths(t, spec.Path, path), q, encoded)
		require.NoError(t, err)
		want, err := json.Marshal(in)
		require.NoError(t, err)
		got, err := json.Marshal(decoded)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
		_, err = spec.Fingerprint(in)
		require.NoError(t, err)
	})
}
