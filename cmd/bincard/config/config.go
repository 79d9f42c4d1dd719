// Package config has the configuration of the program: the settings file, the folders and
// files that it names, what operators save on screens, the requests of command-line jobs,
// and the operators and languages of a session.
//
// An Operator is one person. Operators finds those of an organization and makes the shell's
// login with its lock (Login) and the badges to print (Cards). PINs are stored as HashPIN
// returns them.
package config

import (
	"os"
	"os/user"
	"strings"

	"bincard/tui"
)

// Settings are the contents of the settings file. API keys are stored separately; see Config.KeyStore.
type Settings struct {
	URL          string `toml:"url,omitempty"`
	Organization string `toml:"organization,omitempty"`
	// AllowPlain permits sending the key to another machine without TLS.
	AllowPlain  bool   `toml:"allow_plain,omitempty"`
	Data        string `toml:"data,omitempty"`
	Environment string `toml:"environment,omitempty"`
	Theme       string `toml:"theme,omitempty"`
	Operator    string `toml:"operator,omitempty"`
	Location    string `toml:"location,omitempty"`
	Silent      bool   `toml:"silent,omitempty"`
	// Language is the code of the terminal's language, like "de".
	Language string `toml:"language,omitempty"`
	// Lock is the idle time after which the terminal locks, like "5m".
	Lock string `toml:"lock,omitempty"`
	// Afresh starts at the first screen instead of restoring the last session.
	Afresh bool `toml:"afresh,omitempty"`
	// Offline saves operations on this machine while the service cannot be reached.
	Offline bool `toml:"offline,omitempty"`
	// Mirror is a directory on another disk for a second copy of the offline work.
	Mirror string `toml:"mirror,omitempty"`
	// MonthlyRequests is the service's request quota per month; 0 is no limit. Up to a
	// fifth of it is used to fetch changes.
	MonthlyRequests uint32 `toml:"monthly_requests,omitempty"`
	// Operators may use this terminal; if empty, anyone may.
	Operators Operators `toml:"operators,omitempty"`
	// Roles says what the operators may do without a supervisor.
	Roles Roles `toml:"roles,omitempty"`
	// Counts says which differences of a count are large.
	Counts Counts `toml:"counts,omitempty"`
	// Keys maps action IDs to the keys that run them.
	Keys map[string][]string `toml:"keys,omitempty"`

	// unknown holds settings that this version does not know, by name. Encode writes them
	// back, because the file may come from a newer version.
	unknown map[string]any
}

// A Config is the configuration: flags override the environment, which overrides the
// settings file.
type Config struct {
	Settings

	// Store is the URL of a database with the ledger; empty for a data directory. StoreName
	// is the URL without its password. Neither is saved.
	Store, StoreName string

	FlagEnvironment string // the value of --env; empty without the flag
	KeyFile         string // the file of the API key; empty without --key-file
	// OfflineLocations are the codes of the locations to which offline work is limited.
	OfflineLocations []string
	Notes            []string // problems in the settings
	LoggedIn         string   // the operator signed in when the previous session ended
	Demo             bool
	UseNode          bool // work through an offline node: --offline or Offline, with a URL
	JoinNode         bool // also use a node that another process on this machine runs
	ShowIdle         bool
	Plain            bool // line mode
	Width            int  // of lines in line mode; 0 is the terminal's width
}

// CompanyOperators returns the operators of the configured organization and notes on
// mistakes in the list.
func (c Config) CompanyOperators() (Operators, []string) {
	return c.Operators.OfCompany(c.Organization)
}

// LoginOptions returns the shell's login settings and notes on mistakes in them.
func (c Config) LoginOptions(changed func(name string)) (tui.Login, []string) {
	people, notes := c.CompanyOperators()
	login, more := people.Login(c.Lock, c.Roles)
	login.OnChange, login.Current = changed, c.LoggedIn
	return login, append(notes, more...)
}

// OperatorName returns the configured operator, or else the name of the system user.
func (c Config) OperatorName() string {
	if c.Operator != "" {
		return c.Operator
	}

	if u, err := user.Current(); err == nil {
		if u.Name != "" && u.Name != "root" {
			return strings.TrimRight(strings.Split(u.Name, ",")[0], " ")
		}
		return u.Username
	}

	return "operator"
}

// LocationCode returns the code of the configured location.
func (c Config) LocationCode() string {
	if c.Location == "" && c.Demo {
		return "WH-1"
	}
	return c.Location
}

// IsPlain reports whether the terminal runs in line mode.
func (c Config) IsPlain() bool { return c.Plain || os.Getenv("TERM") == "dumb" }
