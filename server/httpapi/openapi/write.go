package openapi

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// writeJSON writes v as indented JSON.
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

// writeYAML writes v as block YAML, with lists of scalars on one line.
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

// follow writes the value of a member after its colon.
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

// isNested reports whether v needs lines of its own.
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

// plainScalar matches strings that need no quotes in YAML.
var plainScalar = regexp.MustCompile(`^[A-Za-z/$][A-Za-z0-9_./$()'-]*( [A-Za-z0-9_./$()'-]+)*$`)

// yamlString encodes a string as YAML: plain if it is unambiguous, else in
// double quotes, with the same escapes as JSON.
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
	b, _ := jsontext.AppendQuote(nil, s) // fails only for invalid UTF-8
	return string(b)
}
