package config

import (
	"slices"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
)

// Operators are the operators of a terminal.
type Operators []Operator

// OfCompany returns the operators of an organization, with notes on mistakes in
// the settings. An empty company has all operators.
func (l Operators) OfCompany(company string) (people Operators, notes []string) {
	badges := map[string]string{}
	for i, o := range l {
		switch {
		case o.Company != "" && company != "" && o.Company != company:
			continue
		case strings.TrimSpace(o.Name) == "":
			notes = append(notes, i18n.Textf("Operator %d in config.toml has no name and is ignored.", i+1))
			continue
		case o.Role != "" && o.Role != Worker && o.Role != Supervisor:
			notes = append(
				notes,
				i18n.Textf(
					"The role %q of %s in config.toml is unknown. Use worker or supervisor; until then %s is a worker.",
					o.Role,
					o.Name,
					o.Name,
				),
			)

			o.Role = Worker
		}

		badge := strings.ToLower(o.Badge)
		if other := badges[badge]; badge != "" && other != "" {
			notes = append(
				notes,
				i18n.Textf("%s and %s have the same badge in config.toml. It is assigned to %s.", other, o.Name, other),
			)
			o.Badge = ""
		}

		if badge != "" && len([]rune(badge)) < MinBadge {
			notes = append(
				notes,
				i18n.Textf(
					"The badge of %s has fewer than %d characters, so it cannot be scanned, only typed.",
					o.Name,
					MinBadge,
				),
			)
		}

		badges[badge] = o.Name
		people = append(people, o)
	}

	return people, notes
}

// Index finds an operator by name in any company; -1 is none.
func (l Operators) Index(name string) int {
	return slices.IndexFunc(l, func(o Operator) bool { return strings.EqualFold(o.Name, name) })
}

// IndexOf finds an operator of a company by name; -1 is none.
func (l Operators) IndexOf(name, company string) int {
	return slices.IndexFunc(l, func(o Operator) bool {
		return strings.EqualFold(o.Name, name) && (o.Company == company || o.Company == "")
	})
}

// Remote returns the operators who can log on over SSH.
func (l Operators) Remote() (out Operators) {
	for _, o := range l {
		if len(o.Keys) > 0 || o.Password != "" {
			out = append(out, o)
		}
	}

	return out
}

// Login returns the shell's login for these operators and roles. lock is the idle time
// after which the terminal locks itself, such as 5m; empty is never.
func (l Operators) Login(lock string, roles Roles) (login tui.Login, notes []string) {
	worker := roles.Worker.Permissions()
	for _, o := range l {
		p := tui.Operator{Name: o.Name, Badge: o.Badge, Supervisor: o.Role != Worker, Permissions: worker}
		if stored := o.PIN; stored != "" {
			p.Check = func(pin string) bool { return CheckPIN(stored, pin) }
		}
		login.Operators = append(login.Operators, p)
	}

	if len(l) > 0 && !l.HasSupervisor() {
		notes = append(notes, NoSupervisorNote())
	}
	if lock == "" {
		return login, notes
	}

	after, err := time.ParseDuration(lock)
	switch {
	case err != nil || after < 0:
		notes = append(
			notes,
			i18n.Textf(
				"lock = %q in config.toml is not a duration: use \"5m\". The terminal does not lock itself.",
				lock,
			),
		)

	case len(l) == 0 && after > 0:
		notes = append(
			notes,
			i18n.Textf(
				"The terminal cannot lock itself: no operator could unlock it. Add one with 'bincard operator add'."),
		)

	default:
		login.LockAfter = after
	}

	return login, notes
}

// NoSupervisorNote is the note about a list without a supervisor.
func NoSupervisorNote() string {
	return i18n.Textf(
		"No operator is a supervisor, so nobody can approve what a worker may not do. Add one with 'bincard operator add NAME --role supervisor'.",
	)
}

// NoPINNote is the note about a supervisor without a PIN, or "".
func (o Operator) NoPINNote() string {
	if o.Role == Worker || o.PIN != "" {
		return ""
	}
	return i18n.Textf(
		"%s has no PIN, so anybody who types the name can approve. Add one with 'bincard operator add %q --pin'.",
		o.Name, o.Name)
}

// HasSupervisor reports whether an operator may approve the actions of others.
func (l Operators) HasSupervisor() bool {
	return slices.ContainsFunc(l, func(o Operator) bool { return o.Role != Worker })
}

// Cards returns the badges to print.
func (l Operators) Cards() (cards []scan.Card) {
	for _, o := range l {
		if o.Badge != "" {
			cards = append(cards, scan.Card{Title: o.Name, Hint: o.Role, Code: o.Badge})
		}
	}

	return cards
}
