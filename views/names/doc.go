// Package names gives values of the service the names that people read: states,
// statuses, operations, and the documents, products and locations in a response.
package names
