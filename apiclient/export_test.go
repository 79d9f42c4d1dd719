package apiclient

// NewTransport returns the default transport.
var NewTransport = newTransport
