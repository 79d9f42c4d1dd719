//go:build !noterminal

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/apiclient"
	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/cmd/bincard/connect"
	"bincard/cmd/bincard/manage"
	"bincard/server/admin"
	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/session"
	"bincard/views/settings"
)

// settingsHooks connect the settings and welcome screens to the configuration. Their changes
// apply to the next session.
type settingsHooks struct {
	mu  sync.Mutex
	cfg config.Config
	// next ends this session and starts another one with the configuration.
	next  func(config.Config)
	saved *atomic.Bool // whether the next session begins with saved settings; may be nil
	notes []string     // problems in the settings
	// syncStatus returns the sync status, or nil without a node. It is nil itself until a
	// ledger or service is open.
	syncStatus func() *api.Sync
}

func (t *settingsHooks) hooks() settings.Hooks {
	return settings.Hooks{Load: t.load, Save: t.save, Apply: t.apply, Test: t.testConnection,
		Create: t.create, Demo: t.useDemo, Connect: t.useConnection, Enter: t.enter}
}

func (t *settingsHooks) load() settings.Values {
	t.mu.Lock()
	defer t.mu.Unlock()
	v := settings.Values{
		Theme:      widget.CanonicalTheme(t.cfg.Theme),
		Sounds:     !t.cfg.Silent,
		Operator:   t.cfg.OperatorName(),
		Connection: settings.Connection{URL: t.cfg.URL, Organization: t.cfg.Organization},
	}

	if v.Theme == "" {
		v.Theme = "dark"
	}

	languages, _ := config.Languages()
	v.Languages = languages
	l, _ := t.cfg.SessionLanguage(languages, "", os.Environ())
	v.Language = l.Code
	v.Offline = t.cfg.UseNode || t.cfg.Offline
	v.Resume, v.Keys, v.Notes, v.File = !t.cfg.Afresh, t.cfg.Keys, t.notes, config.File()
	if lock, err := time.ParseDuration(t.cfg.Lock); err == nil {
		v.Lock = int64(lock / time.Minute)
	}

	people, _ := t.cfg.CompanyOperators()
	for _, o := range people {
		v.Operators = append(v.Operators, o.Name)
	}
	if t.cfg.URL != "" {
		if key, err := t.cfg.KeyStore().Load(t.cfg.URL, t.cfg.Organization); err == nil {
			v.MaskedKey = apiclient.Mask(key)
		}
	}

	return v
}

// save saves the settings. A demo session stays a demo.
func (t *settingsHooks) save(_ context.Context, v settings.Values) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.checkPending(v); err != nil {
		return err
	}
	if v.URL != "" && (v.URL != t.cfg.URL || v.Organization != t.cfg.Organization) {
		if _, err := t.client(v.Connection); err != nil { // the next session could not start
			return err
		}
	}

	if v.Key != "" {
		if err := t.cfg.KeyStore().Save(v.URL, v.Organization, v.Key); err != nil {
			return err
		}
	}

	saved, err := config.Read()
	if err != nil {
		return err
	}

	for _, c := range []*config.Config{&saved, &t.cfg} {
		if c.URL != v.URL {
			c.Data = ""
		}

		c.URL, c.Organization, c.Theme, c.Language, c.Operator, c.Silent = v.URL, v.Organization, v.Theme, v.Language, v.Operator, !v.Sounds
		c.Afresh, c.Offline = !v.Resume, v.Offline
		c.UseNode = c.Offline && c.URL != ""
		if lock := time.Duration(v.Lock) * time.Minute; c.Lock == "" || !sameTime(c.Lock, lock) {
			c.Lock = ""
			if lock > 0 {
				c.Lock = fmt.Sprintf("%dm", v.Lock)
			}
		}
	}

	return saved.Save()
}

// checkPending rejects settings that would leave operations on this machine without a way
// to sync. The caller holds t.mu.
func (t *settingsHooks) checkPending(v settings.Values) error {
	if t.syncStatus == nil || v.Offline && v.URL == t.cfg.URL && v.Organization == t.cfg.Organization {
		return nil
	}

	st := t.syncStatus()
	if st == nil || !t.cfg.UseNode || st.Waiting+st.ToDecide() == 0 {
		return nil
	}

	return errors.New(
		i18n.Textf("%d operations have not synced. Resolve them on Sync first", st.Waiting+st.ToDecide()))
}

// sameTime reports whether text is the duration d, rounded down to the minute. The screen
// shows "90s" as 1 minute; saving it unchanged must not change it.
func sameTime(text string, d time.Duration) bool {
	parsed, err := time.ParseDuration(text)
	return err == nil && parsed.Truncate(time.Minute) == d
}

// apply starts the next session with the saved settings.
func (t *settingsHooks) apply(settings.Values) tea.Cmd {
	if t.saved != nil {
		t.saved.Store(true)
	}
	return t.enter()
}

func (t *settingsHooks) enter() tea.Cmd {
	return func() tea.Msg {
		t.mu.Lock()
		cfg := t.cfg
		t.mu.Unlock()
		t.next(cfg)
		return nil
	}
}

// testConnection asks a service what the key may do. If the service has no such
// operation, it lists inbounds instead.
func (t *settingsHooks) testConnection(ctx context.Context, c settings.Connection) (out settings.Tested, err error) {
	if c.URL == "" {
		return out, nil
	}

	client, err := t.client(c)
	if err != nil {
		return out, err
	}

	out.Access, err = api.GetAccess.Call(ctx, client, api.GetAccessInput{})
	if api.HasCode(err, api.NotFound) || api.HasCode(err, api.NotImplemented) ||
		api.HasCode(err, api.MethodNotAllowed) {
		one := int64(1)
		_, err = api.ListInbounds.Call(ctx, client, api.ListInboundsInput{Page: api.Page{Limit: &one}})
	}

	out.ClockOffset = client.ClockOffset()

	return out, err
}

func (t *settingsHooks) client(c settings.Connection) (*apiclient.Client, error) {
	key := c.Key
	if key == "" {
		var err error
		if key, err = t.cfg.KeyStore().Load(c.URL, c.Organization); err != nil {
			return nil, err
		}
	}

	return apiclient.New(apiclient.Config{
		URL:          c.URL,
		Key:          key,
		Organization: c.Organization,
		AllowPlain:   t.cfg.AllowPlain,
		Timeout:      8 * time.Second,
		Now:          cli.ClockNow,
	})
}

// create creates a company on this machine, with its first location in both environments.
func (t *settingsHooks) create(ctx context.Context, c settings.Company) (err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var org api.Organization
	place := &manage.LedgerPlace{Dir: t.cfg.LedgerDir()}
	err = manage.WithLedger(ctx, place, func(a admin.Admin) (err error) {
		org, err = a.CreateOrganization(ctx, c.Name)
		return err
	})
	if err != nil {
		return err
	}

	l, err := connect.OpenLedger(ctx, place)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, l.Close()) }()
	for _, env := range []api.Environment{api.Live, api.Test} {
		svc, err := l.Service(connect.Person{Organization: org.ID, Environment: env, Name: c.Operator})
		if err != nil {
			return err
		}

		_, err = api.CreateLocation.Call(ctx, svc, api.CreateLocationInput{
			Code: strings.TrimSpace(c.LocationCode), Name: strings.TrimSpace(c.LocationName), Type: api.Warehouse})
		if err != nil {
			return err
		}
	}

	t.cfg.URL, t.cfg.Organization, t.cfg.Operator, t.cfg.Location = "", org.ID.String(), c.Operator, c.LocationCode

	return t.cfg.Save()
}

func (t *settingsHooks) useDemo(context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cfg.Demo = true
	return nil
}

func (t *settingsHooks) useConnection(ctx context.Context, c settings.Connection) error {
	if _, err := t.testConnection(ctx, c); err != nil {
		return err
	}
	v := t.load()
	v.Connection = c
	return t.save(ctx, v)
}

// setOperator signs the operator in to the next session.
func (t *settingsHooks) setOperator(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cfg.LoggedIn = name
}

// saveLocation saves the terminal's location for the next start.
func (t *settingsHooks) saveLocation(p session.Location) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cfg.Demo || t.cfg.Location == p.Code {
		return
	}

	t.cfg.Location = p.Code
	if saved, err := config.Read(); err == nil {
		saved.Location = p.Code
		_ = saved.Save() // on failure, the next start asks for the location
	}
}
