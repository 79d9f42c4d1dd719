// Package apiclient implements api.Service over HTTP, and keeps the keys of services: in the
// device's keyring, or in files where the device has none (KeyStore).
//
// A Client returns the errors of the service as it sent them. It sends a write
// once. The caller decides whether to retry it with the same key;
// details.outcome of an UNAVAILABLE error says whether the first attempt may
// have arrived.
package apiclient
