// Package layout places the texts and barcodes of a label on a page.
//
// A Template is a text file with one element per line. Place fills it with the fields of
// a label and returns a Page: texts, barcodes and boxes with positions in dots, which
// packages zpl and raster draw. Every decision about size, line breaks and shortening is
// made here, so that both draw the same.
package layout
