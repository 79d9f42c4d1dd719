// Package settings holds the screen of the terminal's settings and the welcome
// screen of a machine with nothing on it. Neither knows a file, a key store or
// a network: what they need done is a function in Hooks.
package settings
