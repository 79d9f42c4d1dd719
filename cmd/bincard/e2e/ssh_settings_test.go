package e2e_test

import "testing"

// Over SSH the settings are those of the host, and cannot be changed.
func TestSSH_SettingsAreReadOnly(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	x := h.startSSH([]string{"Ada"}, "--data", c.dir, "--location", "WH-1")
	ada := x.logIn("ada", "xterm-256color")
	at := ada.waitFor(firstQuestion, 0)
	ada.typeText("\x10")
	at = ada.waitFor("Type an action", at)
	ada.typeSlowly("settings\r")
	ada.waitFor("SSH sessions use the settings of the machine that serves them.", at)
	ada.waitFor("Service       none", at)
	ada.waitFor("Sign-in       Ada", at)
	x.end()
}
