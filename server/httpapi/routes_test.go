package httpapi_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
	"bincard/server/httpapi/openapi/gen"
)

var placeholder = regexp.MustCompile(`\{[^}]+\}`)

// path returns the path of an operation with an id for every placeholder.
func path(spec *api.Spec, organization, id string) string {
	p := strings.Replace(api.BasePath+spec.Path, "{organizationId}", organization, 1)
	return placeholder.ReplaceAllString(p, id)
}

// Every operation has the same checks before the service is called.
func TestRoutes_CheckRequests(t *testing.T) {
	t.Parallel()
	const id = "0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0f"
	own, foreign, unknown := organization.String(), uuid.NewString(), uuid.NewString()
	allScopes := func(c *httpapi.Config) {
		c.Authenticate = func(ctx context.Context, key string) (*api.Caller, error) {
			caller, err := authenticate(ctx, secret)
			if key == readOnly {
				caller.Scopes = nil
			} else if key != secret {
				return authenticate(ctx, key)
			} else {
				caller.Scopes = append(caller.Scopes, api.Admin)
			}
			return caller, err
		}
	}
	for _, spec := range api.Operations() {
		t.Run(spec.ID, func(t *testing.T) {
			t.Parallel()
			h := open(t, allScopes)
			refused := func(status int, code api.Code, at, body string, header ...string) problem {
				t.Helper()
				w := h.serve(newRequest(spec.Method, at, body, header...))
				p := problemOf(t, w)
				require.Equal(t, status, w.Code, "%+v", p)
				require.Equal(t, code, p.Code)
				require.Nil(t, h.request(), "the service was called")
				return p
			}
			at := path(spec, own, id)
			refused(401, api.Unauthorized, at, "", "Authorization")
			refused(401, api.Unauthorized, at, "", "Authorization: Bearer bc_live_x")
			p := refused(403, api.InsufficientScope, at, "", "Authorization: Bearer "+readOnly)
			require.Equal(t, string(spec.Scope), p.Details["requiredScope"])
			one := refused(404, api.NotFound, path(spec, foreign, id), "")
			other := refused(404, api.NotFound, path(spec, unknown, id), "")
			require.Equal(t, strings.Replace(one.Message, foreign, unknown, 1), other.Message)
			refused(406, api.NotAcceptable, at, "", "Accept: text/csv")
			refused(400, api.ValidationError, at+"?nosuch=1", "{}", "Content-Type: application/json")
			if placeholder.MatchString(spec.Path) {
				for _, bad := range []string{"7", id + "0", "00000000-0000-0000-0000-000000000000", "{" + id[:34] + "}"} {
					refused(404, api.NotFound, path(spec, own, bad), "")
				}
			}
			if !spec.Writes() {
				refused(400, api.ValidationError, at, `{"x":1}`, "Content-Type: application/json")
				return
			}
			refused(400, api.IdempotencyKeyRequired, at, "{}", "Idempotency-Key")
			refused(400, api.ValidationError, at, "{}", "Idempotency-Key: a b")
			refused(400, api.ValidationError, at, `{"quanity":1}`)
			refused(400, api.InvalidJSON, at, "{")
			refused(400, api.InvalidJSON, at, "[]")
			refused(415, api.UnsupportedMediaType, at, "{}", "Content-Type: text/plain")
			refused(413, api.PayloadTooLarge, at, strings.Repeat(" ", httpapi.MaxBody+1))
		})
	}
}

// Every code has its documented status.
func TestCodes_HaveDocumentedStatus(t *testing.T) {
	t.Parallel()
	want := map[int]string{
		400: "VALIDATION_ERROR INVALID_JSON INVALID_CURSOR IDEMPOTENCY_KEY_REQUIRED MALFORMED_REQUEST", 417: "EXPECTATION_FAILED", 431: "HEADERS_TOO_LARGE", 505: "HTTP_VERSION_NOT_SUPPORTED",
		401: "UNAUTHORIZED", 402: "PLAN_LIMIT_EXCEEDED", 403: "INSUFFICIENT_SCOPE LOCATION_NOT_ALLOWED APPROVAL_REQUIRED", 404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED",
		406: "NOT_ACCEPTABLE", 410: "CHANGES_GONE", 412: "VERSION_CONFLICT", 413: "PAYLOAD_TOO_LARGE", 415: "UNSUPPORTED_MEDIA_TYPE",
		422: "IDEMPOTENCY_KEY_REUSED", 429: "RATE_LIMITED", 500: "INTERNAL", 501: "NOT_IMPLEMENTED", 503: "UNAVAILABLE",
	}
	for _, f := range gen.Faults() {
		codes, known := want[f.Code.Status()]
		require.True(t, !known && f.Code.Status() == 409 || strings.Contains(" "+codes+" ", " "+string(f.Code)+" "), "%s is %d", f.Code, f.Code.Status())
	}
}
