// Package scanner is the screen on which a scanner is tried out: what it sent,
// byte by byte, what was understood, and what to set on it if that is wrong.
// Nothing scanned here is counted anywhere.
package scanner
