package shell

import (
	"bincard/tui/i18n"
	"bincard/tui/shell/internal/dialog"
	"bincard/tui/shell/internal/input"
)

// parts are what the shell has besides the screens. They know the options, but neither the
// screens nor each other.
type parts struct {
	opts    *Options
	t       *i18n.Translator
	alerts  *alerts
	dialogs *dialog.Stack
	login   *dialog.Login
	pending *input.Commands
	input   *input.Queue
	timing  *input.Timing
}

func newParts(opts *Options) parts {
	t, now := opts.Translator, opts.Clock.Now

	return parts{
		opts:    opts,
		t:       t,
		alerts:  &alerts{opts: opts},
		dialogs: dialog.NewStack(t),
		login:   dialog.NewLogin(opts.Login, t, now),
		pending: input.NewCommands(
			input.Options{Clock: opts.Clock, Limit: opts.Limit, Work: opts.Work, Background: opts.Background}),
		input:  input.NewQueue(now),
		timing: input.NewTiming(now),
	}
}

// hasFault reports whether an error is shown.
func (p *parts) hasFault() bool { return p.alerts.fault.Active() }

// dialogTakesKeys reports whether a dialog is open that accepts keys. While a login is
// required, only the shell's question whether to quit does.
func (p *parts) dialogTakesKeys() bool {
	return p.dialogs.Open() && (!p.login.Required() || p.dialogs.ShellQuestion())
}

// readingScan reports whether enter may be meant for a message that the last scan did not
// bring, so it must not submit anything. An error takes it, unless the scan ended without a
// terminator: then enter may be the scanner's, and nobody has read the error.
func (p *parts) readingScan() bool {
	return p.timing.ReadingScan() && (p.timing.Unterminated || !p.hasFault()) &&
		(!p.login.Required() || p.login.Switching())
}

// settling reports whether a key, or the same scan again, may have no effect because of the
// last scan.
func (p *parts) settling() bool { return p.readingScan() || p.input.Settling() }
