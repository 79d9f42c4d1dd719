package tui

import (
	"crypto/subtle"
	"time"
)

// An Operator is a person who may work at the terminal.
type Operator struct {
	Name  string
	Badge string // the text of the badge's barcode; "" without a badge
	// OpenBadge reports whether a text is that of the badge, if Badge is not known.
	OpenBadge func(text string) bool
	// Check reports whether a PIN is the operator's. It is nil where no PIN is needed.
	Check func(pin string) bool
	// RequireProof is set where the name alone does not sign in: the badge or the PIN does.
	RequireProof bool
	// Supervisor may run every action and approve those of others.
	Supervisor bool
	// Permissions are what others may do without an approval.
	Permissions Permissions
}

// Login says who may work at a terminal. The zero value lets anyone work.
type Login struct {
	Operators []Operator
	// Organization returns the operators of the organization at this time. If it has any, they
	// work here instead of Operators. It may be nil.
	Organization func() []Operator
	// Current is the operator who is signed in at the start without being asked. If it
	// is empty or names no operator, the terminal asks.
	Current string
	// LockAfter locks the terminal after this long without a key or a scan; 0 is never.
	LockAfter time.Duration
	// OnChange is called with the name of each new operator, or "" after a sign-out,
	// before any action of theirs runs.
	OnChange func(name string)
}

// People returns who may work at the terminal now.
func (l *Login) People() []Operator {
	if l.Organization != nil {
		if list := l.Organization(); len(list) > 0 {
			return list
		}
	}
	return l.Operators
}

// SamePIN compares two PINs in constant time.
func SamePIN(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
