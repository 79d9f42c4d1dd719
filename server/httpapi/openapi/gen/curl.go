package gen

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"bincard/server/api"
)

// curl returns a command that performs the operation, with shell variables for
// ids.
func curl(spec *api.Spec) string {
	path := spec.Path
	for _, part := range strings.Split(spec.Path, "/") {
		if strings.HasPrefix(part, "{") {
			path = strings.Replace(path, part, variable(strings.Trim(part, "{}")), 1)
		}
	}

	lines := []string{
		`curl "$URL/v1/organizations/$ORG` + path + exampleQuery(spec) + `"`,
		`-H "Authorization: Bearer $KEY"`,
	}
	if spec.Writes() {
		lines = append(lines, `-H "Idempotency-Key: $(date +%s)-$RANDOM"`)
		lines[0] = strings.Replace(lines[0], "curl ", "curl -X POST ", 1)
	}
	if HasBody(spec) {
		body := strings.TrimSpace(string(JSON(Example(spec))))
		lines = append(lines, `-H "Content-Type: application/json"`, "-d '"+withVariables(body)+"'")
	}

	return strings.Join(lines, " \\\n  ")
}

// exampleQuery is the query of the operation's example, in the order of its parameters.
func exampleQuery(spec *api.Spec) string {
	var pairs []string
	for _, f := range reflect.VisibleFields(spec.Input()) {
		name := f.Tag.Get("query")
		value, ok := spec.Example[name]
		switch {
		case name == "" || !ok:
			continue
		case value == nil:
			value = variable(name)
		}

		pairs = append(pairs, fmt.Sprintf("%s=%v", name, value))
	}

	if len(pairs) == 0 {
		return ""
	}

	return "?" + strings.Join(pairs, "&")
}

var idParameter = regexp.MustCompile(`\$[A-Z_]+`)

var idMember = regexp.MustCompile(`"(\w+Id)": "[0-9a-f-]{36}"`)

// withVariables replaces ids in a shell-quoted body by variables.
func withVariables(body string) string {
	return idMember.ReplaceAllStringFunc(body, func(m string) string {
		name := idMember.FindStringSubmatch(m)[1]
		return `"` + name + `": "'` + variable(name) + `'"`
	})
}

// variable returns the shell variable of an id: inboundId is $INBOUND_ID.
func variable(name string) string { return "$" + strings.ToUpper(snake(name)) }

// snake converts inboundId to inbound_id.
func snake(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}

	return b.String()
}
