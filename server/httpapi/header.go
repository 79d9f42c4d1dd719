package httpapi

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"bincard/server/api"
)

// decodeHeader decodes the headers of the request, and checks that the client
// accepts JSON.
func decodeHeader(req *api.Request, h http.Header) error {
	if !accepts(h["Accept"]) {
		return api.Fail(api.NotAcceptable, nil, "Responses are application/json; the Accept header excludes it.")
	}
	if !req.Spec.Writes() {
		return readNodeReport(req, h)
	}

	keys := h["Idempotency-Key"]
	if len(keys) == 0 || keys[0] == "" {
		return api.Fail(api.IdempotencyKeyRequired, nil,
			"Send an Idempotency-Key header: a new value for each write, the same value for its retries.")
	}
	if len(keys) > 1 || !isVisible(keys[0], 255) {
		return fieldError("Idempotency-Key", "header", "must be a single value of 1 to 255 visible ASCII characters")
	}

	req.IdempotencyKey = keys[0]
	if err := readPeople(req, h); err != nil {
		return err
	}
	if err := readOrigin(req, h); err != nil {
		return err
	}

	if v := h["If-Match"]; len(v) > 0 && v[0] != "" {
		if len(v) > 1 || !isVersion(v[0]) {
			return fieldError("If-Match", "header", `must be a single quoted version, like "7"`)
		}
		req.IfMatch = v[0]
	}

	return nil
}

// readPeople reads the operator and who approved the write. Earlier services need both in
// X-Operator, so an approval may be repeated there. Earlier terminals have it there alone, as
// any client could: such a text is recorded, but not as an approval.
func readPeople(req *api.Request, h http.Header) error {
	for _, x := range []struct {
		header string
		value  *string
	}{{"X-Operator", &req.Operator}, {"X-Approved-By", &req.ApprovedBy}, {api.ProofHeader, &req.Proof}} {
		if v := h[x.header]; len(v) > 0 && v[0] != "" {
			if len(v) > 1 || !isPrintable(v[0]) {
				return fieldError(x.header, "header", "must be a single name of at most 255 printable characters")
			}
			*x.value = v[0]
		}
	}

	req.Operator = strings.TrimSuffix(req.Operator, api.OperatorText("", req.ApprovedBy))
	if strings.HasPrefix(h.Get("User-Agent"), "bincard") {
		req.Operator = api.Unconfirmed(req.Operator)
	}

	return req.CheckPeople()
}

// readOrigin reads the headers with which a node says where and when a write was made.
func readOrigin(req *api.Request, h http.Header) error {
	if v := h["Bincard-Client"]; len(v) > 0 && v[0] != "" {
		id, number, _ := strings.Cut(v[0], "/")
		client, err := uuid.Parse(id)
		n, nan := strconv.ParseInt(number, 10, 64)
		if len(v) > 1 || err != nil || len(id) != 36 || nan != nil || n < 1 || n > api.MaxQuantity {
			return fieldError("Bincard-Client", "header",
				"must be a single UUID and number, like 0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0e/17")
		}
		req.Client, req.ClientNumber = client, n
	}

	if v := h["Bincard-Device"]; len(v) > 0 && v[0] != "" {
		if len(v) > 1 || !isPrintable(v[0]) {
			return fieldError("Bincard-Device", "header", "must be a single label of at most 255 printable characters")
		}
		req.Device = v[0]
	}

	if v := h[api.OccurredAtHeader]; len(v) > 0 && v[0] != "" {
		at, err := time.Parse(time.RFC3339, v[0])
		if len(v) > 1 || err != nil {
			return fieldError(api.OccurredAtHeader, "header", "must be a single RFC 3339 time")
		}
		req.OccurredAt = at
	}

	return nil
}

// readNodeReport reads what a node says about itself when it reads the changes.
func readNodeReport(req *api.Request, h http.Header) (err error) {
	v := h[api.NodeReportHeader]
	if req.Spec != api.ListChanges.Spec || len(v) == 0 {
		return nil
	}
	if len(v) > 1 {
		return fieldError(api.NodeReportHeader, "header", "must be a single report")
	}

	req.Node, err = api.ParseNodeReport(v[0])

	return err
}

// fieldError returns the error of one invalid field.
func fieldError(path, rule, message string) error {
	var p api.Problems
	p.Add(path, rule, "%v", api.Text(message))
	return p.Err()
}

// requestID returns the request id that the client sent, if it is acceptable,
// else a new one.
func requestID(r *http.Request) string {
	if v := r.Header["X-Request-Id"]; len(v) == 1 && isVisible(v[0], 128) && !looksLikeKey(v[0]) {
		return v[0]
	}
	return newID()
}

// newID returns a new request id. It need not be secret.
func newID() string {
	const digits = "0123456789abcdefghijklmnopqrstuv"
	var b [24]byte
	copy(b[:], "req_")
	hi, lo := rand.Uint64(), rand.Uint64()
	for i := range 10 {
		b[4+i], b[14+i] = digits[hi>>(5*i)&31], digits[lo>>(5*i)&31]
	}
	return string(b[:])
}

// looksLikeKey reports whether s may contain an API key. Request ids are
// logged, and a client may have sent its key by mistake.
func looksLikeKey(s string) bool {
	s = strings.ToLower(s)
	return strings.Contains(s, "bc_live_") || strings.Contains(s, "bc_test_")
}

// isVisible reports whether s has 1 to limit characters, all visible ASCII.
func isVisible(s string, limit int) bool {
	if s == "" || len(s) > limit {
		return false
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}

	return true
}

func isPrintable(s string) bool {
	if !utf8.ValidString(s) || utf8.RuneCountInString(s) > 255 || strings.TrimSpace(s) == "" {
		return false
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
	}

	return true
}

func isVersion(s string) bool {
	text, err := strconv.Unquote(s)
	if err != nil || s[0] != '"' {
		return false
	}
	_, err = strconv.ParseUint(text, 10, 63)
	return err == nil
}

// accepts reports whether the client accepts application/json. The most
// specific media range decides.
func accepts(values []string) bool {
	if len(values) == 0 || values[0] == "*/*" || values[0] == "application/json" {
		return true
	}

	best, ok, found := 0, false, false
	for _, v := range values {
		for part := range strings.SplitSeq(v, ",") {
			media, params, _ := strings.Cut(part, ";")
			media = strings.ToLower(strings.TrimSpace(media))
			found = found || media != ""
			rank := map[string]int{"*/*": 1, "application/*": 2, "application/json": 3}[media]
			if rank > best {
				best, ok = rank, !isRefused(params)
			}
		}
	}

	return ok || !found
}

// isRefused reports whether the parameters of a media range set its weight to
// 0.
func isRefused(params string) bool {
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if strings.EqualFold(name, "q") {
			q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return err == nil && q == 0
		}
	}

	return false
}
