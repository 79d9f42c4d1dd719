//go:build !race

package sim_test

// usual is how many worlds the tests live through, and short how many with -short.
const usual, short = 2000, 20

// twice is how many worlds are made twice.
const twice = 6
