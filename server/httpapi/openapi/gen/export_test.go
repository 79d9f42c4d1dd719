package gen

// ExampleID is the id of a name in the document's examples.
var ExampleID = exampleID
