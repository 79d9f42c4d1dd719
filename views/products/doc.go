// Package products contains the product screens: the list, the details and the form for
// a new product.
package products
