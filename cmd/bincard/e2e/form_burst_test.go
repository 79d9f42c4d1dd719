package e2e_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Typed text arrives in bursts over a slow connection. A form field appends them, and keeps a
// value that it refuses. A service without a key is not saved, because the next start would
// fail.
func TestForm_KeepsBursts(t *testing.T) {
	t.Parallel()
	for name, size := range sizes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			d := c.openTerminal(h, size, "settings")
			d.waitFor("Operator")
			d.key("Tab", "Tab", "Tab", "Tab", "Tab", "Tab")
			d.waitFor("▸ Service")
			for _, part := range []string{"127.", "0.0.1:80", "99"} {
				d.tmux("send-keys", "-l", part)
				time.Sleep(8 * keyInterval)
			}
			d.waitFor("127.0.0.1:8099█")
			d.key("C-s")
			d.waitFor("127.0.0.1:8099█", "! use a form like")
			d.key("Home")
			d.typeText("http://").key("C-s")
			d.waitFor("! There is no key for", "enter it in the field Key")
			d.key("Enter")
			d.waitFor("http://█127.0.0.1:")
			d.key("C-z")
			d.waitGone("http://")
			d.key("C-q").requireExit(0)
			require.NotContains(t, h.readFile("config_home", "bincard", "config.toml"), "8099")
			d = c.openTerminal(h, size, "settings")
			d.waitFor("Operator")
			d.key("C-q").requireExit(0)
		})
	}
}
