package outbox

import (
	"cmp"
	"encoding/hex"
	"errors"
	"net/url"
	"strings"

	"bincard/server/api"
)

// NewCapture returns the capture of a request.
func NewCapture(req *api.Request) (*Capture, error) {
	target, _, body, err := req.Spec.Encode(req.Input)
	if err != nil {
		return nil, err
	}

	print, err := Fingerprint(req)
	if err != nil {
		return nil, err
	}

	return &Capture{
		Fingerprint: print,
		Key:         req.IdempotencyKey,
		SpecID:      req.Spec.ID,
		Target:      target,
		Body:        body,
		IfMatch:     req.IfMatch,
		Operator:    req.Operator,
		ApprovedBy:  req.ApprovedBy,
		Proof:       req.Proof,
		OccurredAt:  api.Instant(req.OccurredAt),
		Device:      cmp.Or(req.Device, req.Caller.KeyLabel, req.Caller.Actor.Label),
	}, nil
}

// Fingerprint returns the fingerprint of a request as text.
func Fingerprint(req *api.Request) (string, error) {
	print, err := req.Spec.Fingerprint(req.Input)
	return hex.EncodeToString(print[:]), err
}

// DecodeRequest returns the request of an operation with the target and body
// that api.Work reports.
func DecodeRequest(operation, target string, body []byte) (*api.Request, error) {
	c := Capture{SpecID: operation, Target: target, Body: body}
	return c.Request()
}

// Request returns the request of a capture.
func (c *Capture) Request() (*api.Request, error) {
	spec, names, err := c.path()
	if err != nil {
		return nil, err
	}

	in, err := spec.Decode(func(name string) string { return names[name] }, nil, c.Body)
	if err != nil {
		return nil, err
	}

	operator, supervisor := c.People()

	return &api.Request{Spec: spec, Input: in, IdempotencyKey: c.Key, Operator: operator, ApprovedBy: supervisor,
		Proof: c.Proof, Device: c.Device, IfMatch: c.IfMatch, OccurredAt: c.OccurredAt}, nil
}

// People returns who did the operation, and the supervisor who approved it.
func (c *Capture) People() (operator, supervisor string) {
	operator, supervisor = api.People(c.Operator)
	return operator, cmp.Or(c.ApprovedBy, supervisor)
}

// Approve records the supervisor who approved that a saved request is sent, unless another
// approved it when it was done, or it is their own.
func Approve(req *api.Request, supervisor string) {
	done := req.ApprovedBy
	if req.Proof != "" {
		return // it says whose role counts
	}
	if req.ApprovedBy = cmp.Or(done, supervisor); req.CheckPeople() != nil {
		req.ApprovedBy = done
	}
}

// MatchPath returns the values of the path parameters of pattern in target.
func MatchPath(pattern, target string) (map[string]string, bool) {
	p, t := strings.Split(pattern, "/"), strings.Split(target, "/")
	if len(p) != len(t) {
		return nil, false
	}

	names := map[string]string{}
	for i := range p {
		if name, ok := strings.CutPrefix(p[i], "{"); ok {
			value, err := url.PathUnescape(t[i])
			if err != nil {
				return nil, false
			}
			names[strings.TrimSuffix(name, "}")] = value
		} else if p[i] != t[i] {
			return nil, false
		}
	}

	return names, true
}

// path returns the Spec of a capture and the values of its path parameters.
func (c *Capture) path() (spec *api.Spec, names map[string]string, err error) {
	spec = api.FindOperation(c.SpecID)
	if spec == nil {
		return nil, nil, errors.New(
			api.Textf("this version does not know the operation %s; use the version that saved it", c.SpecID))
	}

	names, ok := MatchPath(spec.Path, c.Target)
	if !ok {
		err = errors.New(api.Textf("%s is not a target of %s", c.Target, c.SpecID))
	}

	return spec, names, err
}

// documentOf returns the id of the document that an operation is for, or empty if none.
func documentOf(c *Capture) string {
	spec, names, err := c.path()
	if err != nil || spec.Document == "" {
		return ""
	}
	return names[string(spec.Document)+"Id"]
}
