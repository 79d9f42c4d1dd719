package httpapi

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"bincard/server/api"
	"bincard/server/httpapi/docs"
	"bincard/server/httpapi/openapi"
)

// publicRoutes are the paths outside any organization. They need no key.
var publicRoutes = []string{"/healthz", "/readyz", "/metrics", "/openapi.yaml", "/openapi.json", "/docs"}

// pattern is the route of an operation.
func pattern(spec *api.Spec) string { return spec.Method + " " + openapi.Base + spec.Path }

// routePublic binds what the service tells of itself.
func (s *server) routePublic() {
	s.route("GET /healthz", s.health)
	s.route("GET /readyz", s.ready)
	s.route("GET /metrics", s.meters.serve())
	s.route("GET /openapi.yaml", textPage("application/yaml", openapi.YAML))
	s.route("GET /openapi.json", textPage("application/json", func() []byte { return openapi.JSON(openapi.Document()) }))
	html := textPage("text/html; charset=utf-8", docs.HTML)
	s.route("GET /docs", func(x *exchange) {
		x.Header().Set("Content-Security-Policy", docs.Policy())
		html(x)
	})
}

// textPage answers with a text that is the same as long as the process runs. It is
// made when it is first asked for.
func textPage(media string, make func() []byte) func(*exchange) {
	body := sync.OnceValue(make)
	tag := sync.OnceValue(func() string { return fmt.Sprintf(`"%x"`, sha256.Sum256(body())) })
	return func(x *exchange) {
		h := x.Header()
		h.Set("Content-Type", media)
		h.Set("Cache-Control", "no-cache")
		h.Set("Etag", tag())
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		http.ServeContent(x, x.r, "", time.Time{}, bytes.NewReader(body()))
	}
}

func (s *server) health(x *exchange) { x.write(http.StatusOK, map[string]string{"status": "ok"}) }

// A readiness is what /readyz answers where requests are welcome.
type readiness struct {
	Status   string   `json:"status"`
	Warnings []string `json:"warnings,omitzero"`
}

func (s *server) ready(x *exchange) {
	out := readiness{Status: "ready"}
	if s.Ready != nil {
		var err error
		if out.Warnings, err = s.Ready(x.r.Context()); err != nil {
			x.fail(unavailable(retryUnready, err, "The service is not ready: %s.", strings.TrimSuffix(err.Error(), ".")))
			return
		}
	}
	x.write(http.StatusOK, out)
}
