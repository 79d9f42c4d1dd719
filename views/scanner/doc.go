// Package scanner is the screen for testing a scanner: it shows what arrived byte by
// byte, what it means, and what to change on the scanner. Nothing is counted.
package scanner
