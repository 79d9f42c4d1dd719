package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"bincard/tui"
)

// Roles says what the roles may do without a supervisor. A supervisor may do everything.
//
// It is a rule of the terminal. What a program may do at the service, its key says.
type Roles struct {
	Worker Role `toml:"worker,omitempty"`
}

// A Role has a Rule for each permission. An empty Rule is the default one.
type Role struct {
	Adjust         Rule `toml:"adjust,omitempty"`
	Count          Rule `toml:"count,omitempty"`
	OverReceive    Rule `toml:"over_receive,omitempty"`
	CloseShort     Rule `toml:"close_short,omitempty"`
	Cancel         Rule `toml:"cancel,omitempty"`
	CreateProducts Rule `toml:"create_products,omitempty"`
	LinkBarcodes   Rule `toml:"link_barcodes,omitempty"`
}

// A Rule is "allow", "approve" (a supervisor approves it), or a limit per line above which
// a supervisor approves it: "10", "10%" or "10 or 10%".
type Rule string

const (
	allow   Rule = "allow"
	approve Rule = "approve"
)

// workerPermissions are those of a worker whose role is not configured.
var workerPermissions = tui.Permissions{
	tui.MayAdjust:         {Pieces: 10, Percent: 10},
	tui.MayCount:          {Unlimited: true},
	tui.MayCreateProducts: {Unlimited: true},
}

var limitRule = regexp.MustCompile(`^(?:(\d{1,9})(?: or (\d{1,3})%)?|(\d{1,3})%)$`)

// UnmarshalTOML checks a rule.
func (r *Rule) UnmarshalTOML(value any) error {
	*r = Rule(strings.TrimSpace(fmt.Sprint(value)))
	if _, ok := r.limit(); !ok {
		return fmt.Errorf("the rule %q is unknown: use \"allow\", \"approve\" or a limit such as \"10 or 10%%\"", *r)
	}
	return nil
}

// limit returns the limit of a rule; ok is false if the rule is unknown.
func (r Rule) limit() (l tui.Limit, ok bool) {
	m := limitRule.FindStringSubmatch(string(r))
	switch {
	case r == allow:
		return tui.Limit{Unlimited: true}, true
	case r == approve:
		return tui.Limit{}, true
	case m == nil:
		return tui.Limit{}, false
	}

	l.Pieces, _ = strconv.ParseInt(m[1], 10, 64)
	l.Percent, _ = strconv.ParseInt(m[2]+m[3], 10, 64)

	return l, true
}

// RoleActions returns the keys of a role.
func RoleActions() (keys []string) {
	for p := range (Role{}).rules() {
		keys = append(keys, string(p))
	}
	slices.Sort(keys)
	return keys
}

// rules returns the rules by permission.
func (r Role) rules() map[tui.Permission]Rule {
	return map[tui.Permission]Rule{
		tui.MayAdjust:         r.Adjust,
		tui.MayCount:          r.Count,
		tui.MayOverReceive:    r.OverReceive,
		tui.MayCloseShort:     r.CloseShort,
		tui.MayCancel:         r.Cancel,
		tui.MayCreateProducts: r.CreateProducts,
		tui.MayLinkBarcodes:   r.LinkBarcodes,
	}
}

// permissions returns what the role allows.
func (r Role) permissions() tui.Permissions {
	out := maps.Clone(workerPermissions)
	for p, rule := range r.rules() {
		if l, ok := rule.limit(); ok {
			out[p] = l
		}
	}

	return out
}

// quantities are the permissions that a limit can be set for: they change lines.
var quantities = map[tui.Permission]bool{tui.MayAdjust: true, tui.MayCount: true, tui.MayOverReceive: true}

// Problem returns the first action with an invalid rule, and what is wrong with it. Both are
// "" if all rules are valid.
func (r Roles) Problem() (action, problem string) {
	rules := r.Worker.rules()
	for _, p := range slices.Sorted(maps.Keys(rules)) {
		if l, _ := rules[p].limit(); (l.Pieces > 0 || l.Percent > 0) && !quantities[p] {
			return string(p), fmt.Sprintf("%s has no quantity: use \"allow\" or \"approve\"", p)
		}
	}

	return "", ""
}

// checkRoles returns the first mistake in the roles of the settings file. unknown are the
// keys of the file that this version does not know: unlike other settings, a role that is
// not understood must not be ignored.
func (c *Settings) checkRoles(text string, unknown []toml.Key) error {
	for _, key := range unknown {
		switch {
		case key[0] != "roles" || len(key) < 2:
		case key[1] == Supervisor:
			return fmt.Errorf("line %d: a supervisor may do everything: remove [roles.supervisor]",
				lineOf(text, "roles", key[1]))
		case key[1] != Worker:
			return fmt.Errorf("line %d: unknown role %q: only the role %q can be changed",
				lineOf(text, "roles", key[1]), key[1], Worker)
		default:
			return fmt.Errorf("line %d: unknown action %q of the role %s: use one of %s", lineOf(text, "roles", key[2]),
				key[2], key[1], strings.Join(RoleActions(), ", "))
		}
	}

	if action, problem := c.Roles.Problem(); problem != "" {
		return fmt.Errorf("line %d: %s", lineOf(text, "roles", action), problem)
	}

	return nil
}

// lineOf returns the number of the line with a key of a section.
func lineOf(content, section, key string) int {
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(key) + `\b`)
	inside := false
	for i, line := range strings.Split(content, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if inside = inside || strings.Contains(line, section); inside && word.MatchString(line) {
			return i + 1
		}
	}

	return 1
}
