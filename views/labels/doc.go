// Package labels makes the labels of products, lots, serial numbers, packages, locations,
// pallets and documents from what the service knows about them.
//
// OfLot and the like make a label of values that a screen has. Make looks them up first,
// for a code that was typed or scanned. Package tui/label/printing prints the labels.
package labels
