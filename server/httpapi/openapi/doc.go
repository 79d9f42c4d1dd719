// Package openapi describes the service as an OpenAPI 3.1 document.
//
// Nothing in it is written twice: paths, parameters, bodies, answers and errors
// come from the operations' table and the types and tags of package api, and the
// descriptions from its comments, which words.go holds. An operation that is
// added to the table is in the document.
package openapi
