// Package docs renders the documentation of the service as one self-contained
// HTML page, without fonts, images or external resources, from the same document as
// openapi.yaml. A script adds search and copy buttons; the page is complete without it.
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

//go:embed page.js
var script string

// HTML returns the page, which is rendered on first use.
var HTML = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	doc := openapi.Document()
	about, _ := doc.At("info").Get("description").(string)
	layout := template.Must(template.New("page").Parse(source))
	err := layout.Execute(&b, page{
		Version: openapi.Version,
		Style:   template.CSS(style),
		Script:  template.JS(script),
		About:   paragraphs(about),
		Groups:  groups(api.Operations()),
		Schemas: schemas(doc),
		Faults:  faults(doc),
		Headers: headers(doc),
		Own:     own(doc),
	})
	if err != nil {
		panic(err) // the page has no input, so tests catch any error
	}
	return b.Bytes()
})

// Policy returns the Content-Security-Policy of the page: its own style and script, and
// nothing else.
var Policy = sync.OnceValue(func() string {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script) +
		"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
})
