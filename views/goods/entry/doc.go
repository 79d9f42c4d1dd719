// Package entry is the screen of a form that makes one thing of the catalogue:
// a product, a place. What is typed is kept as a draft; what is sent is sent
// again with the same key until its answer is known, and so made once.
package entry
