package apiclient

import (
	"errors"
	"math"
	"net/http"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
)

// errorFrom returns the error that an answer carries. Only the service's own error
// body says what became of a request.
func (c *Client) errorFrom(ans *answer) error {
	var body struct {
		Error struct {
			Code      api.Code       `json:"code"`
			Message   string         `json:"message"`
			RequestID string         `json:"requestId"`
			Details   jsontext.Value `json:"details"`
		} `json:"error"`
	}

	if err := json.Unmarshal(ans.body, &body, lenient); err != nil || body.Error.Code == "" ||
		body.Error.Message == "" {
		if isJSON(ans) {
			return c.foreignAnswer(ans, errNoCode)
		}
		return c.foreignAnswer(ans, nil)
	}

	e := &api.Error{Code: body.Error.Code, Message: body.Error.Message,
		RequestID: body.Error.RequestID, Details: details(body.Error.Details)}
	if leavesOpen(ans.status) && e.Details["outcome"] == nil {
		if e.Details == nil {
			e.Details = api.Details{}
		}
		e.Details["outcome"] = Unknown
	}

	return e
}

var (
	errNoCode     = errors.New("no error code")
	errOtherWrite = errors.New("the answer to another write")
)

// leavesOpen reports whether a status leaves open whether the request was performed:
// something gave up waiting for the service.
func leavesOpen(status int) bool {
	return status == http.StatusRequestTimeout || status == 499 || status >= 500 && status != http.StatusNotImplemented
}

// details decodes the details of an error: whole numbers as int64, and fields
// as []api.FieldProblem.
func details(raw jsontext.Value) api.Details {
	var d api.Details
	if raw.Kind() != '{' || json.Unmarshal(raw, &d, lenient) != nil {
		return nil
	}

	var list struct {
		Fields []api.FieldProblem `json:"fields"`
	}
	problems := json.Unmarshal(raw, &list, lenient) == nil && len(list.Fields) > 0
	for k, v := range d {
		d[k] = wholeNumbers(v)
	}
	if problems {
		d["fields"] = list.Fields
	}

	return d
}

func wholeNumbers(v any) any {
	switch v := v.(type) {
	case float64:
		if v == math.Trunc(v) && math.Abs(v) <= api.MaxQuantity {
			return int64(v)
		}
	case []any:
		for i := range v {
			v[i] = wholeNumbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = wholeNumbers(v[k])
		}
	}

	return v
}

// excerpt returns the beginning of a body for a message.
func excerpt(body []byte) string {
	const limit = 80
	text := strings.ToValidUTF8(string(body[:min(len(body), 4*limit)]), "")
	text = strings.Join(
		strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if r := []rune(text); len(r) > limit {
		text = string(r[:limit]) + "…"
	}
	return text
}
