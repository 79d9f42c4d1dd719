// Package openapi describes the service as an OpenAPI 3.1 document.
//
// The document is generated. Paths, parameters, bodies, responses and errors come
// from the table of operations and the types and tags of package api. Descriptions
// come from its comments, which words.json contains.
package openapi
