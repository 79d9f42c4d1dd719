// Package stored is what a ledger has stored and how it is read.
//
// It has the tables and the types of their rows: the catalog (Products, Lots, Serials
// and places), the stock (BalanceKeys, Balances and LotBalances), and the documents
// (Inbounds, Outbounds, Transfers and Reservations). The journal is in package journal;
// its index is here: entries are grouped by sequence number into blocks of 256, and for
// each Term (an operation, state, location, owner or channel) that occurs in a block, a row
// has the BlockSet of entries with the term. SaveBitmaps writes the rows of a Block with its
// last entry; reports read the entries after the last whole block one by one.
//
// Everything is read through a Tx: one partition at one time. A Listing pages through a
// table. The functions named Show render the response of a write from its journal
// entry; documents and balances are rendered in one place, here, wherever they are
// shown. Nothing here decides whether a write may happen; that is the ledger's.
package stored
