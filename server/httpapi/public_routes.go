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

// pattern returns the route of an operation.
func pattern(spec *api.Spec) string { return spec.Method + " " + openapi.Base + spec.Path }

// routePublic binds the public routes.
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

// textPage serves a fixed text, which is created on first use.
func textPage(media string, text func() []byte) func(*exchange) {
	body := sync.OnceValue(text)
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

// A readiness is the answer of /readyz when the service is ready.
type readiness struct {
	Status   string   `json:"status"`
	Warnings []string `json:"warnings,omitzero"`
}

func (s *server) ready(x *exchange) {
	out := readiness{Status: "ready"}
	if s.Ready != nil {
		var err error
		if out.Warnings, err = s.Ready(x.r.Context()); err != nil {
			x.fail(unavailable(retryUnready, err, "The service is not ready: %v.", strings.TrimSuffix(err.Error(), ".")))
			return
		}
	}
	x.write(http.StatusOK, out)
}
