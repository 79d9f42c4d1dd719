//go:build !race

package budget

// Raced reports whether the test runs with the race detector.
const Raced = false
