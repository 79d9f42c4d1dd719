// Package replicas stores what the service has confirmed: the current replica,
// and a staged one that replaces it when it is complete.
//
// Dir keeps replicas on disk, Memory in memory. A Tracker reads and updates
// either and records which rows of the current replica change, so that only
// what they affect is predicted again.
package replicas
