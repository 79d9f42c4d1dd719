//go:build race

package budget

const raced = true // by the race detector
