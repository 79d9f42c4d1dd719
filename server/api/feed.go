package api

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// MaxWait is the longest wait of a request for changes, in seconds.
const MaxWait = 25

// DocumentKind is the type of a document.
type DocumentKind string

const (
	DocProduct     DocumentKind = "product"
	DocLocation    DocumentKind = "location"
	DocOwner       DocumentKind = "owner"
	DocChannel     DocumentKind = "channel"
	DocLot         DocumentKind = "lot"
	DocSerial      DocumentKind = "serial"
	DocInbound     DocumentKind = "inbound"
	DocOutbound    DocumentKind = "outbound"
	DocTransfer    DocumentKind = "transfer"
	DocReservation DocumentKind = "reservation"
)

// Values lists the document kinds.
func (DocumentKind) Values() []string {
	return toStrings([]DocumentKind{DocProduct, DocLocation, DocOwner, DocChannel, DocLot, DocSerial,
		DocInbound, DocOutbound, DocTransfer, DocReservation})
}

// HasStock reports whether documents of the kind are for stock at a location, as
// ReadDocument returns them.
func (k DocumentKind) HasStock() bool {
	return k == DocInbound || k == DocOutbound || k == DocTransfer || k == DocReservation
}

// A Document is the current state of a resource.
type Document struct {
	Kind DocumentKind `json:"kind"`
	ID   ID           `json:"id"`
	// Data is the resource without its embedded summaries, plus internal state such as
	// the quantities a transfer has in transit and the lots an outbound holds.
	Data Metadata `json:"data"`
}

// A Change is the result of one operation.
type Change struct {
	// Seq is the sequence number of the change. It increases by one with every change in
	// the organization and environment.
	Seq int64 `json:"seq"`
	// Key is the idempotency key of the operation.
	Key string `json:"key"`
	// Operation is the ID of the operation.
	Operation string `json:"operation"`
	// Reason is the reason given for the operation, if any.
	Reason string `json:"reason,omitzero"`
	// Fingerprint is the fingerprint of the request in hexadecimal, empty for an expiry.
	Fingerprint string `json:"fingerprint,omitzero"`
	// Client is the node that sent the operation, or nil if none did.
	Client *ClientNumber `json:"client,omitzero"`
	// Device is the label of the device that the client named.
	Device string `json:"device,omitzero"`
	// Hash is the hash of the journal entry. As an entry contains the hash of the one
	// before it, equal hashes mean equal histories.
	Hash      string     `json:"hash,omitzero"`
	Movements []Movement `json:"movements"`
	// Balances are the balances after the operation.
	Balances []Balance `json:"balances"`
	// Stocks are the current state of the same balances, with the details a replica
	// needs. They can be newer than the balances of this change.
	Stocks []Stock `json:"stocks"`
	// Documents are the current state of the documents the operation created or
	// changed. They can be newer than the balances of this change.
	Documents []Document `json:"documents"`
	// Actor is the actor of the API key.
	Actor Actor `json:"actor"`
	// CreatedBy is the operator, if any.
	CreatedBy *Actor `json:"createdBy,omitzero"`
	// ApprovedBy is the supervisor who approved the operation, if one did.
	ApprovedBy *Actor    `json:"approvedBy,omitzero"`
	CreatedAt  time.Time `json:"createdAt"`
	// OccurredAt is when the operation happened, if that is known and was not when it was recorded.
	OccurredAt time.Time `json:"occurredAt,omitzero"`
}

// A ClientNumber is the number that a node gave to one of its operations.
type ClientNumber struct {
	ID     ID    `json:"id"`
	Number int64 `json:"number"`
}

// A Head is the newest entry of a journal: its sequence number and its hash in
// hexadecimal. It stands for the whole history up to that entry.
type Head struct {
	Seq  int64  `json:"seq"`
	Hash string `json:"hash"`
}

// A GoneReason is why changes are not available.
type GoneReason string

const (
	// GoneEpoch means that the service's data was restored from a backup.
	GoneEpoch GoneReason = "epoch"
	// GoneDiverged means that the reader's last change is not part of this history.
	GoneDiverged GoneReason = "diverged"
	// GoneAhead means that the reader's last change is newer than the newest one here.
	GoneAhead GoneReason = "ahead"
	// GoneMissing means that the journal does not have the changes.
	GoneMissing GoneReason = "missing"
)

// Changes are the changes after a position in the feed, oldest first, without gaps.
type Changes struct {
	// Epoch identifies the history of the service's data. It changes when the data is
	// restored from a backup: changes read in an earlier epoch may no longer exist.
	Epoch string   `json:"epoch"`
	Items []Change `json:"items"`
	// Latest is the sequence number of the newest change. A replica that has applied it
	// is up to date.
	Latest int64 `json:"latest"`
	// Hash is the hash of the newest change. Older services omit it.
	Hash string `json:"hash,omitzero"`
	// Position is the last change that was considered, if the request names locations:
	// the items are those of the locations among the changes up to it. The reader
	// continues after it.
	Position *Head `json:"position,omitzero"`
	// Key is the idempotency key that was asked for: then items has the change with this
	// key, or nothing if the service did not record it. Older services omit it.
	Key string `json:"key,omitzero"`
	// OtherSession is another run of the reader's node that has reported within the last
	// minute. It may have ended: the reader repeats it in its next report.
	OtherSession ID `json:"otherSession,omitzero"`
	// Copies are the labels of all programs that run at the same time with the id of the
	// reader's node; none if only one does.
	Copies []string `json:"copies,omitzero"`
}

// ListChangesInput selects the changes and how long to wait for one.
type ListChangesInput struct {
	After *int64 `json:"-" query:"after" minimum:"0" default:"0" doc:"sequence number of the last change received"`
	Limit *int64 `json:"-" query:"limit" minimum:"1" maximum:"500" default:"100" doc:"maximum number of changes"`
	Wait  *int64 `json:"-" query:"wait" minimum:"0" maximum:"25" default:"0" doc:"seconds to wait if there are no changes yet"`
	Hash  string `json:"-" query:"hash" doc:"hash of the last change received; the request fails with CHANGES_GONE if that change is not part of this history"`
	Key   string `json:"-" query:"key" doc:"idempotency key: returns the change with this key, whatever its position, or none"`
	Epoch string `json:"-" query:"epoch" doc:"epoch of the last change received; the request fails with CHANGES_GONE if it has ended"`
	LocationsFilter
}

// Patience returns how long the caller waits for the response.
func (in *ListChangesInput) Patience() time.Duration {
	if in.Wait == nil {
		return 0
	}
	return time.Duration(*in.Wait) * time.Second
}

// A Patient input allows the service to delay the response.
type Patient interface{ Patience() time.Duration }

// A Stock is a balance with the details a replica needs.
type Stock struct {
	Balance Balance `json:"balance"`
	// Seq is the sequence number of the newest change included.
	Seq int64 `json:"seq"`
	// Backed are the reserved, committed and incoming quantities that open documents hold.
	Backed Quantities `json:"backed"`
	// Lots are the quantities by lot. The rest of the balance has no lot.
	Lots []LotStock `json:"lots"`
	// Pieces is the number of serials on hand.
	Pieces int64 `json:"pieces"`
}

// A LotStock is the stock of one lot in a balance.
type LotStock struct {
	LotID ID `json:"lotId"`
	Quantities
}

// A SnapshotPage is one page of the initial data of a replica.
//
// Each page is read at its own sequence number. After the last page, the replica
// reads the changes after since. From each change it replaces the documents, replaces
// the balances that have a newer version, and adds the movements after the seq of a
// stock to its lots. Once it has applied the latest change, it equals the service:
// rows written after their page was read are in the changes.
type SnapshotPage struct {
	Epoch string `json:"epoch"`
	// Since is the sequence number of the first page.
	Since int64 `json:"since"`
	// Hash is the hash of the change with the number since. Older services omit it.
	Hash string `json:"hash,omitzero"`
	// Seq is the sequence number of this page.
	Seq       int64      `json:"seq"`
	Documents []Document `json:"documents"`
	Balances  []Stock    `json:"balances"`
	// NextCursor is the cursor of the next page, nil on the last page.
	NextCursor *string `json:"nextCursor"`
}

// SnapshotInput selects a page of the snapshot.
type SnapshotInput struct {
	Limit  *int64 `json:"-" query:"limit" minimum:"1" maximum:"1000" default:"500" doc:"maximum number of documents and balances"`
	Cursor string `json:"-" query:"cursor" doc:"the nextCursor of the previous page"`
	LocationsFilter
}

// Capabilities are the features of the service beyond the base interface.
type Capabilities struct {
	Service string `json:"service"`
	// Version is the version of the interface.
	Version string `json:"version"`
	// Operations are the IDs of the supported operations.
	Operations []string `json:"operations"`
	// KeysKept is the number of days idempotency keys are stored; 0 means forever.
	KeysKept int64 `json:"idempotencyKeyDays"`
	// MaxWait is the longest wait for changes, in seconds.
	MaxWait int64 `json:"maxWaitSeconds"`
	// Epoch is the current epoch of the change feed.
	Epoch string `json:"epoch"`
	// Latest is the sequence number of the newest change.
	Latest int64 `json:"latest"`
	// Hash is the hash of the newest change. Older services omit it.
	Hash string `json:"hash,omitzero"`
}

// CapabilitiesInput has no parameters.
type CapabilitiesInput struct{}

var (
	// GetCapabilities returns the features of the service.
	GetCapabilities = operation[CapabilitiesInput, Capabilities](Spec{
		ID: "getCapabilities", Method: "GET", Path: "/capabilities", Scope: InventoryRead,
		Discovery: true,
		Summary:   "Get the service's capabilities", Extension: true})
	// ListChanges returns the changes after a position in the feed. The documents
	// include transfers and reservations only if the key may read them.
	ListChanges = operation[ListChangesInput, Changes](Spec{
		ID: "listChanges", Method: "GET", Path: "/changes", Scope: InventoryRead,
		ServiceOnly: true,
		Example:     Example{"after": 0, "wait": 25},
		Summary:     "Follow the change feed", Extension: true})
	// GetSnapshot returns a page of the initial data of a replica: the catalog, open
	// documents, serials in stock and balances.
	GetSnapshot = operation[SnapshotInput, SnapshotPage](Spec{
		ID: "getSnapshot", Method: "GET", Path: "/snapshot", Scope: InventoryRead,
		ServiceOnly: true,
		Summary:     "Read the initial snapshot for a replica", Extension: true})
)

// MaxFilterLocations is the maximum number of locations of a LocationsFilter.
const MaxFilterLocations = 100

// A LocationsFilter limits what a replica reads to the stock of some locations: their
// balances, lots and serials, and the documents with stock there, which includes transfers
// with one end there. Products, locations, owners and channels are not limited.
type LocationsFilter struct {
	Locations string `json:"-" query:"locations" maxLength:"3699" doc:"comma-separated ids of up to 100 locations: only their stock and documents, and all products"`
}

// FilterLocations returns the filter of some locations, no filter for none.
func FilterLocations(ids []ID) LocationsFilter {
	text := make([]string, len(ids))
	for i, id := range ids {
		text[i] = id.String()
	}
	return LocationsFilter{strings.Join(text, ",")}
}

// LocationIDs returns the locations of a valid filter, or nil if it has none.
func (f LocationsFilter) LocationIDs() (ids []ID) {
	if f.Locations == "" {
		return nil
	}
	for text := range strings.SplitSeq(f.Locations, ",") {
		id, _ := uuid.Parse(text)
		ids = append(ids, id)
	}
	return ids
}

func (f LocationsFilter) check(p *Problems) {
	ids := f.LocationIDs()
	if slices.Contains(ids, NoID) || len(ids) > MaxFilterLocations {
		p.Add("locations", "ids", "must be up to %d ids, separated by commas", MaxFilterLocations)
	}
}

func (in *ListChangesInput) validate(p *Problems) { in.check(p) }

func (in *SnapshotInput) validate(p *Problems) { in.check(p) }
