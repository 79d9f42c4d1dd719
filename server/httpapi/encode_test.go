package httpapi_test

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// fill sets every field in v; n distinguishes the values.
func fill(v reflect.Value, n int64) {
	switch x := v.Addr().Interface().(type) {
	case *api.ID:
		*x = uuid.UUID{0: 0xab, 9: 0xcd, 15: byte(n)}
		return
	case *time.Time:
		*x = time.Date(2026, 3, 31, 14, 0, 0, int(n)*1e6, time.UTC)
		return
	case *api.Metadata:
		*x = api.Metadata(` {"a": [1.5, "é<"] } `)
		return
	}
	switch v.Kind() {
	case reflect.Int64:
		v.SetInt(-n)
	case reflect.String:
		v.SetString("é漢 \"<\\>\n\x00&" + string(rune('a'+n)))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n+int64(i))
		}
	}
}

// Every answer is encoded byte for byte as json.Marshal does, with and without
// values.
func TestAppendJSON_EqualsMarshal(t *testing.T) {
	t.Parallel()
	for _, spec := range api.Operations() {
		full, empty := spec.NewOutput(), spec.NewOutput()
		fill(reflect.ValueOf(full).Elem(), 1)
		for _, out := range []any{full, empty} {
			h := open(t)
			h.hook = func(context.Context, *api.Request) (*api.Response, error) { return &api.Response{Output: out}, nil }
			want, err := json.Marshal(out)
			require.NoError(t, err)
			w := h.serve(newRequest("GET", base+"/access", ""))
			require.Equal(t, 200, w.Code)
			require.Equal(t, string(want), w.Body.String(), spec.ID)
		}
	}
}

func TestAppendJSON_Errors(t *testing.T) {
	t.Parallel()
	for name, out := range map[string]any{
		"text": &api.Place{Name: "\xff"}, "metadata": &api.Product{Metadata: api.Metadata("{")},
		"instant": &api.Place{CreatedAt: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		h := open(t)
		h.hook = func(context.Context, *api.Request) (*api.Response, error) { return &api.Response{Output: out}, nil }
		w := h.serve(newRequest("GET", base+"/access", ""))
		require.Equal(t, 500, w.Code, name)
		require.Equal(t, api.InternalError, problemOf(t, w).Code)
	}
}
