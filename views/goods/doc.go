// Package goods holds the screens of the catalogue: the products, one product,
// and the form that makes one. Whoever starts with an empty company begins here.
package goods
