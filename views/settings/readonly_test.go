package settings_test

import (
	"testing"

	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/settings"
)

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
}

func TestSettings_SaysWhyTheyAreReadOnly(t *testing.T) {
	t.Parallel()
	p := newFakeHooks()
	p.values.ReadOnly = "SSH sessions use the settings of the machine that serves them. Ask its administrator."
	d := p.openFor(t, "Eve")
	d.Sees("SSH sessions use the settings of the machine").Lacks("█")
}
