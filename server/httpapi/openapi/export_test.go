package openapi

// ExampleID is the id that the document's examples have for a name.
var ExampleID = exampleID
