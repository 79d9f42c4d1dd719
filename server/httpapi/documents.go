package httpapi

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed" // the documents
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// The OpenAPI document, the documentation page and its Content-Security-Policy, which
// package gen makes. Its tests fail when they are out of date.
var (
	//go:embed openapi/openapi.yaml
	openapiYAML []byte
	//go:embed openapi/openapi.json.gz
	openapiJSON []byte
	//go:embed openapi/docs.html.gz
	docsHTML []byte
	//go:embed openapi/docs_policy.txt
	docsPolicy string
)

// routeDocuments binds the routes of the documents.
func (s *server) routeDocuments() {
	s.bind("GET /openapi.yaml", document("application/yaml", func() []byte { return openapiYAML }))
	s.bind("GET /openapi.json", document("application/json", func() []byte { return decompress(openapiJSON) }))
	html := document("text/html; charset=utf-8", func() []byte { return decompress(docsHTML) })
	s.bind("GET /docs", func(x *exchange) {
		x.Header().Set("Content-Security-Policy", docsPolicy)
		html(x)
	})
}

func decompress(data []byte) []byte {
	var out []byte
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		out, err = io.ReadAll(r)
	}
	if err != nil {
		panic(err) // the data is embedded, so tests catch any error
	}

	return out
}

// document serves a fixed text.
func document(media string, text func() []byte) func(*exchange) {
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
