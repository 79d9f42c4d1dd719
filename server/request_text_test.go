package server_test

import (
	"bytes"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// request returns a request of an operation and its body.
func (g *requestGenerator) request(op documentedOperation) (*http.Request, []byte) {
	g.begin(op)
	path, query, header := strings.Replace(op.path, "{organizationId}", g.organization(), 1), url.Values{}, http.Header{}
	stock := g.stock()
	parameters, _ := g.r.w.at(op.at)["parameters"].([]any)
	for i := range parameters {
		p, where := g.r.w.follow(op.at + "/parameters/" + strconv.Itoa(i))
		name := p["name"].(string)
		v := g.value(name, g.r.w.at(where+"/schema"))
		if known := stock[name]; known != nil {
			v = known
		}
		text := strings.Trim(string(g.json(v)), `"`)
		switch p["in"] {
		case "path":
			if text = strings.ReplaceAll(text, "/", ""); text == "" {
				text = "x"
			}
			if op.id == "archiveProduct" && slices.Contains(g.r.kept, text) {
				text = uuid.NewString()
			}
			path = strings.Replace(path, "{"+name+"}", url.PathEscape(text), 1)
		case "query":
			if name == "wait" {
				text = "0" // waiting would only take time
			}
			if g.includes(p["required"] == true) {
				query.Set(name, text)
			}
		case "header":
			if name != "Idempotency-Key" && g.IntN(12) == 0 && isHeader(text) {
				header.Set(name, text)
			}
		}
	}
	if g.rarely() {
		query.Set([]string{"x", "limit", "cursor", "Limit"}[g.IntN(4)], "x")
	}
	body := g.body(op, stock)
	g.headers(op, header, len(body) > 0)
	req, err := http.NewRequest(op.method, g.r.s.url+path+"?"+query.Encode(), bytes.NewReader(body))
	if err != nil {
		panic(err) // all parts are encoded
	}
	req.Header = header
	return req, body
}

// isHeader reports whether a text can be sent as a header.
func isHeader(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f })
}

// body returns the body of a request, which may be nil.
func (g *requestGenerator) body(op documentedOperation, stock map[string]any) []byte {
	schema, where := g.r.w.follow(op.at + "/requestBody/content/application~1json/schema")
	if schema == nil || op.method == http.MethodGet {
		if g.rarely() {
			return []byte([]string{"null", "[]", "{}", "{", `{"a":1}`}[g.IntN(5)])
		}
		return nil
	}
	if required := g.r.w.at(op.at + "/requestBody")["required"]; required != true && g.IntN(3) == 0 {
		return nil
	}
	example, _ := g.r.w.at(op.at + "/requestBody/content/application~1json")["example"].(map[string]any)
	m := g.object(g.r.w.at(where), example)
	for name := range m {
		if known := stock[name]; known != nil {
			m[name] = known
		}
	}
	g.suit(op, m)
	return g.damageText(g.json(m))
}

// suit makes a body suit its product, in most requests: assembling needs a kit, and some
// products need lots or serial numbers.
func (g *requestGenerator) suit(op documentedOperation, m map[string]any) {
	if g.IntN(5) == 0 {
		return
	}
	if strings.HasSuffix(op.id, "ssembleStock") {
		delete(m, "ownerId")
		maps.Copy(m, g.r.kit)
	}
	id, _ := m["productId"].(string)
	g.r.mu.Lock()
	tracking := g.r.tracking[id]
	g.r.mu.Unlock()
	switch op.id {
	case "registerPlate":
		if tracking == nil && id != "" {
			m["lines"] = []any{map[string]any{"productId": id, "quantity": 1}}
		}
	case "receiveStock":
		g.suitReceipt(tracking, m)
	}
}

func (g *requestGenerator) suitReceipt(tracking any, m map[string]any) {
	switch tracking {
	case "lot":
		m["lotCode"] = []string{"L-1", "L-2"}[g.IntN(2)]
	case "serial":
		delete(m, "quantity")
		m["serials"] = []any{map[string]any{"serialNumber": g.text("", nil)}}
	}
}
