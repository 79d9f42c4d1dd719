// Package views registers every route of the terminal with the screen that it opens.
// This package alone knows the screens; a screen opens another one by its route. What
// several screens use is in packages that know no screen.
//
// The shared packages, each using only those above it:
//
//   - names: documents, states and operations in words
//   - count: labels, and matching scans to the lines of a document
//   - session: the service, the operator and the location
//   - submit: sending each write exactly once
//   - labels: labels of products, lots, locations, documents and receipts
//   - panel: what the screens of jobs are made of
//   - status: the header, and the sync status that it shows
//   - catalog: products, locations and balances by their codes
//   - alerts: low products, expiring lots and late documents
//   - stocktext: balances and movements in words
//   - export: rows as files
//   - listscreen: the screen of a list, its pages and its order, and the document beside it
//   - entry: the screen of a form for a catalog object
//
// The screens. Most packages have a Register in the file of the package comment; views.go
// registers the others:
//
//   - home: the jobs and what is late
//   - item: what waits for a scanned item, and the jobs on its stock
//   - inbounds, transfers, outbounds: the jobs on documents
//   - stock: adjusting, moving and counting stock
//   - reservations: stock that is held for someone
//   - balances: the stock, and how a balance came about
//   - lots: where a lot or serial was
//   - reports: all movements and balances
//   - watchlist: what needs attention
//   - products, locations: the catalog, and scanned codes that nothing has
//   - imports: files to import
//   - outbox: the work that is not synced, and the sites that sync with the service
//   - printlabels: printing labels, and the label queue
//   - scanner, settings: the terminal itself
//
// Package viewtest sets up companies for tests.
//
// To read a job, start with inbounds (screen.go, then booking.go), then read
// panel.CountPanel, which counts, count.ScanMatcher, which matches scans, and
// submit.Submission, which sends. To read a list, start with inbounds (list.go), then
// read listscreen.Kind.
package views
