package openapi

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// writeJSON writes a tree as indented JSON.
func writeJSON(b *bytes.Buffer, v any, indent string) {
	inner := indent + "  "
	switch v := v.(type) {
	case Object:
		if len(v) == 0 {
			b.WriteString("{}")
			return
		}
		for i, m := range v {
			b.WriteString([]string{"{\n", ",\n"}[min(i, 1)] + inner + quote(m.Name) + ": ")
			writeJSON(b, m.Value, inner)
		}
		b.WriteString("\n" + indent + "}")
	case []any:
		if len(v) == 0 {
			b.WriteString("[]")
			return
		}
		for i, x := range v {
			b.WriteString([]string{"[\n", ",\n"}[min(i, 1)] + inner)
			writeJSON(b, x, inner)
		}
		b.WriteString("\n" + indent + "]")
	default:
		b.WriteString(scalar(v))
	}
}

// writeYAML writes a tree as block YAML; lists of scalars stand on one line.
func writeYAML(b *bytes.Buffer, v any, indent string) {
	switch v := v.(type) {
	case Object:
		for i, m := range v {
			if i > 0 {
				b.WriteString(indent)
			}
			b.WriteString(yamlString(m.Name) + ":")
			follow(b, m.Value, indent+"  ")
		}
	case []any:
		for i, x := range v {
			if i > 0 {
				b.WriteString(indent)
			}
			b.WriteString("- ")
			if isNested(x) {
				writeYAML(b, x, indent+"  ")
			} else {
				b.WriteString(flow(x) + "\n")
			}
		}
	}
}

// follow writes the value of a member behind its colon.
func follow(b *bytes.Buffer, v any, indent string) {
	if text, ok := v.(string); ok && strings.Contains(text, "\n") {
		b.WriteString(" |-\n")
		for line := range strings.Lines(text) {
			b.WriteString(strings.TrimRight(indent+strings.TrimSuffix(line, "\n"), " ") + "\n")
		}
		return
	}
	if !isNested(v) {
		b.WriteString(" " + flow(v) + "\n")
		return
	}
	b.WriteString("\n" + indent)
	writeYAML(b, v, indent)
}

// isNested tells whether v takes lines of its own.
func isNested(v any) bool {
	switch v := v.(type) {
	case Object:
		return len(v) > 0
	case []any:
		for _, x := range v {
			switch x.(type) {
			case Object, []any:
				return true
			}
		}
	}
	return false
}

func flow(v any) string {
	switch v := v.(type) {
	case Object:
		return "{}"
	case []any:
		var parts []string
		for _, x := range v {
			parts = append(parts, flow(x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return yamlString(v)
	}
	return scalar(v)
}

// plainScalar are texts that YAML reads as themselves wherever they stand.
var plainScalar = regexp.MustCompile(`^[A-Za-z/$][A-Za-z0-9_./$()'-]*( [A-Za-z0-9_./$()'-]+)*$`)

// yamlString is a text as YAML: bare where it cannot be taken for something else,
// else in double quotes, which YAML reads as JSON does.
func yamlString(s string) string {
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return quote(s)
	}
	if plainScalar.MatchString(s) {
		return s
	}
	return quote(s)
}

func scalar(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return quote(v)
	}
	return fmt.Sprint(v)
}

func quote(s string) string {
	b, _ := jsontext.AppendQuote(nil, s) // the document's texts are valid UTF-8
	return string(b)
}
