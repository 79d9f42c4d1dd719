//go:build !race

package testenv

// Raced reports whether the test runs with the race detector.
const Raced = false
