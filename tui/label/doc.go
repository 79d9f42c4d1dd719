// Package label has the contents of labels: what a label says in words, and what its
// barcodes contain.
//
// A Label has the values of one label. Encode makes the contents of its barcodes, which
// the scanners of the terminal read back as the same values. Fields has the texts for
// templates, and Words describes a label in a few lines.
//
// The packages below print labels: layout places a label's texts and barcodes on a page and
// draws it, and printing numbers labels, queues them and sends them to printers.
package label
