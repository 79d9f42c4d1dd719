package docs

import (
	"html/template"

	"bincard/server/api"
	"bincard/server/httpapi/openapi"
)

// A page is the data of the template.
type page struct {
	Version string
	Style   template.CSS
	Script  template.JS
	About   []string
	Groups  []group
	Schemas []schema
	Faults  []fault
	Headers []field
	Own     []route
}

// A group is the operations on one resource.
type group struct {
	Name, Says string
	Operations []operation
}

// An operation is an operation as the page shows it.
type operation struct {
	*api.Spec
	Path        string
	Description string
	Parameters  []field
	Body        []field
	Answer      kind
	Curl        string
	JavaScript  string
	Shown       string     // an example answer
	Refusals    []api.Code // of status 409
}

// A field is a parameter, or a member of a body or an answer.
type field struct {
	Name, Where string
	Required    bool
	Kind        kind
	Rules, Says string
}

// A kind is the name of a type; To is its schema, if it has one.
type kind struct{ Before, To, After string }

// A schema is a named type with its members, or its possible values.
type schema struct {
	Name, Says string
	Fields     []field
	Values     []string
}

// A fault is an error code. Details is the name of the type of its details, if it has one.
type fault struct {
	openapi.Fault
	Details string
}

// A route is a path that needs no key.
type route struct{ Path, Summary string }
