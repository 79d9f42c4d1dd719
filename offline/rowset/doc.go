// Package rowset represents sets of stored rows by hashes, to find out whether
// anything that an operation read has changed since.
//
// Besides single rows it tracks ranges: a whole table, or the rows whose keys
// share their first bytes, as the rows of one entity do. A hash that two rows
// share only makes an operation be predicted again.
package rowset
