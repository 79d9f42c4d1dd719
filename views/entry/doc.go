// Package entry is the screen of a form that creates one catalog object, such as a
// product or location. Input is saved as a draft. A request without an answer is
// retried with the same key, so the object is created only once.
package entry
