// Package dock is what the screens of the jobs share: where one stands and what
// the service can do (Site), what a scan means for the goods at hand (Reading,
// Tally), how they are counted (Count) and booked exactly once (Plan), and the
// part of a screen that does all of it (Bench).
package dock
