package e2e_test

import (
	"testing"
)

// Saving the settings restarts the screens. Keys that are pressed meanwhile reach the new
// ones, in order.
func TestSettings_KeysWhileTheScreensRestart(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	d := c.openTerminal(h, [2]int{80, 24})
	d.home()
	for _, name := range []string{"Ben", "Cleo", "Dora", "Elif", "Finn"} {
		d.goTo("Settings", "Operator", "Lock (min)")
		d.key("C-u").typeText(name)
		d.waitFor("ctrl+s save")
		d.key("C-s")
		d.waitUntil("is saved", func(view string) bool { return has(view, "Settings saved") })
		d.tmux("send-keys", "C-g")
		d.typeText("5")
		d.waitFor("▸ MUG-W", name)
		d.key("C-g")
		d.home()
	}
	d.key("C-q").requireExit(0)
}
