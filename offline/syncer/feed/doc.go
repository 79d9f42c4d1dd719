// Package feed follows Bincard's own service by its change feed.
package feed
