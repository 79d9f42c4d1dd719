// Package listscreen is the screen of a list. It loads the rows and refreshes them,
// filters them, opens the selected row and finds the row that a scan means.
//
// New makes a screen from a Kind, which says what is particular about a list: its
// texts, columns and actions, how its rows are loaded, and what a scan or enter opens.
package listscreen
