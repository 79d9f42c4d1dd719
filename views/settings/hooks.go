package settings

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// A Connection is a service to work against.
type Connection struct {
	URL          string // "https://stock.example.com"; "" is the ledger on this machine
	Organization string // its id, a UUID
	Key          string // the API key as typed; "" keeps the one that is kept
}

// Values are all that the settings screen shows and changes.
type Values struct {
	Connection
	MaskedKey string // the key that is kept, unreadable: "bc_test_ab12cd34…"; "" if none
	Theme     string // one of theme.Names
	Language  string // the code of one of Languages
	Sounds    bool   // the bell on scans and errors
	Operator  string // the person at this terminal, where nobody logs on
	// Lock is after how many minutes without a key the terminal locks itself; 0 is never.
	Lock int64
	// Offline keeps what is done on this machine while the service cannot be
	// reached, and sends it when it can.
	Offline bool
	// Resume opens what was open when one left; else the first screen.
	Resume bool

	// What is shown, and changed elsewhere.
	Languages i18n.Languages      // to choose from
	Operators []string            // who may log on; empty where anybody works
	Keys      map[string][]string // keys given to actions
	Notes     []string            // what is wrong with all this, in words
	File      string              // where the settings are kept
}

// A Company is what a machine starts with: its name and its first location.
type Company struct {
	Name         string // "Harbour Goods"
	LocationCode string // "WH-1"
	LocationName string // "Main warehouse"
	Operator     string // the person at this terminal; may be ""
}

// Tested is what a connection that was tried answered.
type Tested struct {
	api.Access
	ClockOffset time.Duration // of the service's clock ahead of this machine's
}

// Hooks do what the screens ask for. A nil one leaves its feature out. Errors
// are shown as they are, so they say what happened and what to do next.
type Hooks struct {
	// Load gives the present values. It must not block.
	Load func() Values
	// Save keeps the values; the key in it is "" where it did not change.
	Save func(ctx context.Context, v Values) error
	// Apply is run in the terminal's own turn after Save, to change the theme or
	// the sounds of the running session; it may return nil.
	Apply func(v Values) tea.Cmd
	// Test tries a connection and answers who one is there. A service that
	// tells nobody who he is answers a zero organization.
	Test func(ctx context.Context, c Connection) (Tested, error)

	// Create makes a company on this machine.
	Create func(ctx context.Context, c Company) error
	// Demo opens the made-up warehouse.
	Demo func(ctx context.Context) error
	// Connect keeps a connection and opens it.
	Connect func(ctx context.Context, c Connection) error
	// Enter leaves the welcome screen after one of the three succeeded; where it
	// is nil the first screen of the registry opens.
	Enter func() tea.Cmd
}

// checkURL refuses what is no address of a service.
func checkURL(t *i18n.Translator) func(text string) error {
	return func(text string) error {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return errors.New(t.Get("use a form like https://stock.example.com"))
		}
		if u.User != nil {
			return errors.New(t.Get("remove the name and password; the key goes below"))
		}
		return nil
	}
}

// checkOrganization refuses what is no id.
func checkOrganization(t *i18n.Translator) func(text string) error {
	return func(text string) error {
		if len(text) == 36 && strings.Count(text, "-") == 4 {
			return nil
		}
		return errors.New(t.Get("an ID has 36 characters"))
	}
}

// checkLock refuses what is no sensible time to lock after.
func checkLock(t *i18n.Translator) func(text string) error {
	return func(text string) error {
		if n, err := strconv.ParseInt(text, 10, 64); err != nil || n > 24*60 {
			return errors.New(t.Get("at most 1440 minutes"))
		}
		return nil
	}
}

// describeAccess says in words what a tried connection answered.
func describeAccess(t *i18n.Translator, a Tested) string {
	text := whose(t, a.Access)
	if words := dock.ClockWords(t, a.ClockOffset); words != "" {
		text += " " + words
	}
	return text
}

func whose(t *i18n.Translator, a api.Access) string {
	if a.Organization.ID == (api.ID{}) {
		return t.Get("Connected. The service does not identify keys; all its jobs are available.")
	}
	text := t.Get("Connected to %s, %s stock", a.Organization.Name, strings.ToUpper(string(a.Environment)))
	if a.KeyLabel != "" {
		text += t.Get(", key %s", a.KeyLabel)
	}
	if missing := missingScopes(a.Scopes); len(missing) > 0 {
		text += t.Get(". Missing permissions: %s", strings.Join(missing, ", "))
	}
	return text + "."
}

func missingScopes(have []api.Scope) []string {
	caller := api.Caller{Scopes: have}
	var out []string
	for _, s := range api.Scopes {
		if !caller.May(s) {
			out = append(out, string(s))
		}
	}
	return out
}

// themes are the names to choose from, the present one kept even if unknown.
func themes() []string { return theme.Names() }
