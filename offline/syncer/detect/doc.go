// Package detect finds out which syncer a service needs, and uses it.
package detect
