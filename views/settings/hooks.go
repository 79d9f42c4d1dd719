package settings

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// A Connection is a service and the key to use it.
type Connection struct {
	URL          string // "https://stock.example.com"; "" for the ledger on this machine
	Organization string // its ID, a UUID
	Key          string // API key as typed; "" keeps the saved key
}

// Values are the settings shown on the screen.
type Values struct {
	Connection
	MaskedKey string // the saved key, masked: "bc_test_ab12cd34…"; "" for none
	Theme     string // one of theme.Names
	Language  string // code of one of Languages
	Sounds    bool   // ring the bell on scans and errors
	Operator  string // the person at this terminal, if there is no sign-in
	// Lock is the number of idle minutes after which the terminal locks; 0 means
	// never.
	Lock int64
	// Offline saves work on this machine while the service cannot be reached and
	// syncs it later.
	Offline bool
	// Resume starts at the last screen instead of home.
	Resume bool

	// ReadOnly says why nobody can change the settings here, or is empty.
	ReadOnly string

	// Read-only values.
	Languages i18n.Languages      // to choose from
	Operators []string            // who may sign in; empty if sign-in is not required
	Keys      map[string][]string // keys assigned to actions
	Notes     []string            // problems with the settings
	File      string              // path of the settings file
}

// A Company is the initial data of a machine: a name and a first location.
type Company struct {
	Name         string // "Harbor Goods"
	LocationCode string // "WH-1"
	LocationName string // "Main warehouse"
	Operator     string // the person at this terminal; may be ""
}

// Tested is the result of a connection test.
type Tested struct {
	api.Access
	ClockOffset time.Duration // by which the service's clock is ahead
}

// Hooks are the functions that the screens call. A nil function disables its
// feature. Errors are shown unchanged, so they must say what happened and what to
// do.
type Hooks struct {
	// Load returns the current values. It must not block.
	Load func() Values
	// Save saves the values. An empty key means no change.
	Save func(ctx context.Context, v Values) error
	// Apply runs in the update loop after Save and changes the theme and sounds of
	// the running session. It may return nil.
	Apply func(v Values) tea.Cmd
	// Test tests a connection and returns the owner of the key. The organization is
	// zero if the service does not identify keys.
	Test func(ctx context.Context, c Connection) (Tested, error)

	// Create creates a company on this machine.
	Create func(ctx context.Context, c Company) error
	// Demo opens the demo warehouse.
	Demo func(ctx context.Context) error
	// Connect saves a connection and opens it.
	Connect func(ctx context.Context, c Connection) error
	// Enter leaves the welcome screen after Create, Demo or Connect. If it is nil,
	// home opens.
	Enter func() tea.Cmd
}

// checkURL returns a check for the address of a service.
func checkURL(t *i18n.Translator) func(text string) error {
	return func(text string) error {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return t.NewError("use a form like https://stock.example.com")
		}
		if u.User != nil {
			return t.NewError("remove the name and password; the key goes below")
		}
		return nil
	}
}

// checkOrganization returns a check for an organization ID.
func checkOrganization(t *i18n.Translator) func(text string) error {
	return func(text string) error {
		if len(text) == 36 && strings.Count(text, "-") == 4 {
			return nil
		}
		return t.NewError("an ID has 36 characters")
	}
}

// checkLock returns a check for the number of minutes before locking.
func checkLock(t *i18n.Translator) func(text string) error {
	return func(text string) error {
		if n, err := strconv.ParseInt(text, 10, 64); err != nil || n > 24*60 {
			return t.NewError("at most 1440 minutes")
		}
		return nil
	}
}

// describeAccess describes the result of a connection test.
func describeAccess(t *i18n.Translator, a Tested) string {
	text := describeKey(t, a.Access)
	if words := session.ClockWords(t, a.ClockOffset); words != "" {
		text += " " + words
	}
	return text
}

func describeKey(t *i18n.Translator, a api.Access) string {
	if a.Organization.ID == api.NoID {
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
