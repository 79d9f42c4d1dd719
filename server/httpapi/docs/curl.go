package docs

import (
	"regexp"
	"strings"

	"bincard/server/api"
	"bincard/server/httpapi/openapi"
)

// exampleQueries are the query parameters that make the examples of some
// operations useful.
var exampleQueries = map[string]string{
	"listChanges":             "?after=0&wait=25",
	"lookup":                  "?code=OAT-1L",
	"listInbounds":            "?status=expected&limit=25",
	"listBalances":            "?productId=$PRODUCT_ID",
	"reportStockMovements":    "?operation=inbound_receive&limit=50",
	"listReservations":        "?status=pending",
	"listTransfers":           "?status=inTransit",
	"reportInventorySnapshot": "?status=inStock",
}

// curl returns a command that performs the operation, with shell variables for
// ids.
func curl(spec *api.Spec) string {
	path := spec.Path
	for _, part := range strings.Split(spec.Path, "/") {
		if strings.HasPrefix(part, "{") {
			path = strings.Replace(path, part, variable(strings.Trim(part, "{}")), 1)
		}
	}
	lines := []string{`curl "$URL/v1/organizations/$ORG` + path + exampleQueries[spec.ID] + `"`, `-H "Authorization: Bearer $KEY"`}
	if spec.Writes() {
		lines = append(lines, `-H "Idempotency-Key: $(date +%s)-$RANDOM"`)
		lines[0] = strings.Replace(lines[0], "curl ", "curl -X POST ", 1)
	}
	if openapi.HasBody(spec) {
		body := strings.TrimSpace(string(openapi.JSON(openapi.Example(spec))))
		lines = append(lines, `-H "Content-Type: application/json"`, "-d '"+withVariables(body)+"'")
	}
	return strings.Join(lines, " \\\n  ")
}

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
