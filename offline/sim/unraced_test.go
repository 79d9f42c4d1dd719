//go:build !race

package sim_test

// seeds is how many seeds TestSimulation runs, and shortSeeds how many with
// -short.
const seeds, shortSeeds = 1000, 20

// repeatedSeeds is how many seeds TestRunSeed_IsDeterministic runs.
const repeatedSeeds = 6
