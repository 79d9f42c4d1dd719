//go:build !race

package sim_test

// usual is how many worlds the tests live through.
const usual = 2000
