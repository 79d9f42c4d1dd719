// Package openapi describes the service as an OpenAPI 3.1 document.
//
// The document is generated: paths, parameters, bodies, answers and errors
// come from the table of operations and the types and tags of package api, and
// the descriptions from its comments, which words.go contains. A new operation
// in the table is in the document.
package openapi
