// Package crash has only tests. They kill the real program while it works and check that
// every acknowledged write exists exactly once.
package crash
