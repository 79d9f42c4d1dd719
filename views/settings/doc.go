// Package settings contains the settings screen of the terminal and the welcome
// screen of a machine without data. They do not access files, keys or the network;
// the functions in Hooks do.
package settings
