package gen

import (
	"html/template"

	"bincard/server/api"
)

// A page is the data of the template.
type docsPage struct {
	Version string
	Style   template.CSS
	Script  template.JS
	About   []string
	Groups  []docsGroup
	Schemas []docsSchema
	Faults  []docsFault
	Headers []docsField
	Own     []docsRoute
}

// A group is the operations on one resource.
type docsGroup struct {
	Name, Says string
	Operations []docsOperation
}

// An operation is an operation as the page shows it.
type docsOperation struct {
	*api.Spec
	Path        string
	Description string
	Parameters  []docsField
	Body        []docsField
	Answer      fieldType
	Curl        string
	JavaScript  string
	Shown       string     // an example answer
	Refusals    []api.Code // of status 409
}

// A field is a parameter, or a member of a body or an answer.
type docsField struct {
	Name, Where string
	Required    bool
	Kind        fieldType
	Rules, Says string
}

// A kind is the name of a type; To is its schema, if it has one.
type fieldType struct{ Before, To, After string }

// A schema is a named type with its members, or its possible values.
type docsSchema struct {
	Name, Says string
	Fields     []docsField
	Values     []string
}

// A fault is an error code. Details is the name of the type of its details, if it has one.
type docsFault struct {
	Fault
	Details string
}

// A route is a path that needs no key.
type docsRoute struct{ Path, Summary string }
