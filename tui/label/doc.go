// Package label has the contents of labels, what a label says in words and what its
// barcodes contain, and places them on a page.
//
// A Label has the values of one label. Encode makes the contents of its barcodes, which
// the scanners of the terminal read back as the same values. Fields has the texts for
// templates, and Words describes a label in a few lines.
//
// A Template is a text file with one element per line. Place fills it with the fields of
// a label and returns a Page: texts, barcodes and boxes with positions in dots. Every
// decision about size, line breaks and shortening is made there, so that both ways to draw
// a page agree: ZPL writes it in ZPL II, the language of most label printers, and Image
// and PNG draw a picture of it.
//
// The bundled Go fonts have the Latin, Greek and Cyrillic scripts. Printers draw texts
// with fonts of their own, which have about the same widths.
//
// Package printing numbers labels, queues them and sends them to printers.
package label
