// Package printlabels has the screens that print labels: the one that prints the labels of
// a request or of the last receipt (screen.go), and the label queue (queue.go).
//
// Printing adds labels to the queue on disk, so nobody waits for a printer. The program
// sends them in the background, and Watch warns about those that are not printed
// (watch.go).
package printlabels
