package gen

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"sync"

	"bincard/server/api"
)

//go:embed page.html
var pageSource string

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

// DocsHTML returns the page, which is rendered on first use.
var DocsHTML = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	doc := Document()
	about, _ := doc.At("info").Get("description").(string)
	layout := template.Must(template.New("page").Parse(pageSource))
	err := layout.Execute(&b, docsPage{
		Version: Version,
		Style:   template.CSS(pageStyle),
		Script:  template.JS(pageScript),
		About:   paragraphs(about),
		Groups:  groups(api.Operations()),
		Schemas: linkedSchemas(doc),
		Faults:  faults(doc),
		Headers: headers(doc),
		Own:     own(doc),
	})
	if err != nil {
		panic(err) // the page has no input, so tests catch any error
	}

	return b.Bytes()
})

// DocsPolicy returns the Content-Security-Policy of the page: its own style and script, and
// nothing else.
var DocsPolicy = sync.OnceValue(func() string {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; style-src " + hash(pageStyle) + "; script-src " + hash(pageScript) +
		"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
})
