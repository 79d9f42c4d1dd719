package api_test

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/api"
	"bincard/server/testenv"
)

// drawValue fills v with valid values. It sometimes omits optional fields.
func drawValue(t *rapid.T, v reflect.Value, tag reflect.StructTag) {
	switch x := v.Addr().Interface().(type) {
	case *api.ID:
		b := rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id")
		b[0] |= 1
		*x = api.ID(b)
		return
	case *time.Time:
		*x = api.Instant(time.UnixMilli(rapid.Int64Range(1, 4e12).Draw(t, "instant")))
		return
	case *api.Metadata:
		*x = api.Metadata(fmt.Sprintf(`{%q:[1.50,{"b":null}]}`, rapid.StringMatching("[a-z]{1,5}").Draw(t, "member")))
		return
	case interface{ Values() []string }:
		v.SetString(rapid.SampledFrom(x.Values()).Draw(t, "value"))
		return
	}
	switch v.Kind() {
	case reflect.Int64:
		least, most := int64(1), int64(api.MaxQuantity)
		_, _ = fmt.Sscan(tag.Get("minimum"), &least)
		_, _ = fmt.Sscan(tag.Get("maximum"), &most)
		v.SetInt(rapid.Int64Range(least, most).Draw(t, "number"))
	case reflect.String:
		if tag.Get("maxLength") == "18" { // an SSCC
			v.SetString(rapid.SampledFrom([]string{"309521000000000002", "340123450000000017"}).Draw(t, "sscc"))
			return
		}
		v.SetString(rapid.StringMatching(`[ -~é漢"\\/&=%+]{0,30}x`).Draw(t, "text"))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		drawValue(t, v.Elem(), tag)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(1, 3).Draw(t, "items"), 3))
		for i := range v.Len() {
			drawValue(t, v.Index(i), "")
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Tag.Get("path") != "" || f.Tag.Get("required") == "true" || rapid.Bool().Draw(t, f.Name) {
				drawValue(t, v.Field(i), f.Tag)
			}
		}
	}
}

// drawInput returns a valid input.
func drawInput(t *rapid.T, spec *api.Spec) any {
	for range 50 {
		in := spec.NewInput()
		drawValue(t, reflect.ValueOf(in).Elem(), "")
		if o, ok := in.(*api.CreateOperatorInput); ok {
			o.Badge, o.PIN = "", strings.Repeat("0", 96)
		}
		if api.Check(in) == nil {
			return in
		}
	}
	t.Skip("no valid input found")
	return nil
}

// paths returns the values of the parameters of pattern in path.
func paths(t require.TestingT, pattern, path string) func(string) string {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	require.Len(t, got, len(want))
	return func(name string) string {
		for i := range want {
			if want[i] == "{"+name+"}" {
				return got[i]
			}
		}
		return ""
	}
}

func TestDecode_ReversesEncode(t *testing.T) {
	t.Parallel()
	checkInputs(t, func(t *rapid.T, spec *api.Spec, in any) {
		path, query, body, err := spec.Encode(in)
		require.NoError(t, err)
		require.NotContains(t, path, "{")
		decoded, err := spec.Decode(paths(t, spec.Path, path), query, body)
		require.NoError(t, err)
		require.Equal(t, in, decoded)
		a, err := spec.Fingerprint(in)
		require.NoError(t, err)
		b, err := spec.Fingerprint(decoded)
		require.NoError(t, err)
		require.Equal(t, a, b)
	})
}

// checkInputs calls check with random inputs of every operation.
func checkInputs(t *testing.T, check func(*rapid.T, *api.Spec, any)) {
	t.Helper()
	for _, spec := range api.Operations() {
		t.Run(spec.ID, func(t *testing.T) {
			t.Parallel()
			testenv.Inputs.Check(t, func(t *rapid.T) { check(t, spec, drawInput(t, spec)) })
		})
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	print := func(body string) [16]byte {
		in, err := api.AdjustStock.Spec.Decode(nil, nil, []byte(body))
		require.NoError(t, err)
		f, err := api.AdjustStock.Spec.Fingerprint(in)
		require.NoError(t, err)
		return f
	}
	plain := adjust("5")
	with := func(metadata string) string { return plain[:len(plain)-1] + `,"metadata":` + metadata + `}` }
	require.Equal(t, print(plain), print(adjust(" 5.0 ")))
	require.Equal(t, print(plain), print(with("null")))
	require.NotEqual(t, print(plain), print(adjust("6")))
	require.NotEqual(t, print(plain), print(with("{}")))
	require.Equal(t, print(with(`{"a":1,"b":"é"}`)), print(with(`{ "b":"\u00e9", "a":1.0 }`)))

	one, two := api.InboundInput{InboundID: uuid.New()}, api.InboundInput{InboundID: uuid.New()}
	a, _ := api.CancelInbound.Spec.Fingerprint(&one)
	b, _ := api.CancelInbound.Spec.Fingerprint(&two)
	c, _ := api.GetInbound.Spec.Fingerprint(&one)
	require.NotEqual(t, a, b)
	require.NotEqual(t, a, c)
}

// Stored fingerprints are compared with those of retries, so they must not change.
func TestFingerprint_IsOfTheCanonicalRequest(t *testing.T) {
	t.Parallel()
	checkInputs(t, func(t *rapid.T, spec *api.Spec, in any) {
		path, _, body, err := spec.Encode(in)
		require.NoError(t, err)
		canonical := jsontext.Value(body)
		if body != nil {
			require.NoError(t, canonical.Canonicalize(jsontext.CanonicalizeRawInts(false)))
		}
		if spec.BodyAdded && string(canonical) == "{}" {
			canonical = nil
		}
		want := sha256.Sum256([]byte(spec.Method + " " + path + "\n" + string(canonical)))
		got, err := spec.Fingerprint(in)
		require.NoError(t, err)
		require.Equal(t, want[:16], got[:])
	})
}
