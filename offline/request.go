package offline

import (
	"cmp"
	"encoding/hex"
	"errors"
	"net/url"
	"strings"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// newCapture returns the capture of a request.
func newCapture(req *api.Request) (*outbox.Capture, error) {
	target, body, err := encodeInput(req)
	if err != nil {
		return nil, err
	}
	print, err := fingerprint(req)
	if err != nil {
		return nil, err
	}
	return &outbox.Capture{Fingerprint: print, Key: req.IdempotencyKey, SpecID: req.Spec.ID, Target: target, Body: body,
		IfMatch: req.IfMatch, Operator: req.Operator, Device: cmp.Or(req.Caller.KeyLabel, req.Caller.Actor.Label)}, nil
}

// encodeInput returns the path and body of a request.
func encodeInput(req *api.Request) (target string, body []byte, err error) {
	target, _, body, err = req.Spec.Encode(req.Input)
	if err != nil {
		return "", nil, api.Internal(err)
	}
	return target, body, nil
}

// fingerprint returns the fingerprint of a request as text.
func fingerprint(req *api.Request) (string, error) {
	print, err := req.Spec.Fingerprint(req.Input)
	if err != nil {
		return "", api.Internal(err)
	}
	return hex.EncodeToString(print[:]), nil
}

// DecodeRequest returns the request of an operation with the target and body
// that api.Work reports.
func DecodeRequest(operation, target string, body []byte) (*api.Request, error) {
	return requestOf(&outbox.Capture{SpecID: operation, Target: target, Body: body})
}

// requestOf returns the request of a capture.
func requestOf(c *outbox.Capture) (*api.Request, error) {
	spec := api.FindOperation(c.SpecID)
	if spec == nil {
		return nil, errors.New(api.Textf("this version does not know the operation %s; use the version that saved it", c.SpecID))
	}
	names, ok := matchPath(spec.Path, c.Target)
	if !ok {
		return nil, errors.New(api.Textf("%s is not a target of %s", c.Target, c.SpecID))
	}
	in, err := spec.Decode(func(name string) string { return names[name] }, nil, c.Body)
	if err != nil {
		return nil, err
	}
	return &api.Request{Spec: spec, Input: in, IdempotencyKey: c.Key, Operator: c.Operator, IfMatch: c.IfMatch}, nil
}

// matchPath returns the values of the path parameters of pattern in target.
func matchPath(pattern, target string) (map[string]string, bool) {
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
