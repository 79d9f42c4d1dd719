// Package docs is the documentation of the service as one page of HTML that
// needs nothing else: no script, no font, no image, nothing from the internet.
// It is made from the same document as openapi.yaml.
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

// HTML is the page. It is made when it is first asked for: a terminal never asks.
var HTML = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	doc := openapi.Document()
	about, _ := doc.At("info").Get("description").(string)
	layout := template.Must(template.New("page").Parse(source))
	err := layout.Execute(&b, page{Version: openapi.Version, Style: template.CSS(style), About: paragraphs(about),
		Groups: groups(api.Operations()), Schemas: schemas(doc), Faults: openapi.Faults(), Headers: headers(doc), Own: own(doc)})
	if err != nil {
		panic(err) // the page has no input: it is right or it never is
	}
	return b.Bytes()
})

// Policy is the Content-Security-Policy of the page: its own style and nothing else.
var Policy = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
})

// A page is what the layout shows.
type page struct {
	Version string
	Style   template.CSS
	About   []string
	Groups  []group
	Schemas []schema
	Faults  []openapi.Fault
	Headers []field
	Own     []route
}

// A group is the operations on one resource.
type group struct {
	Name, Says string
	Operations []operation
}

// An operation is as the page shows it.
type operation struct {
	*api.Spec
	Path        string
	Description string
	Parameters  []field
	Body        []field
	Answer      kind
	Curl        string
	Shown       string     // an answer
	Refusals    []api.Code // of status 409
}

// A field is a parameter, or a member of a body or an answer.
type field struct {
	Name, Where string
	Required    bool
	Kind        kind
	Rules, Says string
}

// A kind names a type; To is the schema that it leads to, where it has one.
type kind struct{ Before, To, After string }

// A schema is a named type: its members, or the texts that it may be.
type schema struct {
	Name, Says string
	Fields     []field
	Values     []string
}

// A route is one that needs no key.
type route struct{ Path, Summary string }
