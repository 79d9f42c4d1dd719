package gen

import (
	"fmt"
	"strings"

	"bincard/server/api"
)

// javaScript returns a call of the operation with fetch, with constants for ids.
func javaScript(spec *api.Spec) string {
	var b strings.Builder
	path := spec.Path
	for part := range strings.SplitSeq(spec.Path, "/") {
		if strings.HasPrefix(part, "{") {
			path = strings.Replace(path, part, "$"+part, 1)
		}
	}

	query := idParameter.ReplaceAllStringFunc(exampleQuery(spec), func(m string) string {
		return "${" + camel(strings.TrimPrefix(m, "$")) + "}"
	})
	fmt.Fprintf(&b, "const response = await fetch(`${url}/v1/organizations/${org}%s%s`, {\n", path, query)
	if spec.Writes() {
		fmt.Fprintf(&b, "  method: %q,\n", spec.Method)
	}

	b.WriteString("  headers: {\n    Authorization: `Bearer ${key}`,\n")
	if spec.Writes() {
		b.WriteString("    \"Idempotency-Key\": crypto.randomUUID(),\n")
	}

	body := ""
	if HasBody(spec) {
		b.WriteString("    \"Content-Type\": \"application/json\",\n")
		text := idMember.ReplaceAllString(strings.TrimSpace(string(JSON(Example(spec)))), `"$1": $1`)
		body = "  body: JSON.stringify(" + strings.ReplaceAll(text, "\n", "\n  ") + "),\n"
	}

	b.WriteString(
		"  },\n" + body + "});\nconst answer = await response.json();\nif (!response.ok) throw new Error(answer.error.message);",
	)

	return b.String()
}

// camel converts INBOUND_ID to inboundId.
func camel(s string) string {
	words := strings.Split(strings.ToLower(s), "_")
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	return strings.Join(words, "")
}
