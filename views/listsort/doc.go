// Package listsort sorts the rows of a list by the column that the operator chooses. A
// Sorter keeps the choice with the settings, for each operator and list.
package listsort
