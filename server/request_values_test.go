package server_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"bincard/server/api"
)

// otherNames are the names under which answers have what a request names otherwise.
var otherNames = map[string]string{"sourceLocationId": "locationId", "destinationLocationId": "locationId", "after": "seq",
	"productSku": "sku", "locationCode": "code", "query": "name", "reference": "referenceId"}

// value returns a value for a schema, whose member has a name.
func (g *requestGenerator) value(name string, schema map[string]any) any {
	for schema["$ref"] != nil {
		schema = g.r.w.at(schema["$ref"].(string))
	}
	if g.faulty && g.IntN(15) == 0 {
		return g.wrong()
	}
	if either, ok := schema["anyOf"].([]any); ok {
		return g.value(name, either[g.IntN(len(either))].(map[string]any))
	}
	if either, ok := schema["oneOf"].([]any); ok {
		return g.value(name, either[g.IntN(len(either))].(map[string]any))
	}
	if list, ok := schema["enum"].([]any); ok {
		return list[g.IntN(len(list))]
	}
	kind, _ := schema["type"].(string)
	if list, ok := schema["type"].([]any); ok {
		if kind = list[0].(string); g.IntN(10) == 0 {
			return nil
		}
	}
	switch kind {
	case "boolean":
		return g.IntN(2) == 0
	case "integer", "number":
		return g.integer(name, schema)
	case "array":
		list := []any{}
		for range g.length(schema, "minItems", "maxItems") {
			list = append(list, g.value(strings.TrimSuffix(name, "s"), schema["items"].(map[string]any)))
		}
		return list
	case "object":
		return g.object(schema, nil)
	case "null":
		return nil
	}
	return g.text(name, schema)
}

// object returns an object. Members in the example of the operation are required together.
func (g *requestGenerator) object(schema, example map[string]any) map[string]any {
	out := map[string]any{}
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	names := make([]string, 0, len(properties))
	for name := range properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if g.includes(slices.Contains(required, any(name)) || example[name] != nil) {
			out[name] = g.value(name, properties[name].(map[string]any))
		}
	}
	if properties == nil || g.faulty && g.IntN(40) == 0 {
		out[fmt.Sprint("x", g.IntN(3))] = []any{g.IntN(9), "text", map[string]any{"a": nil}}[g.IntN(3)]
	}
	return out
}

// length returns the length of a list: mostly short, sometimes at its limit or beyond.
func (g *requestGenerator) length(schema map[string]any, least, most string) int {
	n := limitOf(schema, least, 0) + int64(g.IntN(3))
	limit := limitOf(schema, most, 3)
	if g.faulty && g.IntN(30) == 0 {
		return int(min(limit+1, 2000))
	}
	return int(min(n, limit))
}

func limitOf(schema map[string]any, name string, otherwise int64) int64 {
	if schema[name] == nil {
		return otherwise
	}
	var n int64
	_, _ = fmt.Sscan(fmt.Sprint(schema[name]), &n)
	return n
}

// integer returns a number: mostly a small one, sometimes one at a limit.
func (g *requestGenerator) integer(name string, schema map[string]any) int64 {
	least, most := limitOf(schema, "minimum", -api.MaxQuantity), limitOf(schema, "maximum", api.MaxQuantity)
	switch g.IntN(60) {
	case 0:
		return least
	case 1:
		return most
	case 2:
		return max(least, min(most, int64(g.IntN(100_000))))
	}
	n := int64(1 + g.IntN(6))
	if name == "quantityDelta" {
		n *= 50
	}
	if least < 0 && g.IntN(3) == 0 {
		n = -n
	}
	return max(least, min(most, n))
}

// text returns a string: one that an answer had under this name, or a new one.
func (g *requestGenerator) text(name string, schema map[string]any) string {
	if other := otherNames[name]; other != "" {
		name = other
	}
	known, _ := g.r.any(name, g.Rand).(string)
	switch schema["format"] {
	case "uuid":
		if known != "" && g.IntN(25) > 0 {
			return known
		}
		return uuid.NewString()
	case "date-time":
		at := g.r.s.clock.Now().Add(time.Duration(g.IntN(60*24)-60*12) * time.Hour)
		if name == "expiresAt" || name == "expirationDate" {
			at = g.r.s.clock.Now().Add(time.Duration(1+g.IntN(60*24)) * time.Minute)
		}
		return at.UTC().Format(time.RFC3339)
	}
	switch name {
	case "badge":
		return fmt.Sprintf("%067x", g.Uint64())
	case "pin":
		return fmt.Sprintf("%096x", g.Uint64())
	case "sscc":
		return []string{"309521000000000002", "309521000000000019", "309521000000000026"}[g.IntN(3)]
	}
	if reused := 40 - 38*strings.Count(g.op.id, "create"); known != "" && g.IntN(50) < reused {
		return known
	}
	switch name {
	case "Bincard-Client":
		return fmt.Sprintf("%s/%d", uuid.NewString(), 1+g.IntN(100))
	case "If-Match":
		return fmt.Sprintf(`"%d"`, 1+g.IntN(4))
	}
	n := int(limitOf(schema, "minLength", 0)) + 4 + g.IntN(6)
	if g.IntN(50) == 0 {
		n = int(limitOf(schema, "maxLength", 255))
	}
	const letters = "ABCDEFGHKLMNPQRSTUVWXYZ23456789-"
	var b strings.Builder
	for range n {
		b.WriteByte(letters[g.IntN(len(letters)-1)])
	}
	if g.faulty && g.IntN(15) == 0 {
		b.WriteString([]string{"\x00", "\u202e", "ä ö", "\n", "<b>", strings.Repeat("x", 2000)}[g.IntN(6)])
	}
	return b.String()
}

// wrong returns a value that most members do not have.
func (g *requestGenerator) wrong() any {
	return []any{nil, true, -1, 0, 1.5, 1e300, "", "x", []any{}, []any{nil}, map[string]any{}, map[string]any{"id": 1},
		jsontext.Value("9007199254740993"), jsontext.Value("1e400"), "0198c5e2", "2026-02-30T00:00:00Z"}[g.IntN(16)]
}

func (g *requestGenerator) json(v any) []byte {
	text, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		panic(err) // values have only what JSON has
	}
	return text
}

// damageText makes a body that is not valid JSON, at times.
func (g *requestGenerator) damageText(text []byte) []byte {
	if !g.rarely() {
		return text
	}
	switch at := g.IntN(len(text)); g.IntN(4) {
	case 0:
		return text[:at]
	case 1:
		return append(text, text...)
	case 2:
		return append([]byte(`{"sku":"A","sku":"B",`), text[1:]...)
	default:
		return slices.Insert(slices.Clone(text), at, byte(g.IntN(256)))
	}
}
