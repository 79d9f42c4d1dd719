// Package locations contains the location screens: the list, which also selects the
// working location, and the form for a new location.
package locations
