// Package docs renders the documentation of the service as one self-contained
// HTML page, without scripts, fonts, images or external resources, from the
// same document as openapi.yaml.
package docs

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"sync"

	"bincard/server/api"
	"bincard/server/httpapi/openapi"
)

//go:embed page.html
var source string

//go:embed page.css
var style string

// HTML returns the page, which is rendered on first use.
var HTML = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	doc := openapi.Document()
	about, _ := doc.At("info").Get("description").(string)
	layout := template.Must(template.New("page").Parse(source))
	err := layout.Execute(&b, page{Version: openapi.Version, Style: template.CSS(style), About: paragraphs(about),
		Groups: groups(api.Operations()), Schemas: schemas(doc), Faults: openapi.Faults(), Headers: headers(doc), Own: own(doc)})
	if err != nil {
		panic(err) // the page has no input, so tests catch any error
	}
	return b.Bytes()
})

// Policy returns the Content-Security-Policy of the page: its own style and
// nothing else.
var Policy = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
})
