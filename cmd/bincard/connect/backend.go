package connect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/term"

	"bincard/apiclient"
	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/cmd/bincard/manage"
	"bincard/offline/host"
	"bincard/server/admin"
	"bincard/server/api"
	"bincard/server/demo"
	"bincard/server/ledger"
	"bincard/server/local"
	"bincard/tui/i18n"
	"bincard/views/status"
)

// A Backend is what the terminal works on: a local ledger or a remote service. It is nil
// until one is set up; then the welcome screen is shown.
type Backend struct {
	Service     api.Service
	Clock       host.Clock
	Close       func() error
	Company     string
	Environment api.Environment
	Remote      bool
	// Node is the offline node; nil without --offline.
	Node  *host.Shared
	Notes []string // shown at startup
	// KeyFile is the file of the key, or nil if it does not come from one.
	KeyFile *keyFile
}

// Monitor returns a monitor of the service for one session.
func (b *Backend) Monitor(operator string, t *i18n.Translator) *status.Monitor {
	return status.New(
		status.Options{Service: b.Service, Remote: b.Remote, Company: b.Company, Environment: b.Environment,
			Operator: operator, Translator: t, Now: b.Clock.Now, ClockOffset: b.Clock.ClockOffset},
	)
}

// Open opens what the configuration names. It returns nil if nothing is configured and
// there is no ledger on this machine.
func Open(ctx context.Context, cfg config.Config) (*Backend, error) {
	switch {
	case cfg.Demo:
		return connectDemo(ctx, cfg)
	case cfg.URL != "":
		return connectService(ctx, cfg)
	case cfg.Store != "":
		b, err := connectLocal(ctx, &manage.LedgerPlace{Database: cfg.Store}, cfg)
		if b == nil && err == nil {
			err = fmt.Errorf("there is no organization in %s yet; create one with 'bincard org create'", cfg.StoreName)
		}
		return b, err
	}

	dir := cfg.LedgerDir()
	if _, err := os.Stat(dir); err != nil && cfg.Data == "" {
		return nil, nil
	}

	return connectLocal(ctx, &manage.LedgerPlace{Dir: dir}, cfg)
}

// connectDemo opens the demo and creates it first if necessary.
func connectDemo(ctx context.Context, cfg config.Config) (*Backend, error) {
	if err := demo.Make(ctx, cfg.DemoDir(), cli.ClockNow()); err != nil {
		return nil, err
	}
	if cfg.Environment == "" {
		cfg.Environment = string(api.Test)
	}

	dir := cfg.DemoDir()
	cfg.Organization = "" // the configured one is the operator's own company
	place := &manage.LedgerPlace{Dir: dir}
	b, err := connectLocal(ctx, place, cfg)
	var format *ledger.FormatError
	if !errors.As(err, &format) || format.Format > ledger.Format {
		return b, err
	}
	// The demo is in an older format. It holds no real data, so replace it, unless another
	// process has just done so.
	if _, err := demo.MoveAside(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := demo.Make(ctx, dir, cli.ClockNow()); err != nil {
		return nil, err
	}

	return connectLocal(ctx, place, cfg)
}

// connectService connects to a remote service. It goes through this machine's node if the
// configuration asks for it or one is running.
func connectService(ctx context.Context, cfg config.Config) (*Backend, error) {
	b, err := ConnectRemote(cfg)
	if err != nil {
		var misused *cli.UsageError
		if errors.As(err, &misused) || !cfg.UseNode && !cfg.JoinNode {
			return nil, err
		}

		for _, env := range []api.Environment{api.Live, api.Test} { // a running node can be used without a key
			if cfg.FlagEnvironment != "" && cfg.FlagEnvironment != string(env) {
				continue
			}
			if host.Running(ctx, cfg.NodeDir(env)) {
				b = &Backend{Environment: env, Remote: true}
				return b, attachNode(ctx, cfg, b)
			}
		}

		return nil, err
	}

	if cfg.UseNode || cfg.JoinNode && b.Environment != "" && host.Running(ctx, cfg.NodeDir(b.Environment)) {
		err = attachNode(ctx, cfg, b)
	}

	return b, err
}

// ConnectRemote returns a client of the configured service. It does not contact the
// service.
func ConnectRemote(cfg config.Config) (*Backend, error) {
	key, err := cfg.KeyStore().Load(cfg.URL, cfg.Organization)
	if err != nil {
		return nil, err
	}

	client, err := apiclient.New(apiclient.Config{
		URL:          cfg.URL,
		Key:          key,
		Organization: cfg.Organization,
		AllowPlain:   cfg.AllowPlain,
		UserAgent:    cli.UserAgent(),
		Now:          cli.ClockNow,
	})
	if err != nil {
		return nil, err
	}

	env := EnvironmentOf(key)
	if cfg.FlagEnvironment != "" && env != "" && cfg.FlagEnvironment != string(env) {
		return nil, cli.UsageErrorf("--env is %s, but the key is one of %s; use a key of %s, or omit --env",
			cfg.FlagEnvironment, env, cfg.FlagEnvironment)
	}

	b := &Backend{Service: client, Clock: client, Close: func() error { return nil }, Environment: env, Remote: true}
	if name := cfg.KeyStore().KeyFile(); name != "" {
		b.KeyFile = &keyFile{name, client, key}
	}

	return b, nil
}

// EnvironmentOf returns the environment that a key names, or "" if it names none or both.
func EnvironmentOf(key string) (env api.Environment) {
	for _, word := range strings.FieldsFunc(strings.ToLower(key), func(r rune) bool { return strings.ContainsRune("_-.:", r) }) {
		e := api.Environment(word)
		switch {
		case e != api.Live && e != api.Test:
		case env != "" && env != e:
			return ""
		default:
			env = e
		}
	}

	return env
}

// attachNode puts this machine's node in front of a remote service.
func attachNode(ctx context.Context, cfg config.Config, b *Backend) (err error) {
	org, err := uuid.Parse(cfg.Organization)
	if err != nil {
		return fmt.Errorf("offline work needs the organization's ID, not %q", cfg.Organization)
	}
	if b.Environment == "" {
		if b.Environment, err = ResolveEnvironment(ctx, cfg, b.Service); err != nil {
			return err
		}
	}

	up := Upstream(cfg, cfg.NodeDir(b.Environment), org, b)
	up.OnDownload = func() {
		if !term.IsTerminal(int(os.Stderr.Fd())) { // a script's
			return
		}
		t, _, _ := cfg.Translator(cfg.OperatorName(), os.Environ())
		fmt.Fprintln(os.Stderr, t.Message(i18n.Textf("Downloading data for offline work…")))
	}

	a, err := host.Attach(ctx, up)
	if err != nil {
		return err
	}

	b.Notes = append(b.Notes, a.Notes...)
	if s := a.Node; s != nil {
		b.Node, b.Service, b.Clock, b.Close, b.Company = s, s, s, s.Close, a.Company
	}

	return nil
}

// Upstream describes a remote service to the node in dir.
func Upstream(c config.Config, dir string, org api.ID, b *Backend) host.Upstream {
	up := host.Upstream{
		Dir:             dir,
		URL:             c.URL,
		Organization:    org,
		Environment:     b.Environment,
		Service:         b.Service,
		Clock:           b.Clock,
		MonthlyRequests: c.MonthlyRequests,
		Mirror:          c.Mirror,
		Locations:       c.OfflineLocations,
		Label:           MachineLabel(),
		Version:         cli.BuildVersion(),
		UserAgent:       cli.UserAgent(),
		Now:             cli.ClockNow,
	}

	if b.KeyFile != nil {
		up.WatchKey = b.KeyFile.Watch
	}

	return up
}

// MachineLabel returns the name of this machine, by which the service lists a node.
func MachineLabel() string {
	name, _ := os.Hostname()
	return cmp.Or(name, "unnamed")
}

// ResolveEnvironment returns the environment of a key that does not name one: the
// configured environment, the one of the offline data, or the one of a document that the
// service returns.
func ResolveEnvironment(ctx context.Context, cfg config.Config, svc api.Service) (api.Environment, error) {
	switch env := api.Environment(cfg.Environment); env {
	case api.Live, api.Test:
		return env, nil
	}
	if env, ok := storedEnvironment(cfg); ok {
		return env, nil
	}

	ctx, cancel := context.WithTimeout(ctx, host.AccessTimeout)
	defer cancel()
	one := int64(1)
	list, err := api.ListInbounds.Call(ctx, svc, api.ListInboundsInput{Page: api.Page{Limit: &one}})
	if err == nil && len(list.Items) > 0 && list.Items[0].Environment != "" {
		return list.Items[0].Environment, nil
	}

	return "", cli.UsageErrorf("the key does not name its environment; set it with --env live or --env test")
}

// storedEnvironment returns the environment of the offline data of this machine, false if
// there is none or of both.
func storedEnvironment(cfg config.Config) (env api.Environment, ok bool) {
	if !cfg.UseNode && !cfg.JoinNode {
		return "", false
	}
	for _, e := range []api.Environment{api.Live, api.Test} {
		if host.HasJournal(cfg.NodeDir(e)) {
			env, ok = e, env == ""
		}
	}

	return env, ok
}

// connectLocal opens a ledger for the configured organization, or for the only
// one. It returns nil if the ledger has no organization yet.
func connectLocal(ctx context.Context, place *manage.LedgerPlace, cfg config.Config) (b *Backend, err error) {
	env := cmp.Or(api.Environment(cfg.Environment), api.Live)
	if env != api.Live && env != api.Test {
		return nil, cli.UsageErrorf("--env must be live or test, not %q", env)
	}

	l, err := OpenLedger(ctx, place)
	if err != nil {
		return nil, err
	}

	defer func() {
		if b == nil {
			err = errors.Join(err, l.Close())
		}
	}()
	organizations, err := l.Organizations(ctx)
	if err != nil {
		return nil, err
	}

	org, err := pick(organizations, cfg.Organization)
	if err != nil || org == nil {
		return nil, err
	}

	svc, err := l.Service(Person{Organization: org.ID, Environment: env, Name: cfg.OperatorName()})
	if err != nil {
		return nil, err
	}

	return &Backend{Service: svc, Clock: cli.MachineClock{}, Close: l.Close, Company: org.Name, Environment: env}, nil
}

// OpenLedger opens a ledger, in this process or in the one that has its directory open.
func OpenLedger(ctx context.Context, place *manage.LedgerPlace) (*SharedLedger, error) {
	l, err := OpenShared(ctx, SharedOptions{
		Config:    place.Config(),
		Verifier:  manage.VerifyInProcess,
		UserAgent: cli.UserAgent(),
		Logger:    slog.Default(),
	})

	if rejected := (*local.RejectedError)(nil); admin.IsLocked(err) || errors.As(err, &rejected) {
		err = &cli.StatusError{Status: cli.StatusUnknown, Err: err}
	}

	return l, manage.OpenError(err)
}

// pick returns the organization with this ID, or the only one if id is empty. It returns
// nil if there is none.
func pick(list []api.Organization, id string) (*api.Organization, error) {
	if len(list) == 0 {
		return nil, nil
	}
	if id == "" && len(list) == 1 {
		return &list[0], nil
	}

	var names []string
	for i, o := range list {
		if id == o.ID.String() {
			return &list[i], nil
		}
		names = append(names, fmt.Sprintf("  %s  %s", o.ID, o.Name))
	}

	if id == "" {
		return nil, fmt.Errorf("there are %d organizations here; choose one with --org:\n%s", len(list),
			strings.Join(names, "\n"))
	}

	return nil, fmt.Errorf("there is no organization %s here; choose one of:\n%s", id, strings.Join(names, "\n"))
}
