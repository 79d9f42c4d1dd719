//go:build race

package sim_test

// seeds is how many seeds TestSimulation runs, and shortSeeds how many with
// -short: the race detector makes a simulation ten times slower.
const seeds, shortSeeds = 8, 2

// repeatedSeeds is how many seeds TestRunSeed_IsDeterministic runs.
const repeatedSeeds = 2
