//go:build race

package sim_test

// usual is how many worlds the tests live through: under the race detector one
// takes ten times as long.
const usual = 8
