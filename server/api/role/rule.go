package role

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Rule is "allow", "approve" (a supervisor approves it), or a limit per line above which
// a supervisor approves it: "10", "10%" or "10 or 10%".
type Rule string

const (
	allow   Rule = "allow"
	approve Rule = "approve"
)

// UnmarshalTOML reads a rule, which may be a number; Problem checks it.
func (r *Rule) UnmarshalTOML(value any) error {
	*r = Rule(strings.TrimSpace(fmt.Sprint(value)))
	return nil
}

// Rules are the rules of the role worker. A permission without one has the default rule.
type Rules map[Permission]Rule

// defaults are the rules that apply where none is given.
var defaults = Rules{
	MayAdjust:         "10 or 10%",
	MayCount:          allow,
	MayOverReceive:    approve,
	MayCloseShort:     approve,
	MayCancel:         approve,
	MayCreateProducts: allow,
	MayLinkBarcodes:   approve,
}

// HasQuantity reports whether a limit can be set for a permission: it changes lines.
func (p Permission) HasQuantity() bool { return p == MayAdjust || p == MayCount || p == MayOverReceive }

var limitRule = regexp.MustCompile(`^(?:(\d{1,9})(?: or (\d{1,3})%)?|(\d{1,3})%)$`)

// limit returns the limit of a rule; ok is false if the rule is unknown.
func (r Rule) limit() (l Limit, ok bool) {
	m := limitRule.FindStringSubmatch(string(r))
	switch {
	case r == allow:
		return Limit{Unlimited: true}, true
	case r == approve:
		return Limit{}, true
	case m == nil:
		return Limit{}, false
	}

	l.Pieces, _ = strconv.ParseInt(m[1], 10, 64)
	l.Percent, _ = strconv.ParseInt(m[2]+m[3], 10, 64)

	return l, true
}

// Permissions returns what the rules allow. An unknown rule allows nothing.
func (r Rules) Permissions() Permissions {
	out := Permissions{}
	for _, rules := range []Rules{defaults, r} {
		for p, rule := range rules {
			out[p], _ = rule.limit()
		}
	}

	return out
}

// Problem returns the first action with an invalid rule, and what is wrong with it. Both are
// "" if all rules are valid.
func (r Rules) Problem() (action, problem string) {
	for _, p := range slices.Sorted(maps.Keys(r)) {
		switch l, ok := r[p].limit(); {
		case defaults[p] == "":
			return string(p), fmt.Sprintf("unknown action %q of the role worker: see 'bincard help operators'", p)
		case !ok:
			return string(p), fmt.Sprintf(
				"the rule %q is unknown: use \"allow\", \"approve\" or a limit such as \"10 or 10%%\"", r[p])
		case l.Limited() && !p.HasQuantity():
			return string(p), fmt.Sprintf("%s has no quantity: use \"allow\" or \"approve\"", p)
		}
	}

	return "", ""
}
