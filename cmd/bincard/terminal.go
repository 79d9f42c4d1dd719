//go:build !noterminal

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/cmd/bincard/connect"
	"bincard/cmd/bincard/labelcmd"
	"bincard/server/demo"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/i18n"
	"bincard/tui/label/printing"
	"bincard/tui/plain"
	"bincard/tui/shell"
	"bincard/tui/widget"
	"bincard/views"
	"bincard/views/panel"
	"bincard/views/printlabels"
	"bincard/views/session"
	"bincard/views/status"
)

// terminalCommands returns the commands that run the terminal for others.
func terminalCommands() []*cobra.Command { return []*cobra.Command{sshCommand(), picturesCommand()} }

// terminal runs sessions until the operator quits. A change of ledger or service ends the
// session and starts the next one.
func terminal(ctx context.Context, cfg config.Config, args []string, out io.Writer) (err error) {
	defer func() { err = cli.Translated(cfg, err) }()
	if !cfg.IsPlain() && (!term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stdout.Fd()))) {
		return errors.New(i18n.Textf(
			"the terminal needs a screen and a keyboard; use 'bincard --plain' for line mode, or a command in scripts (see 'bincard --help')",
		))
	}

	if err := os.MkdirAll(config.StateHome(), 0o700); err != nil {
		return fmt.Errorf("cannot create %s: %w", config.StateHome(), err)
	}

	logFile, err := os.OpenFile(filepath.Join(config.StateHome(), "bincard.log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND,
		0o600)
	if err != nil {
		return fmt.Errorf("cannot open the log file: %w", err)
	}

	defer logFile.Close()
	log := slog.New(slog.NewTextHandler(logFile, nil))
	slog.SetDefault(log)
	var saved atomic.Bool
	keyboard := shell.NewKeyboard(os.Stdin)
	defer func() { err = errors.Join(err, keyboard.Close()) }()
	for {
		b, err := connect.Open(ctx, cfg)
		if err != nil {
			return err
		}

		next, err := runSession(ctx, cfg, b, args, keyboard, log, out, &saved)
		if b != nil {
			if closed := b.Close(); err == nil {
				err = closed
			}
		}

		if err != nil || next == nil {
			return err
		}

		cfg, args = *next, nil
	}
}

// runSession runs one session of the terminal. It returns the configuration of the next
// one, or nil to exit. saved says that the session begins with saved settings.
func runSession(
	ctx context.Context,
	cfg config.Config,
	b *connect.Backend,
	args []string,
	keyboard *shell.Keyboard,
	log *slog.Logger,
	out io.Writer,
	saved *atomic.Bool,
) (*config.Config, error) {
	var background sync.WaitGroup
	defer background.Wait() // a label that is being sent
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var next atomic.Pointer[config.Config]
	current := &settingsHooks{
		cfg:   cfg,
		saved: saved,
		next:  func(c config.Config) { next.Store(&c); keyboard.Stop(); cancel() },
	}
	folder, release := claimDrafts(cfg, log)
	defer release()
	opts := shell.Options{
		Registry:    tui.NewRegistry(),
		Log:         log,
		Copier:      shell.CopyToClipboard,
		Silent:      cfg.Silent,
		ShowIdle:    cfg.ShowIdle,
		Drafts:      drafts.InFolder(folder),
		DraftName:   panel.DraftName,
		DraftPieces: panel.DraftPieces,
		Presence:    tui.NewPresence(),
		Keys:        tui.NewKeymap(cfg.Keys),
		Now:         cli.ClockNow,
	}

	t, operatorChanged, languageNotes := cfg.Translator(cfg.OperatorName(), os.Environ())
	opts.Translator = t
	if saved.Swap(false) {
		opts.Greeting = t.Get("Settings saved")
	}

	opts.Notes = append(append(slices.Clone(cfg.Notes), languageNotes...), shell.KeymapProblems(opts.Keys, t)...)
	var err error
	if opts.Theme, err = widget.NewTheme(cfg.Theme, os.Stdout, os.Environ()); err != nil {
		return nil, &cli.UsageError{Err: err}
	}
	if b == nil {
		views.RegisterWelcome(opts.Registry, current.hooks())
		return endSession(ctx, runShell(ctx, cfg, opts, keyboard), &next)
	}

	opts.Notes, opts.Now = append(opts.Notes, b.Notes...), b.Clock.Now
	labels, err := labelcmd.LabelService()
	if err != nil {
		opts.Notes = append(opts.Notes, t.Message(err.Error()))
		labels.Settings = printing.Settings{}
	}

	w := b.Monitor(cfg.OperatorName(), t)
	site := session.NewSite(session.Options{
		Service:         w,
		Local:           !b.Remote,
		Translator:      t,
		Operator:        cfg.OperatorName(),
		OnLocation:      current.saveLocation,
		Now:             b.Clock.Now,
		ClockOffset:     b.Clock.ClockOffset,
		LargeDifference: cfg.Counts.LargeDifference(),
		Exports:         config.ExportsDir(),
		CheckFile:       connect.CheckImport,
		Labels:          labels,
		Settings:        cfg.Saved(b.Environment),
	})

	current.syncStatus = site.SyncStatus
	views.Register(opts.Registry, site, current.hooks())
	var notes []string
	opts.Login, notes = cfg.LoginOptions(func(name string) {
		site.SetOperator(name)
		operatorChanged(name, site.Language(name))
		current.setOperator(name)
	})
	opts.Login.Organization = site.People
	site.FollowOperators(ctx)
	opts.Notes = append(opts.Notes, notes...)
	current.notes = opts.Notes
	if len(args) > 0 {
		if _, _, err := opts.Registry.Find(args[0]); err != nil {
			return nil, &cli.UsageError{Err: err}
		}
		opts.Start = []string{opts.Registry.Home(), args[0]}
	}

	opts.Session = filepath.Join(config.StateHome(), "sessions", filepath.Base(folder))
	opts.Restore = len(args) == 0 &&
		!cfg.Afresh
	opts.Header = func() tui.Status { return w.Header(site) }
	sender := status.NewSender()
	opts.Program = sender.Begin
	w.Poll(ctx, site, b.Node != nil, sender)
	background.Go(func() { labels.Worker().Run(ctx) })
	go status.SharePresence(ctx, site, opts.Presence, opts.Drafts, status.PresenceInterval, sender)
	go printlabels.Watch(ctx, site, func(text string) { sender.Send(ctx, tui.Warn(text)()) })
	opts.Status = w.Header(site)
	if b.KeyFile != nil && b.Node == nil { // a node watches it
		go b.KeyFile.Watch(ctx, func() {})
	}

	if b.Remote {
		go func() {
			if b.Node != nil {
				b.Node.AwaitReady(ctx)
			}
			if w.ResolveWithRetry(ctx, site, cfg.LocationCode()) {
				sender.Send(ctx, panel.LocationChanged(site.Location())())
			}
		}()
	} else {
		w.Resolve(ctx, site, cfg.LocationCode())
	}

	if cfg.Demo {
		if sheet, err := demo.BarcodeSheet(cfg.DemoDir()); err == nil {
			if !cfg.IsPlain() { // the terminal may be in raw mode
				sheet = strings.ReplaceAll(sheet, "\n", "\r\n") + "\r"
			}
			fmt.Fprintln(out, sheet)
		}
	}

	return endSession(ctx, runShell(ctx, cfg, opts, keyboard), &next)
}

// claimDrafts returns the folder of this terminal's drafts. If the folder cannot be locked,
// another terminal may use it too.
func claimDrafts(cfg config.Config, log *slog.Logger) (folder string, release func()) {
	dir := filepath.Join(config.StateHome(), "drafts", cfg.Source())
	folder, release, err := drafts.Claim(dir)
	if err != nil {
		log.Warn("cannot keep this terminal's drafts apart from those of others", "error", err)
	}
	if folder == "" {
		return dir, func() {}
	}

	return folder, release
}

// runShell runs a session on the screen or in line mode.
func runShell(ctx context.Context, cfg config.Config, opts shell.Options, keyboard *shell.Keyboard) error {
	if cfg.IsPlain() {
		return runPlain(ctx, cfg, opts)
	}

	if runtime.GOOS != "windows" { // there, Bubble Tea reads the console itself
		input, err := keyboard.Begin()
		if err != nil {
			return err
		}
		opts.Input = input
	}

	return shell.Run(ctx, opts)
}

// endSession returns the configuration of the next session, unless the operator quit before
// this one was to end.
func endSession(ctx context.Context, err error, next *atomic.Pointer[config.Config]) (*config.Config, error) {
	if c := next.Load(); c != nil && ctx.Err() != nil {
		return c, nil
	}
	return nil, err
}

// runPlain runs a session in line mode on standard input and output.
func runPlain(ctx context.Context, cfg config.Config, session shell.Options) error {
	opts := plain.Options{Shell: session, In: os.Stdin, Out: os.Stdout, Width: cfg.Width, Echo: plain.EchoLines}
	if term.IsTerminal(int(os.Stdin.Fd())) {
		opts.Interactive, opts.Bells, opts.Echo = true, true, plain.EchoTerminal
		if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && width > 0 && cfg.Width == 0 {
			opts.Width = width
		}
		defer plain.LineMode(os.Stdin)()
	}

	opts.Shell.Restore = session.Restore && opts.Interactive // scripted input always starts at the first screen
	err := plain.Run(ctx, opts)
	if errors.Is(err, plain.ErrUnacknowledged) {
		return errors.New("input ended with an unacknowledged error")
	}

	return err
}
