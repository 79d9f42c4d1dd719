// Package document changes the documents of the ledger: inbounds, transfers, outbounds and
// reservations. Each exported function is one operation: it reads the document, checks what
// is asked, posts the stock, and saves the document.
//
// A step of an outbound (outbound_handling.go) plans a quantity per line and takes it through a
// stage of the line's holds (outbound_hold.go). transfer_transit.go has what is in transit, by
// lot.
package document
