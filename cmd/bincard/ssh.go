//go:build !noterminal

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/cmd/bincard/connect"
	"bincard/cmd/bincard/labelcmd"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/i18n"
	"bincard/tui/label/printing"
	"bincard/tui/remote"
	"bincard/tui/shell"
	"bincard/tui/widget"
	"bincard/views"
	"bincard/views/panel"
	"bincard/views/printlabels"
	"bincard/views/session"
	"bincard/views/settings"
	"bincard/views/status"
)

// sshCommand serves the terminal over SSH.
func sshCommand() *cobra.Command {
	var addr string
	var r remote.Config
	cmd := &cobra.Command{
		Use:   "ssh --addr HOST:PORT",
		Short: "Serve the terminal over SSH, with a session per operator",
		Long: `Serve the terminal over SSH: many people on one machine and one ledger or
service, each with their own session, drafts and role. On an interrupt it saves
every session's counts and stops.

Operators log on with a public key or a password:

  bincard operator add Ada --role supervisor
  bincard operator key Ada ~/.ssh/ada.pub
  bincard operator password Ada

The user name is the operator's name: ssh -p 2222 ada@HOST. A dot may replace a
space. Only the terminal is available: 'ssh HOST plain' opens line mode, as does
a client without a screen. A lost connection loses nothing: the counts are there
at the next log-on, which ends the old session. The host key is created once and
kept. Another operator takes over a session with a badge, or a name and PIN, and
starts at their own screen; the counts before stay drafts of whoever made them.

After five wrong passwords in a minute for a name from one address, or twenty
from an address, further attempts from there are rejected for a while.`,
		Example: `  bincard ssh --addr :2222 --data /var/lib/bincard
  BINCARD_URL=https://stock.example.com BINCARD_ORG=ID BINCARD_KEY=… \
      bincard ssh --addr :2222`,
		Args: cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.RequireFlags(cmd, "addr"); err != nil {
				return err
			}

			cfg, err := config.Read()
			if err != nil {
				return err
			}
			if err := connect.Overlay(&cfg, cmd); err != nil {
				return err
			}

			cfg.Demo, _ = cmd.Flags().GetBool("demo")
			cfg.ShowIdle, _ = cmd.Flags().GetBool("show-idle")

			return serveSSH(cmd, cfg, addr, r)
		},
	}

	connect.CompanyFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&addr, "addr", "", "the address to listen on")
	f.StringVar(
		&r.HostKey,
		"host-key",
		filepath.Join(config.StateHome(), "ssh", "host_key"),
		"the host key file, created if missing; $XDG_STATE_HOME/bincard/ssh/host_key if omitted",
	)

	f.IntVar(&r.MaxSessions, "sessions", 100, "the maximum number of sessions")
	f.IntVar(
		&r.MaxPerPerson,
		"sessions-per-operator",
		1,
		"the maximum sessions per operator; another one ends the oldest",
	)

	f.DurationVar(
		&r.Idle,
		"idle",
		0,
		"end a session after this long without input (30m), with a warning a minute before",
	)

	f.Bool("demo", false, "serve the demo warehouse")
	connect.LocationFlag(f, "the code of the location where sessions start")
	f.String("theme", "", "dark, light, high-contrast, color-blind or mono")
	showIdleFlag(f)

	return cmd
}

// serveSSH serves the terminal until the command's context ends.
func serveSSH(cmd *cobra.Command, cfg config.Config, addr string, r remote.Config) error {
	ctx := cmd.Context()
	if len(cfg.Operators.Remote()) == 0 {
		return errors.New("no operator can log on: add a key or a password, see 'bincard ssh --help'")
	}

	_, notes := config.Languages()
	for _, n := range notes {
		fmt.Fprintln(cmd.ErrOrStderr(), n)
	}

	log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
	b, err := connect.Open(ctx, cfg)
	switch {
	case err != nil:
		return err
	case b == nil:
		return errors.New("no ledger or service is set up: use --data for a ledger, --url for a service, or --demo")
	}

	defer func() { _ = b.Close() }() // all writes are already on disk
	var background sync.WaitGroup
	defer background.Wait() // a label that is being sent
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if labels, err := labelcmd.LabelService(); err == nil { // else the sessions say what is wrong
		background.Go(func() { labels.Worker().Run(ctx) })
	}

	r.Log, r.Find = log, findSSHPerson
	r.Open = func(ctx context.Context, v remote.Session) (shell.Options, func(), error) {
		return sshSession(ctx, cfg, b, v, log)
	}
	server, err := remote.New(r)
	if err != nil {
		return err
	}

	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}

	fmt.Fprintf(cmd.OutOrStdout(), "Serving the terminal on ssh://%s\n", ln.Addr())

	return server.Serve(ctx, ln)
}

// sshSession returns the options of a session for an operator who has logged on.
func sshSession(
	ctx context.Context,
	cfg config.Config,
	b *connect.Backend,
	v remote.Session,
	log *slog.Logger,
) (shell.Options, func(), error) {
	dir := filepath.Join(config.StateHome(), "ssh", cfg.Source(), config.FileName(strings.ToLower(v.Person)))
	if v.Index > 0 {
		dir += fmt.Sprintf("-%d", v.Index+1)
	}

	opts := shell.Options{
		Registry:    tui.NewRegistry(),
		Log:         log.With("person", v.Person),
		Silent:      cfg.Silent,
		ShowIdle:    cfg.ShowIdle,
		Keys:        tui.NewKeymap(cfg.Keys),
		Drafts:      drafts.InFolder(filepath.Join(dir, "drafts")),
		DraftName:   panel.DraftName,
		DraftPieces: panel.DraftPieces,
		Session:     filepath.Join(dir, "session"),
		Restore:     !cfg.Afresh,
		Now:         b.Clock.Now,
	}

	var err error
	if opts.Theme, err = widget.RemoteTheme(cfg.Theme, v.Environ); err != nil {
		return opts, nil, err
	}

	t, operatorChanged, _ := cfg.Translator(v.Person, v.Environ)
	opts.Translator = t
	here := locationFile{filepath.Join(dir, "place")}
	labels, problem := labelcmd.LabelService()
	if problem != nil {
		log.Warn("label settings not read", "error", problem)
		opts.Notes = append(opts.Notes, t.Message(problem.Error()))
		labels.Settings = printing.Settings{}
	}

	w := b.Monitor(v.Person, t)
	site := session.NewSite(
		session.Options{
			Service:         w,
			Local:           !b.Remote,
			Translator:      t,
			Operator:        v.Person,
			OnLocation:      here.save,
			Labels:          labels,
			Settings:        cfg.Saved(b.Environment),
			LargeDifference: cfg.Counts.LargeDifference(),
			Now:             b.Clock.Now,
			ClockOffset:     b.Clock.ClockOffset,
		},
	)

	views.Register(opts.Registry, site, settings.Hooks{Load: func() settings.Values {
		values := (&settingsHooks{cfg: reloadConfig(cfg)}).load()
		values.Theme = opts.Theme.Name
		values.ReadOnly = i18n.Text(
			"SSH sessions use the settings of the machine that serves them. Ask its administrator.")
		return values
	}})

	var notes []string
	opts.Login, notes = sshLogin(reloadConfig(cfg), v.Person, func(name string) {
		site.SetOperator(name)
		operatorChanged(name, site.Language(name))
	})
	opts.Notes = append(opts.Notes, notes...)
	opts.Header = func() tui.Status { return w.Header(site) }
	sender := status.NewSender()
	opts.Program = sender.Begin
	w.Poll(ctx, site, b.Node != nil, sender)
	go printlabels.Watch(ctx, site, func(text string) { sender.Send(ctx, tui.Warn(text)()) })
	opts.Status = w.Header(site)
	code := here.read()
	if code == "" {
		code = cfg.LocationCode()
	}
	if !b.Remote {
		w.Resolve(ctx, site, code)
		return opts, nil, nil
	}

	go func() {
		if w.ResolveWithRetry(ctx, site, code) {
			sender.Send(ctx, panel.LocationChanged(site.Location())())
		}
	}()

	return opts, nil, nil
}

// sshLogin returns the login settings of a person's session. Other operators need a badge
// or a PIN to take it over.
func sshLogin(cfg config.Config, person string, changed func(string)) (tui.Login, []string) {
	cfg.LoggedIn = person
	login, notes := cfg.LoginOptions(changed)
	for i := range login.Operators {
		o := &login.Operators[i]
		if strings.EqualFold(o.Name, person) {
			login.Current = o.Name
		} else {
			o.RequireProof = true
		}
	}

	return login, notes
}

// reloadConfig reads the settings again, because operators may have been added while the
// server runs. If that fails, it returns cfg.
func reloadConfig(cfg config.Config) config.Config {
	if c, err := config.Read(); err == nil {
		return c
	}
	return cfg
}

// findSSHPerson finds an operator in the current settings.
func findSSHPerson(name string) (remote.Person, bool) {
	cfg, err := config.Read()
	if err != nil {
		return remote.Person{}, false
	}

	for _, o := range cfg.Operators.Remote() {
		if strings.EqualFold(o.Name, name) {
			p := remote.Person{Name: o.Name, Keys: o.Keys}
			if o.Password != "" {
				p.Password = remote.CheckPassword(o.Password)
			}
			return p, true
		}
	}

	return remote.Person{}, false
}

// A locationFile stores an operator's location.
type locationFile struct{ name string }

func (f locationFile) read() string {
	text, _ := os.ReadFile(f.name)
	return strings.TrimSpace(string(text))
}

func (f locationFile) save(p session.Location) {
	if f.read() == p.Code {
		return
	}
	_ = os.MkdirAll(filepath.Dir(f.name), 0o700)
	_ = os.WriteFile(f.name, []byte(p.Code+"\n"), 0o600) // on failure, the next session starts at the default location
}
