package api_test

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// Decoding stops soon after the limit of a list, so that a body of a megabyte
// costs no more than one of the largest valid ones.
func TestDecode_StopsAtListLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spec        *api.Spec
		list, field string
	}{
		{api.ReceiveStock.Spec, "serials", `"productId":"x"`},
		{api.CreateProduct.Spec, "components", `"sku":"x","name":"x"`},
		{api.CreateOutbound.Spec, "lines", `"customerName":"x"`},
	} {
		body := `{` + c.field + `,"` + c.list + `":[` + strings.Repeat("{},", 300_000) + `{}]}`
		require.Equal(t, "maxItems", invalidFields(t, c.spec, "", body)[c.list].Rule)
		require.Equal(t, "maxItems", invalidFields(t, c.spec, "", body[:len(body)/2])[c.list].Rule, "the rest is not read")
		in, err := c.spec.Decode(anyPath, nil, []byte(body))
		require.Error(t, err)
		list := reflect.ValueOf(in).Elem().FieldByName(strings.ToUpper(c.list[:1]) + c.list[1:])
		require.LessOrEqual(t, list.Len(), 1000, c.list)
	}
}

// Every list in a body has a limit.
func TestDecode_ListsHaveLimits(t *testing.T) {
	t.Parallel()
	var check func(path string, typ reflect.Type)
	check = func(path string, typ reflect.Type) {
		for _, f := range reflect.VisibleFields(typ) {
			if f.Anonymous || f.Tag.Get("json") == "-" || f.Type.Kind() != reflect.Slice || f.Type == reflect.TypeFor[jsontext.Value]() {
				continue
			}
			require.NotEmpty(t, f.Tag.Get("maxItems"), "%s.%s", path, f.Name)
			if f.Type.Elem().Kind() == reflect.Struct {
				check(path+"."+f.Name, f.Type.Elem())
			}
		}
	}
	for _, spec := range api.Operations() {
		check(spec.ID, spec.Input())
	}
}

// Unknown members and parameters are reported ten times, and the allowed ones once.
func TestDecode_LimitsUnknown(t *testing.T) {
	t.Parallel()
	var query []string
	body := strings.Builder{}
	body.WriteString(`{"same":1`)
	for i := range 2000 {
		query = append(query, fmt.Sprintf("a%d=", i))
		fmt.Fprintf(&body, `,"same":1,"b%d":1`, i)
	}
	values, err := url.ParseQuery(strings.Join(query, "&"))
	require.NoError(t, err)
	for name, decode := range map[string]func() (any, error){
		"query": func() (any, error) { return api.ReportMovements.Spec.Decode(anyPath, values, nil) },
		"body":  func() (any, error) { return api.AdjustStock.Spec.Decode(anyPath, nil, []byte(body.String()+"}")) },
	} {
		_, err := decode()
		unknown, lists := 0, 0
		for _, f := range api.AsError(err).Details["fields"].([]api.FieldProblem) {
			if f.Rule == "unknown" {
				unknown++
				lists += strings.Count(f.Message, "allowed")
			}
		}
		require.LessOrEqual(t, unknown, 10, name)
		require.Greater(t, unknown, 3, name)
		require.Equal(t, 1, lists, name)
	}
}

// An invalid list produces no more problems than an error can show.
func TestCheck_LimitsProblems(t *testing.T) {
	t.Parallel()
	err := api.Check(&api.CreateProductInput{SKU: "X", Name: "X", Components: make([]api.Component, 100)})
	require.Len(t, api.AsError(err).Details["fields"], 100)
}
