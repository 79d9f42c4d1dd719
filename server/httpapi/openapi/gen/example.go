package gen

import (
	"crypto/sha256"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"bincard/server/api"
)

// samples are example values by field name.
var samples = map[string]any{
	"sku":    "OAT-1L",
	"name":   "Oat drink 1 l",
	"code":   "WH-1",
	"type":   "warehouse",
	"reason": "Count of 31 March",
	"barcodes": []any{
		"4006381333931",
	},
	"unitCode":         "box",
	"baseUnitCode":     "piece",
	"factor":           int64(12),
	"label":            "Dock",
	"lotCode":          "L2026-03",
	"serialNumber":     "SN-1001",
	"sourceState":      "available",
	"destinationState": "damaged",
	"inventoryState":   "onHand",
	"expiresAt":        "2026-12-31T00:00:00Z",
	"query":            "oat",
	"barcode":          "4006381333931",
	"tracking":         "lot",
	"locationCode":     "WH-1",
	"ownerCode":        "OWN",
	"channelCode":      "WEB",
	"productSku":       "OAT-1L",
}

// Example returns an example body for the operation, with the required members only, and
// those that a correction has an example of.
func Example(spec *api.Spec) Object {
	t := spec.Input()
	want := map[string]bool{}
	if spec.Method == http.MethodPatch {
		for name := range spec.Example {
			want[name] = true
		}
	}

	for range 4 { // rules that span fields can require members that are optional alone
		body := specific(spec, exampleOf(t, want))
		missing := invalidFields(spec, body)
		if len(missing) == 0 {
			return body
		}
		for _, m := range missing {
			want[m] = true
		}
	}

	return specific(spec, exampleOf(t, want))
}

// specific applies the example values of the Spec.
func specific(spec *api.Spec, body Object) Object {
	for i, m := range body {
		if v := spec.Example[m.Name]; v != nil {
			body[i].Value = v
		}
	}

	return body
}

// exampleOf returns an object with the required members of t and those in want.
func exampleOf(t reflect.Type, want map[string]bool) Object {
	out := Object{}
	for _, f := range reflect.VisibleFields(t) {
		if name, _ := memberOf(f); name != "" && (f.Tag.Get("required") == "true" || want[name]) {
			out = append(out, Member{name, exampleValue(name, f.Type)})
		}
	}

	return out
}

func exampleValue(name string, t reflect.Type) any {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}

	list := enumValues(t)
	switch s, ok := samples[name]; {
	case ok && (list == nil || contains(list, s)):
		return s
	case list != nil:
		return list[0]
	case t == idType:
		return exampleID(name)
	case t == timeType:
		return "2026-03-31T14:00:00Z"
	case t == metadataType:
		return Object{}
	}

	switch t.Kind() {
	case reflect.Bool:
		return true
	case reflect.String:
		return "example"
	case reflect.Slice:
		return []any{exampleValue(strings.TrimSuffix(name, "s"), t.Elem())}
	case reflect.Struct:
		return exampleOf(t, nil)
	}

	return int64(5)
}

func contains(list []string, v any) bool {
	for _, s := range list {
		if s == v {
			return true
		}
	}

	return false
}

// exampleID returns the id for a name, which is always the same.
func exampleID(name string) string {
	sum := sha256.Sum256([]byte(name))
	id := uuid.UUID(sum[:16])
	id[6], id[8] = id[6]&0x0f|0x70, id[8]&0x3f|0x80
	id[0], id[1] = 0x01, 0x9d
	return id.String()
}

// invalidFields returns the paths of the fields of a body that the operation rejects.
func invalidFields(spec *api.Spec, body Object) (fields []string) {
	_, err := spec.Decode(exampleID, url.Values{}, []byte(jsontext.Value(JSON(body))))
	if err == nil {
		return nil
	}

	list, _ := api.AsError(err).Details["fields"].([]api.FieldProblem)
	for _, p := range list {
		fields = append(fields, p.Path)
	}

	return fields
}
