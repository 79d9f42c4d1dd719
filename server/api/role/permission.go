// Package role says what the people of an organization may do without the approval of a
// supervisor, who may do everything: the permissions, and the rules that give them to workers.
package role

// A Permission is something that an operator may do without a supervisor, as far as the
// operator's role allows it.
type Permission string

// The permissions. ManageOperators is a supervisor's alone.
const (
	MayAdjust         Permission = "adjust"          // change recorded quantities
	MayCount          Permission = "count"           // record the result of a count
	MayOverReceive    Permission = "over_receive"    // receive more than is expected
	MayCloseShort     Permission = "close_short"     // close a document with a part missing
	MayCancel         Permission = "cancel"          // cancel a document
	MayCreateProducts Permission = "create_products" // create a product
	MayLinkBarcodes   Permission = "link_barcodes"   // link and unlink the barcodes of a product
	ManageOperators   Permission = "manage_operators"
)

// A Need is a permission that an action needs, and for quantities how much of it.
type Need struct {
	Permission Permission
	Change     int64 // by how much a line changes
	Recorded   int64 // what was recorded or expected of the line before
	// Earlier is by how much the operator has changed it before, as part of the same limit.
	Earlier int64
}

// A Limit is how much of a permission a role has. The zero value is nothing.
type Limit struct {
	Unlimited bool
	// A change of a line by up to Pieces, or up to Percent of what was recorded, is
	// allowed.
	Pieces, Percent int64
}

// Allows reports whether the limit covers a need.
func (l Limit) Allows(n Need) bool {
	change := n.Change + n.Earlier
	change = max(change, -change)
	return l.Unlimited || l.Limited() && (change <= l.Pieces || 100*change <= l.Percent*(n.Recorded-n.Earlier))
}

// Limited reports whether the limit is a quantity.
func (l Limit) Limited() bool { return !l.Unlimited && (l.Pieces > 0 || l.Percent > 0) }

// Permissions are what a role may do without a supervisor.
type Permissions map[Permission]Limit

// Allow reports whether the permissions cover all needs.
func (p Permissions) Allow(needs ...Need) bool {
	for _, n := range needs {
		if !p[n.Permission].Allows(n) {
			return false
		}
	}

	return true
}
