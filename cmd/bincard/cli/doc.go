// Package cli has what all commands share: the exit statuses, usage errors, results as text or
// JSON, the version and the clock.
package cli
