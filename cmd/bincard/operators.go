package main

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/scan/sheet"
)

// An operator is a person who can work at this terminal.
type operator struct {
	Name string `toml:"name"`
	// Badge is the badge's code.
	Badge string `toml:"badge,omitempty"`
	// PIN is salted and hashed, or as it is typed.
	PIN string `toml:"pin,omitempty"`
	// Role is "supervisor" or "worker"; a supervisor when omitted.
	Role string `toml:"role,omitempty"`
	// Language is the code of the operator's language; the terminal's when omitted.
	Language string `toml:"language,omitempty"`
	// Company is the id of the organization; of all when omitted.
	Company string `toml:"company,omitempty"`
	// Keys are public keys, lines of an authorized_keys file, and Password is a
	// bcrypt hash: by these one logs on over SSH.
	Keys     []string `toml:"keys,omitempty"`
	Password string   `toml:"password,omitempty"`

	// unknown are the fields that this version does not know; see config.
	unknown map[string]any
}

const (
	pinScheme = "pbkdf2"
	pinRounds = 120_000
	pinLeast  = 4 // digits or characters
)

// hashPIN returns the salted hash of a PIN.
func hashPIN(pin string) (string, error) {
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}
	sum, err := pbkdf2.Key(sha256.New, pin, salt, pinRounds, 32)
	if err != nil {
		return "", err
	}
	return pinScheme + "$" + hex.EncodeToString(salt) + "$" + hex.EncodeToString(sum), nil
}

// checkPIN reports whether a PIN matches the stored one, which is hashed or plain.
func checkPIN(kept, pin string) bool {
	parts := strings.Split(kept, "$")
	if len(parts) != 3 || parts[0] != pinScheme {
		return tui.SamePIN(kept, pin)
	}
	salt, err := hex.DecodeString(parts[1])
	if err != nil {
		return false
	}
	sum, err := pbkdf2.Key(sha256.New, pin, salt, pinRounds, 32)
	return err == nil && tui.SamePIN(hex.EncodeToString(sum), parts[2])
}

// companyOperators returns the operators of an organization, with notes on mistakes.
func (c config) companyOperators() (people []operator, notes []string) {
	badges := map[string]string{}
	for i, o := range c.Operators {
		switch {
		case o.Company != "" && c.Organization != "" && o.Company != c.Organization:
			continue
		case strings.TrimSpace(o.Name) == "":
			notes = append(notes, fmt.Sprintf("Operator %d in config.toml has no name and is ignored.", i+1))
			continue
		case o.Role != "" && o.Role != "worker" && o.Role != "supervisor":
			notes = append(notes, fmt.Sprintf("The role %q of %s in config.toml is unknown. Use worker or supervisor; until then %s is a worker.", o.Role, o.Name, o.Name))
			o.Role = "worker"
		}
		badge := strings.ToLower(o.Badge)
		if other := badges[badge]; badge != "" && other != "" {
			notes = append(notes, fmt.Sprintf("%s and %s have the same badge in config.toml. It is assigned to %s.", other, o.Name, other))
			o.Badge = ""
		}
		if badge != "" && len([]rune(badge)) < 4 {
			notes = append(notes, fmt.Sprintf("The badge of %s has fewer than 4 characters, so it cannot be scanned, only typed.", o.Name))
		}
		badges[badge] = o.Name
		people = append(people, o)
	}
	return people, notes
}

// login returns the shell's login settings.
func (c config) login(changed func(name string)) (on tui.Login, notes []string) {
	people, notes := c.companyOperators()
	for _, o := range people {
		p := tui.Operator{Name: o.Name, Badge: o.Badge, Supervisor: o.Role != "worker"}
		if kept := o.PIN; kept != "" {
			p.Check = func(pin string) bool { return checkPIN(kept, pin) }
		}
		on.Operators = append(on.Operators, p)
	}
	on.OnChange, on.Current = changed, c.loggedIn
	if c.Lock != "" {
		lock, err := time.ParseDuration(c.Lock)
		switch {
		case err != nil || lock < 0:
			notes = append(notes, fmt.Sprintf("lock = %q in config.toml is not a duration: use \"5m\". The terminal does not lock itself.", c.Lock))
		case len(on.Operators) == 0 && lock > 0:
			notes = append(notes, "The terminal cannot lock itself: no operator could unlock it. Add one with 'bincard operator add'.")
		default:
			on.LockAfter = lock
		}
	}
	return on, notes
}

// badgeCards returns the cards of the operators who have a badge.
func (c config) badgeCards() (cards []sheet.Card) {
	people, _ := c.companyOperators()
	for _, o := range people {
		if o.Badge != "" {
			cards = append(cards, sheet.Card{Title: o.Name, Hint: o.Role, Code: o.Badge})
		}
	}
	return cards
}

// companyOperatorIndex finds an operator of the configuration.
func (c config) companyOperatorIndex(name, company string) int {
	return slices.IndexFunc(c.Operators, func(o operator) bool {
		return strings.EqualFold(o.Name, name) && (o.Company == company || o.Company == "")
	})
}
