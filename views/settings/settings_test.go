package settings_test

import (
	"context"
	"errors"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/settings"
)

const organization = "0190d3a0-5f0a-7c3e-9b1d-3f2a4b5c6d7e"

// fakeHooks saves settings in memory and records calls.
type fakeHooks struct {
	values  settings.Values
	applied []string
	tried   []settings.Connection
	company settings.Company
	demo    int
	entered int
	err     error
	answer  settings.Tested
}

func (p *fakeHooks) hooks() settings.Hooks {
	return settings.Hooks{
		Load: func() settings.Values { return p.values },
		Save: func(_ context.Context, v settings.Values) error {
			if p.err != nil {
				return p.err
			}
			if v.Key != "" {
				v.MaskedKey, v.Key = v.Key[:8]+"…", ""
			}
			p.values = v
			return nil
		},
		Apply: func(v settings.Values) tea.Cmd { p.applied = append(p.applied, v.Theme); return nil },
		Test: func(_ context.Context, c settings.Connection) (settings.Tested, error) {
			p.tried = append(p.tried, c)
			return p.answer, p.err
		},
		Create:  func(_ context.Context, c settings.Company) error { p.company = c; return p.err },
		Demo:    func(context.Context) error { p.demo++; return p.err },
		Connect: func(_ context.Context, c settings.Connection) error { p.tried = append(p.tried, c); return p.err },
		Enter:   func() tea.Cmd { p.entered++; return tui.Toast("entered") },
	}
}

func (p *fakeHooks) open(t *testing.T, route string) *tuitest.Driver {
	t.Helper()
	registry := tui.NewRegistry()
	if route == settings.Route {
		registry.Add(settings.Route, "Settings", settings.Open(p.hooks()))
	} else {
		registry.Add(settings.WelcomeRoute, "Welcome", settings.Welcome(p.hooks()))
	}
	return tuitest.New(t, shell.Options{Registry: registry})
}

func newFakeHooks() *fakeHooks {
	return &fakeHooks{values: settings.Values{Operator: "Ada", Theme: "dark", Sounds: true, Resume: true, MaskedKey: "bc_test_ab12cd34…",
		Connection: settings.Connection{URL: "https://stock.example.com", Organization: organization}}}
}

func TestSettings_SaveAndApply(t *testing.T) {
	t.Parallel()
	p := newFakeHooks()
	d := p.open(t, settings.Route)
	d.Goldens("kept")
	d.Key("f10").Sees("There are no changes")
	d.Key("tab", "right", "tab", "right", "f10").Sees("Settings saved")
	require.Equal(t, "light", p.values.Theme)
	require.False(t, p.values.Sounds)
	require.Equal(t, []string{"light"}, p.applied)
	require.Empty(t, p.values.Key)
}

func TestSettings_KeyIsMasked(t *testing.T) {
	t.Parallel()
	p := newFakeHooks()
	d := p.open(t, settings.Route)
	d.Key("up").Scan("bc_test_zz99secret").Sees("•••").Lacks("secret").Key("ctrl+u")
	require.Equal(t, 1, d.Bells())
	d.Type("bc_test_zz99secret").Sees("••••").Lacks("secret", "zz99")
	d.Goldens("key")
	d.Key("up").Lacks("secret")
	d.Key("f10").Sees("bc_test_…").Lacks("secret")
	require.Equal(t, "bc_test_…", p.values.MaskedKey)

	d = p.open(t, settings.Route)
	d.Key("up").Type("bc_test_b").Key("left", "left").Sees("•••••••█••").Type("x").Sees("••••••••█••").Key("f10")
	require.Equal(t, "bc_testx…", p.values.MaskedKey, "the x stands where the cursor was")
}

func TestSettings_TestConnection(t *testing.T) {
	t.Parallel()
	p := newFakeHooks()
	p.answer.Access = api.Access{Organization: api.Organization{ID: uuid.MustParse(organization), Name: "Harbor Goods"},
		Environment: api.Test, KeyLabel: "dock 3", Scopes: []api.Scope{api.InventoryRead, api.InventoryWrite}}
	d := p.open(t, settings.Route)
	d.Key("f4").Sees("✓ Connected to Harbor Goods, TEST stock, key dock 3", "Missing permissions:", "transfers:read")
	d.Goldens("tried")
	p.answer = settings.Tested{ClockOffset: -24 * time.Hour}
	d.Key("f4").Sees("The service does not identify keys", "This machine's clock is 1 day fast")
	p.err = api.Fail(api.Unauthorized, nil, "The key is not known here. Ask for a new one.")
	d.Key("f4").Sees("! The key is not known here. Ask for a new one.")
	require.Len(t, p.tried, 3)
	d.Key("down", "down", "down", "down", "down", "ctrl+u").Type("ftp:x").Key("f4").Sees("use a form like https://")
	require.Len(t, p.tried, 3)
}

func TestSettings_SaveError(t *testing.T) {
	t.Parallel()
	p := newFakeHooks()
	p.err = errors.New("the disk is full: make room and save again")
	d := p.open(t, settings.Route)
	d.Type("l").Key("f10").Sees("The disk is full")
	d.Key("enter").Sees("Adal")
	require.Equal(t, "Ada", p.values.Operator)
	d.Key("ctrl+z").Lacks("Adal")
}

func TestWelcome_CreatesCompany(t *testing.T) {
	t.Parallel()
	p := &fakeHooks{}
	d := p.open(t, settings.WelcomeRoute)
	d.Goldens("ways")
	d.Scan("WH-1").Sees("Choose 1, 2 or 3 first")
	d.Key("1").Sees("Company").Key("f10").Sees("required")
	d.Goldens("company")
	d.Type("Harbor Goods").Key("enter").Scan("WH-1").Key("tab", "tab").Type("Ada").Key("enter")
	require.Equal(t, settings.Company{Name: "Harbor Goods", LocationCode: "WH-1", LocationName: "WH-1", Operator: "Ada"}, p.company)
	require.Equal(t, 1, p.entered)
}

func TestWelcome_OpensDemo(t *testing.T) {
	t.Parallel()
	p := &fakeHooks{err: errors.New("the disk is full: make room and try again")}
	d := p.open(t, settings.WelcomeRoute)
	d.Key("3", "esc").Sees("How do you want to start?").Key("1", "esc", "2").Sees("The disk is full")
	require.Zero(t, p.entered)
	p.err = nil
	d.Key("enter", "2")
	require.Equal(t, 2, p.demo)
	require.Equal(t, 1, p.entered)
}

func TestWelcome_Connects(t *testing.T) {
	t.Parallel()
	p := &fakeHooks{}
	d := p.open(t, settings.WelcomeRoute)
	d.Key("3").Type("https://stock.example.com").Key("tab").Type(organization).Key("tab").Type("bc_test_ab12cd34_x")
	d.Lacks("ab12cd34").Key("f4").Sees("Connected").Key("f10")
	require.Equal(t, settings.Connection{URL: "https://stock.example.com", Organization: organization, Key: "bc_test_ab12cd34_x"}, p.tried[1])
	require.Equal(t, 1, p.entered)
}

func TestSettings_AllValues(t *testing.T) {
	t.Parallel()
	p := newFakeHooks()
	p.values.Operators, p.values.Keys = []string{"Ada", "Eve"}, map[string][]string{"panel.all": {"f6"}, "panel.record": {"f9", "enter"}}
	p.values.Notes, p.values.File = []string{"keys in config.toml: F7 is assigned to panel.lot and panel.all: panel.lot wins"}, "/home/ada/.config/bincard/config.toml"
	d := p.open(t, settings.Route)
	d.Sees("Ada, Eve", "panel.all f6, panel.record f9 enter", "! keys in config.toml: F7", "config.toml")
	d.Goldens("all")
	d.Key("down", "down", "down", "right", "down").Type("9999").Key("f10").Sees("at most 1440 minutes")
	d.Key("backspace", "backspace", "backspace", "f10").Sees("Settings saved")
	require.Equal(t, int64(9), p.values.Lock)
	require.False(t, p.values.Resume)
}

func TestSettings_ResultStaysWithItsConnection(t *testing.T) {
	t.Parallel()
	p := newFakeHooks()
	p.err = api.Fail(api.Unavailable, nil, "The service cannot be reached.")
	d := p.open(t, settings.Route)
	d.Key("up").Type("x").Key("f4").Sees("cannot be reached").Key("ctrl+z").Lacks("cannot be reached")
	d.Size(40, 8).Type("x").Key("f4").Sees("Key", "cannot be reached").Key("enter").Lacks("cannot be reached")
	require.Empty(t, p.applied, "enter saved a form that was not on the screen")
}

func TestSettings_TestNeedsAnOrganization(t *testing.T) {
	t.Parallel()
	p := newFakeHooks()
	p.values.Organization = ""
	d := p.open(t, settings.Route)
	d.Key("f4").Sees("▸ Organization", "enter the ID that the key belongs to")
	require.Empty(t, p.tried)
}

func TestSettings_KeepsUnsavedChanges(t *testing.T) {
	t.Parallel()
	p := newFakeHooks()
	d := tuitest.At(t, settings.Route, settings.Route, settings.Open(p.hooks()))
	d.Type("x").Key("esc").Sees("Unsaved changes. Save them with ctrl+s, or undo them with ctrl+z.")
	require.Equal(t, settings.Route, d.Model.Route())
	d.Key("ctrl+z", "esc")
	require.Equal(t, "home", d.Model.Route())
}

func TestSettings_LockRefusesAScanThatIsNoNumber(t *testing.T) {
	t.Parallel()
	p := newFakeHooks()
	p.values.Lock = 5
	d := p.open(t, settings.Route)
	d.Key("tab", "tab", "tab", "tab").Scan("L162-B").Sees("This field does not accept scans", "Lock (min)    5")
	d.Type("x").Key("tab").Sees("5x").Key("f10").Sees("! ")
	require.EqualValues(t, 5, p.values.Lock)
}

func TestSettings_KeepsKeysTypedWhileSaving(t *testing.T) {
	t.Parallel()
	p := newFakeHooks()
	d := p.open(t, settings.Route)
	d.Type("l").Hold().Key("f10").Type("x").Key("tab", "right").Release().Sees("Settings saved", "Adalx", "‹ light ›")
	require.Equal(t, "Adal", p.values.Operator)
	d.Key("f10").Sees("Settings saved")
	require.Equal(t, "Adalx", p.values.Operator)
	require.Equal(t, "light", p.values.Theme)
}

func TestSettings_OfflineNeedsAService(t *testing.T) {
	t.Parallel()
	p := newFakeHooks()
	p.values.Connection, p.values.Offline = settings.Connection{}, true
	d := p.open(t, settings.Route)
	d.Sees("Service").Lacks("Work offline")
	d.Key("up", "up", "up").Type("https://stock.example.com").Sees("Work offline    on").Key("ctrl+u").Lacks("Work offline")
	d.Key("f10").Sees("There are no changes")
}

func TestSettings_NothingIsCutOnSmallScreens(t *testing.T) {
	t.Parallel()
	d := newFakeHooks().open(t, settings.Route)
	d.Size(20, 16).Sees("    last screen", "Lock (min)", "Organization", "Work offline   off", "  bc_test_ab12cd34…")
	d.Key("up").Size(40, 8).Sees("Work offline    off")
}

// openFor starts a terminal of Ada, a worker, and Eve, a supervisor, on the settings.
func (p *fakeHooks) openFor(t *testing.T, operator string) *tuitest.Driver {
	t.Helper()
	p.values.Operators = []string{"Ada", "Eve"}
	registry := tui.NewRegistry().Add(settings.Route, "Settings", settings.Open(p.hooks()))
	return tuitest.New(t, shell.Options{Registry: registry, Login: tui.Login{Current: operator,
		Operators: []tui.Operator{{Name: "Ada", Badge: "ADA-42"}, {Name: "Eve", Badge: "EVE-43", Supervisor: true}}}})
}

func TestSettings_AreReadOnlyForWorkers(t *testing.T) {
	t.Parallel()
	p := newFakeHooks()
	d := p.openFor(t, "Ada")
	d.Sees("Only a supervisor can change the settings.", "Sign-in       Ada, Eve", "https://stock.example.com", "bc_test_ab12cd34")
	d.Goldens("worker")
	d.Type("x").Key("tab", "space", "enter").Lacks("█").Key("f10").Sees("Only a supervisor can change the settings.")
	d.Scan("bc_live_12345678").Key("f10").Lacks("12345678", "saved")
	d.Scan("EVE-43").Lacks("Only a supervisor").Sees("█").Type("x").Key("f10").Sees("Settings saved")

	p.values.ReadOnly = "SSH sessions use the settings of the machine that serves them. Ask its administrator."
	p.openFor(t, "Eve").Sees("SSH sessions use the settings of the machine").Lacks("█")
}
