// Package listscreen is the screen of a list. It loads the rows and refreshes them,
// filters them, opens the selected row and finds the row that a scan means.
//
// New makes a screen from a Kind, which says what is particular about a list: its
// texts, columns and actions, how its rows are loaded, and what a scan or enter opens.
//
// Screens that are more than a list use its parts: Pages is a list that loads page by page,
// requests the next page before the end is reached, keeps the old rows during a reload, and
// shows errors in its status line. A Sorter sorts rows by the column that the operator
// chooses, and keeps the choice with the settings, for each operator and list.
package listscreen
