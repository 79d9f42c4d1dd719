// Package layout places the texts and barcodes of a label on a page.
//
// A Template is a text file with one element per line. Place fills it with the fields of
// a label and returns a Page: texts, barcodes and boxes with positions in dots. Every
// decision about size, line breaks and shortening is made there, so that both ways to draw
// a page agree: ZPL writes it in ZPL II, the language of most label printers, and Image
// and PNG draw a picture of it.
//
// The bundled Go fonts have the Latin, Greek and Cyrillic scripts. Printers draw texts
// with fonts of their own, which have about the same widths.
package layout
