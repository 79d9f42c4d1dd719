//go:build race

package sim_test

// usual is how many worlds the tests live through, and short how many with
// -short: under the race detector one takes ten times as long.
const usual, short = 8, 2

// twice is how many worlds are made twice.
const twice = 2
