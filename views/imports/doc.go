// Package imports is the screen that imports deliveries, orders and transfers from a file on
// this machine. The whole file is checked first. The screen shows its bad lines, or what is
// new and what is there already, and imports the file after a confirmation.
package imports
