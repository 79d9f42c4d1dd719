package apiclient

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
)

// codeByStatus is the code for a status without an error body from the
// service.
var codeByStatus = map[int]api.Code{
	400: api.ValidationError, 401: api.Unauthorized, 402: api.PlanLimitExceeded, 403: api.InsufficientScope,
	404: api.NotFound, 405: api.MethodNotAllowed, 406: api.NotAcceptable, 409: "CONFLICT", 410: api.NotFound,
	412: api.VersionConflict, 413: api.PayloadTooLarge, 415: api.UnsupportedMediaType, 422: api.ValidationError,
	429: api.RateLimited, 500: api.InternalError, 501: api.NotImplemented,
}

// errorFrom returns the error that an answer carries.
func (c *Client) errorFrom(ans *answer) error {
	var body struct {
		Error struct {
			Code      api.Code       `json:"code"`
			Message   string         `json:"message"`
			RequestID string         `json:"requestId"`
			Details   jsontext.Value `json:"details"`
		} `json:"error"`
	}
	if err := json.Unmarshal(ans.body, &body, lenient); err == nil && body.Error.Code != "" {
		return &api.Error{Code: body.Error.Code, Message: body.Error.Message,
			RequestID: body.Error.RequestID, Details: details(body.Error.Details)}
	}
	code, ok := codeByStatus[ans.status]
	switch {
	case ok:
	case ans.status >= 500 || ans.status < 400:
		code = api.Unavailable
	default:
		code = api.ValidationError
	}
	e := api.Fail(code, nil, "%s answered status %d (%v) without an explanation: %s.", c.host, ans.status, http.StatusText(ans.status), excerpt(ans.body))
	if ans.status >= 500 || code == api.Unavailable {
		e.Details = api.Details{"outcome": Unknown}
	}
	return e
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
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if r := []rune(text); len(r) > limit {
		text = string(r[:limit]) + "…"
	}
	return strconv.Quote(text)
}
