package api_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

const one = "0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0e"

func anyPath(string) string { return one }

// invalidFields decodes an invalid request and returns its problems by path.
func invalidFields(t *testing.T, spec *api.Spec, query, body string) map[string]api.FieldProblem {
	t.Helper()
	q, err := url.ParseQuery(query)
	require.NoError(t, err)
	_, err = spec.Decode(anyPath, q, []byte(body))
	require.Error(t, err)
	e := api.AsError(err)
	require.Equal(t, api.ValidationError, e.Code, "%v", err)
	out := map[string]api.FieldProblem{}
	for _, f := range e.Details["fields"].([]api.FieldProblem) {
		out[f.Path] = f
	}
	return out
}

func adjust(delta string) string {
	return fmt.Sprintf(`{"productId":%q,"locationId":%q,"inventoryState":"onHand","reason":"count","quantityDelta":%s}`, one, one, delta)
}

func TestDecode_Quantity(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"5": 5, "5.0": 5, "5e0": 5, "0.5e1": 5, "-3": -3, "-3.000": -3,
		"9007199254740991": api.MaxQuantity} {
		in, err := api.AdjustStock.Spec.Decode(nil, nil, []byte(adjust(text)))
		require.NoError(t, err, text)
		require.Equal(t, want, in.(*api.AdjustStockInput).QuantityDelta, text)
	}
	for text, rule := range map[string]string{
		"5.5": "number", `"5"`: "number", "1e400": "number", "null": "number", "true": "number", "[]": "number",
		"1e-99999": "number", "0.00001": "number", "9007199254740992": "maximum", "-9007199254740992": "maximum",
		"99999999999999999999": "number", "0": "nonzero", "0.0": "nonzero", "-0e9": "nonzero",
	} {
		require.Equal(t, rule, invalidFields(t, api.AdjustStock.Spec, "", adjust(text))["quantityDelta"].Rule, text)
	}
}

func TestDecode_QuotesMistypedNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{`"5"`: `must be a whole number, is the string "5"`, "5.5": "must be a whole number, is 5.5",
		"true": "must be a whole number, is true", "[5]": "must be a whole number, is an array", `{"a":5}`: "must be a whole number, is an object",
	} {
		require.Equal(t, want, invalidFields(t, api.AdjustStock.Spec, "", adjust(text))["quantityDelta"].Message, text)
	}
}

func TestDecode_Members(t *testing.T) {
	t.Parallel()
	got := invalidFields(t, api.FulfillOutbound.Spec, "", `{"quanity":5,"Reason":"x","reason":1,"quantity":2,"quantity":3,"ownerId":"x"}`)
	require.Equal(t, "unknown", got["quanity"].Rule)
	require.Contains(t, got["quanity"].Message, "channelId, lines, lots, metadata, ownerId, quantity")
	require.Contains(t, got["Reason"].Message, "use reason")
	require.Equal(t, "string", got["reason"].Rule)
	require.Equal(t, "duplicate", got["quantity"].Rule)
	require.Equal(t, "uuid", got["ownerId"].Rule)
	require.Len(t, got, 5)
}

func TestDecode_Escapes(t *testing.T) {
	t.Parallel()
	in, err := api.FulfillOutbound.Spec.Decode(anyPath, nil, []byte(`{"\u0071uantity":2,"reason":"a\"\u00e9\ud83d\ude00"}`))
	require.NoError(t, err)
	require.EqualValues(t, 2, *in.(*api.FulfillOutboundInput).Quantity)
	require.Equal(t, "a\"é😀", in.(*api.FulfillOutboundInput).Reason)
}

// An optional enumeration may be absent or null; an empty text is no value of it.
func TestDecode_EmptyEnumeration(t *testing.T) {
	t.Parallel()
	receive := func(state string) string {
		return `{"productId":"` + one + `","locationId":"` + one + `","quantity":1,"reason":"found","inventoryState":` + state + `}`
	}
	in, err := api.FulfillStock.Spec.Decode(nil, nil, []byte(receive("null")))
	require.NoError(t, err)
	require.Empty(t, in.(*api.FulfillStockInput).InventoryState)
	got := invalidFields(t, api.FulfillStock.Spec, "", receive(`""`))
	require.Len(t, got, 1)
	require.Equal(t, "enum", got["inventoryState"].Rule)
	require.Contains(t, got["inventoryState"].Message, `is ""`)
	require.Equal(t, "string", invalidFields(t, api.FulfillStock.Spec, "", receive("7"))["inventoryState"].Rule)

	move := `{"productId":"` + one + `","locationId":"` + one + `","quantity":1,"reason":"x","sourceState":"","destinationState":"available","lotStrategy":""}`
	got = invalidFields(t, api.MoveStock.Spec, "", move)
	require.Equal(t, "required", got["sourceState"].Rule)
	require.Equal(t, "enum", got["lotStrategy"].Rule)
}

func TestDecode_Boolean(t *testing.T) {
	t.Parallel()
	body := func(insist string) string {
		return `{"key":"a","operation":"adjustStock","target":"/stock/adjust","insist":` + insist + `}`
	}
	for text, want := range map[string]bool{"true": true, "false": false, "null": false} {
		in, err := api.ReplaceWork.Spec.Decode(anyPath, nil, []byte(body(text)))
		require.NoError(t, err)
		require.Equal(t, want, in.(*api.ReplaceWorkInput).Insist)
	}
	require.Equal(t, "boolean", invalidFields(t, api.ReplaceWork.Spec, "", body(`"true"`))["insist"].Rule)
}

func TestDecode_ReportsAllProblems(t *testing.T) {
	t.Parallel()
	got := invalidFields(t, api.CreateOutbound.Spec, "", `{"locationId":"`+one+`","lines":[{"requestedQuantity":0},{"productId":"nope","requestedQuantity":1.5,"x":1}],"expectedShipAt":"tomorrow"}`)
	for path, rule := range map[string]string{
		"lines[0].productId": "required", "lines[0].requestedQuantity": "minimum",
		"lines[1].productId": "uuid", "lines[1].requestedQuantity": "number", "lines[1].x": "unknown",
		"expectedShipAt": "date-time",
	} {
		require.Equal(t, rule, got[path].Rule, path)
	}
	require.Len(t, got, 6)
}

func TestDecode_Body(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"{", `{"quantity":}`, "[]", `"x"`, "null", "{} {}", "{}x", "\xff", `{"reason":"` + "\xff" + `"}`} {
		for _, spec := range []*api.Spec{api.ShipTransfer.Spec, api.CancelInbound.Spec} {
			_, err := spec.Decode(anyPath, nil, []byte(body))
			require.True(t, api.HasCode(err, api.InvalidJSON), "%s %q: %v", spec.ID, body, err)
		}
	}
	for _, body := range []string{"", " \n", "{}"} {
		for _, spec := range []*api.Spec{api.ShipTransfer.Spec, api.CancelInbound.Spec} {
			_, err := spec.Decode(anyPath, nil, []byte(body))
			require.NoError(t, err, "%s %q", spec.ID, body)
		}
	}
	_, err := api.FulfillOutbound.Spec.Decode(anyPath, nil, nil)
	require.True(t, api.HasCode(err, api.InvalidJSON), "a required body was missing: %v", err)
	_, err = api.FulfillOutbound.Spec.Decode(anyPath, nil, []byte("{}"))
	require.NoError(t, err)
}

func TestDecode_OptionalNull(t *testing.T) {
	t.Parallel()
	in, err := api.ReceiveInbound.Spec.Decode(anyPath, nil, []byte(`{"quantity":1,"reason":null,"lotId":null,"metadata":null,"serials":null,"receivedAt":null}`))
	require.NoError(t, err)
	require.Equal(t, &api.ReceiveInboundInput{InboundID: uuid.MustParse(one), Quantity: 1}, in)
	require.Equal(t, "required", invalidFields(t, api.AdjustStock.Spec, "", strings.Replace(adjust("1"), `"count"`, "null", 1))["reason"].Rule)
}

func TestDecode_Metadata(t *testing.T) {
	t.Parallel()
	receive := func(metadata string) string { return `{"quantity":1,"metadata":` + metadata + `}` }
	deep := func(n int) string { return strings.Repeat(`{"a":`, n-1) + "{}" + strings.Repeat("}", n-1) }
	big := func(n int) string { return `{"a":"` + strings.Repeat("x", n-8) + `"}` }
	for _, ok := range []string{"{}", deep(8), big(16 << 10), `{"[":"]]]]]]]]]]","\"{":1}`, `{"n":1e400}`} {
		in, err := api.ReceiveInbound.Spec.Decode(anyPath, nil, []byte(receive(ok)))
		require.NoError(t, err)
		require.Equal(t, ok, string(in.(*api.ReceiveInboundInput).Metadata))
		_, err = api.ReceiveInbound.Spec.Fingerprint(in)
		require.NoError(t, err)
	}
	for text, rule := range map[string]string{"[]": "object", `"x"`: "object", deep(9): "maxDepth",
		big(16<<10 + 1): "maxBytes", `{"a":1,"a":2}`: "duplicate", `{"b":[{"a":1,"a":2}]}`: "duplicate"} {
		require.Equal(t, rule, invalidFields(t, api.ReceiveInbound.Spec, "", receive(text))["metadata"].Rule, text)
	}
	got := invalidFields(t, api.ReceiveInbound.Spec, "", `{"quantity":1,"serials":[{"serialNumber":"a","metadata":[]}]}`)
	require.Equal(t, "object", got["serials[0].metadata"].Rule)
}

func TestDecode_Query(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"statuss=expected": "statuss unknown", "Status=expected": "Status unknown", "status=lost": "status enum",
		"status=%20": "status enum", "limit=0": "limit minimum", "limit=101": "limit maximum", "limit=x": "limit number",
		"limit=": "limit empty", "limit=1&limit=2": "limit duplicate", "productId=x": "productId uuid",
		"productId=00000000-0000-0000-0000-000000000000": "productId uuid",
		"createdFrom=2026-01-02":                         "createdFrom date-time", "externalOrderId=%ff": "externalOrderId text",
		"createdFrom=2026-01-02T00:00:00Z&createdTo=2026-01-01T00:00:00Z": "createdFrom order",
	} {
		path, rule, _ := strings.Cut(want, " ")
		require.Equal(t, rule, invalidFields(t, api.ListInbounds.Spec, query, "")[path].Rule, query)
	}
	q, _ := url.ParseQuery("status=expected&limit=100&createdFrom=2026-01-02T01:00:00%2B01:00&createdTo=2026-01-02T00:00:00Z")
	in, err := api.ListInbounds.Spec.Decode(nil, q, nil)
	require.NoError(t, err)
	got := in.(*api.ListInboundsInput)
	require.Equal(t, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), *got.CreatedFrom)
	require.EqualValues(t, 100, *got.Limit)
}

func TestDecode_Path(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "x", "urn:uuid:" + one, "{" + one + "}", strings.ReplaceAll(one, "-", ""), uuid.Nil.String(), "\xff"} {
		_, err := api.GetOutbound.Spec.Decode(func(string) string { return id }, nil, nil)
		require.True(t, api.HasCode(err, api.NotFound), "%q: %v", id, err)
	}
	_, err := api.GetOutbound.Spec.Decode(func(string) string { return strings.ToUpper(one) }, nil, nil)
	require.NoError(t, err)
}

// TestDecode_LimitsProblems requires that a large invalid body does not produce a large
// error.
func TestDecode_LimitsProblems(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"x":0`)
	for i := range 60_000 {
		fmt.Fprintf(&b, `,"m%d":1e-9999999`, i)
	}
	b.WriteString("}")
	for _, body := range []string{
		b.String(),
		`{"` + strings.Repeat("n", 1<<20) + `":1}`,
		`{"lines":[` + strings.Repeat("0,", 500_000) + `0]}`,
		`{"lines":[` + strings.Repeat(`{"requestedQuantity":1e-9999999},`, 30_000) + `{}]}`,
	} {
		_, err := api.CreateOutbound.Spec.Decode(anyPath, nil, []byte(body))
		e := api.AsError(err)
		require.Equal(t, api.ValidationError, e.Code)
		fields := e.Details["fields"].([]api.FieldProblem)
		require.Less(t, len(fmt.Sprint(fields)), 64<<10)
	}
}

func TestDecode_RejectsTimeOutOfRange(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01T00:00:00"} {
		got := invalidFields(t, api.ReceiveInbound.Spec, "", `{"quantity":1,"receivedAt":"`+s+`"}`)
		require.Equal(t, "date-time", got["receivedAt"].Rule, s)
	}
}
