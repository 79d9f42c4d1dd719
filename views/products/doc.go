// Package products contains the product screens: the list, the details, the form for
// a new product, and the list of the unknown codes scanned in this shift.
package products
