// Package queue keeps the labels to print on disk and sends them in order.
//
// A Queue is a folder that all programs of a machine share. A job is in it once Add
// returns, and a label is marked as being sent before its first byte leaves, so that
// after a crash it is known which one may be printed. A Worker sends the jobs of each
// printer in order, one program at a time, and repeats only what is certainly not
// printed. What may be printed, a person decides: Retry or Cancel.
package queue
