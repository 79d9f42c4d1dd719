package apiclient

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
)

// Do performs an operation on the remote service. Errors are *api.Error.
func (c *Client) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	id := req.RequestID
	if !isVisibleASCII(id, 128) {
		id = "req_" + api.NewKey()
	}

	res, err := c.do(ctx, req, id)
	if err != nil {
		e := api.AsError(err)
		if e.RequestID == "" {
			e.RequestID = id
		}
		return nil, e
	}

	return res, nil
}

func (c *Client) do(ctx context.Context, req *api.Request, id string) (*api.Response, error) {
	path, query, body, err := req.Spec.Encode(req.Input)
	if err != nil {
		return nil, api.Fail(api.ValidationError, nil, "Cannot encode the request: %v.", err)
	}

	header, err := headers(req, id)
	if err != nil {
		return nil, err
	}

	out := call{method: req.Spec.Method, url: c.base + path, query: query, body: body, header: header}
	if p, ok := req.Input.(api.Patient); ok {
		out.extraTimeout = p.Patience()
	}

	ans, err := c.send(ctx, out)
	if err != nil && !req.Spec.Writes() && worthRetrying(ctx, err) {
		ans, err = c.send(ctx, out)
	}
	if err != nil {
		return nil, err
	}
	if key := ans.header.Get(api.KeyHeader); req.Spec.Writes() && key != "" && key != req.IdempotencyKey {
		return nil, c.foreignAnswer(ans, errOtherWrite)
	}

	res, err := c.read(req.Spec, ans)
	if err == nil { // only the service's own answers carry its time
		c.offset.update(ans.header, c.now().Add(-time.Since(ans.ended)), ans.took)
	}

	return res, err
}

// headers returns the headers of a request, with the spelling to send.
func headers(req *api.Request, id string) (map[string]string, error) {
	h := map[string]string{"X-Request-Id": id}
	if !req.Spec.Writes() {
		return h, addNodeReport(h, req)
	}
	if req.IdempotencyKey == "" {
		return nil, api.Fail(api.IdempotencyKeyRequired, nil,
			"Each write needs its own idempotency key, reused on retries.")
	}
	if err := req.CheckPeople(); err != nil {
		return nil, err
	}

	var p api.Problems
	if !isVisibleASCII(req.IdempotencyKey, 255) {
		p.Add("Idempotency-Key", "header", "must be 1 to 255 visible ASCII characters")
	}

	operator := api.OperatorText(req.Operator, req.ApprovedBy) // as services of earlier versions expect it
	if strings.ContainsFunc(operator, func(r rune) bool { return !unicode.IsPrint(r) }) {
		p.Add("X-Operator", "header", "must be a name of printable characters")
	}
	if strings.ContainsFunc(req.IfMatch, func(r rune) bool { return r < ' ' || r > '~' }) {
		p.Add("If-Match", "header", "must be a version in quotes")
	}

	// With its usual spelling, net/http would resend a write by itself when a
	// connection breaks.
	h["idempotency-key"] = req.IdempotencyKey
	if operator != "" {
		h["X-Operator"] = operator
	}
	if req.ApprovedBy != "" {
		h["X-Approved-By"] = req.ApprovedBy
	}
	if req.Proof != "" {
		h[api.ProofHeader] = req.Proof
	}
	if req.Client != api.NoID {
		h["Bincard-Client"] = fmt.Sprintf("%s/%d", req.Client, req.ClientNumber)
	}
	if strings.ContainsFunc(req.Device, func(r rune) bool { return !unicode.IsPrint(r) }) {
		p.Add("Bincard-Device", "header", "must be a label of printable characters")
	}
	if req.Device != "" {
		h["Bincard-Device"] = req.Device
	}
	if !req.OccurredAt.IsZero() {
		h[api.OccurredAtHeader] = api.Instant(req.OccurredAt).Format(time.RFC3339Nano)
	}
	if req.IfMatch != "" {
		h["If-Match"] = req.IfMatch
	}
	if req.After != "" {
		h["Bincard-After"] = req.After
	}
	if req.AcceptRisk {
		h["Bincard-Insist"] = "true"
	}

	return h, p.Err()
}

// addNodeReport adds the header with which a node reports its state.
func addNodeReport(h map[string]string, req *api.Request) error {
	if req.Node == nil {
		return nil
	}
	if err := req.Node.Check(); err != nil {
		return err
	}

	text, err := json.Marshal(req.Node)
	h[api.NodeReportHeader] = string(text)

	return err
}
