package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"bincard/offline"
	"bincard/offline/edge"
	"bincard/server/api"
	"bincard/server/httpapi"
	"bincard/server/local"
	"bincard/server/metrics"
)

const (
	// edgeOpenTimeout is how long the start waits for a command that is resolving
	// work in the directory.
	edgeOpenTimeout = 5 * time.Second
	// stateInterval is how often the state of the connection is compared for the log.
	stateInterval = time.Second
)

// EdgeConfig configures RunEdge.
type EdgeConfig struct {
	Upstream
	Rate  int                 // requests per second for each device; see httpapi.Config
	Serve httpapi.ServeConfig // without Handler and Logger
	Log   *slog.Logger
}

// RunEdge runs a site's own service until ctx ends.
func RunEdge(ctx context.Context, cfg EdgeConfig) error {
	log := cfg.Log
	access, missing, err := cfg.startAccess(ctx)
	switch {
	case err != nil:
		return err
	case missing != nil:
		log.Warn("the service does not answer; starting with the saved data", "upstream", cfg.URL, "error", missing)
	}

	opener := local.Opener[*Node]{Dir: cfg.Dir, IsLocked: isLocked,
		Open: func(ctx context.Context) (*Node, error) {
			return cfg.open(ctx, access, api.NodeEdge)
		}}
	n, err := opener.OpenWithin(ctx, edgeOpenTimeout)
	if err != nil {
		return err
	}

	defer func() { _ = n.Close() }() // reported below, unless something else failed
	for _, note := range n.Notes() {
		log.Warn(note)
	}

	devices, err := edge.OpenDevices(cfg.Dir, *n.caller.Load(), n.clock.Now)
	if err != nil {
		return err
	}

	site := edge.New(n.Node, *n.caller.Load(), access)
	n.upstream.beforeSend = func(ctx context.Context, req *api.Request) error { return site.CheckSend(ctx, req, devices) }
	n.onAccess = append(n.onAccess, site.SetAccess)
	n.Start(ctx)
	if missing == nil {
		first, cancel := context.WithTimeout(ctx, firstReadTimeout)
		n.AwaitReady(first)
		cancel()
	}

	go logState(ctx, n.Node, log)
	n.Serve(site, deviceHandler(&localDevices{devices: devices, node: n}))
	cfg.Serve.Logger = log
	cfg.Serve.Handler = httpapi.New(httpapi.Config{
		Service:         site,
		Extra:           api.NodeOperations(),
		AllowAcceptRisk: true,
		Processors:      -1,
		Authenticate:    devices.Authenticate,
		Ready:           readiness(n.Node),
		Logger:          log,
		Rate:            cfg.Rate,
		Now:             n.clock.Now,
		Metrics:         []metrics.Collector{edge.NewCollector(n.Node, n.clock.Now)},
	})

	if err := httpapi.Serve(ctx, cfg.Serve); err != nil {
		return err
	}

	return n.Close()
}

// logState logs each change of the connection to the service until ctx ends.
func logState(ctx context.Context, n *offline.Node, log *slog.Logger) {
	last := n.Sync().State
	ticks := time.NewTicker(stateInterval)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}

		s := n.Sync()
		if s.State == last {
			continue
		}
		last = s.State

		level, why := slog.LevelWarn, ""
		if last == api.SyncOnline {
			level = slog.LevelInfo
		}
		if s.Why != nil {
			why = s.Why.Message
		}
		log.Log(ctx, level, "the connection to the service has changed", "state", last, "why", why)
	}
}

// readiness reports whether a site can work, with warnings that need attention.
func readiness(n *offline.Node) func(context.Context) ([]string, error) {
	return func(context.Context) (warnings []string, err error) {
		s := n.Sync()
		switch {
		case !n.Ready() && s.Why != nil:
			return nil, fmt.Errorf("no data from the service yet: %s", s.Why.Message)
		case !n.Ready():
			return nil, errors.New("no data from the service yet; an edge needs one connection to start")
		}

		if s.State != api.SyncOnline {
			words := fmt.Sprintf("connection to the service: %s", s.State)
			if s.Since != nil {
				words += " since " + s.Since.Format(time.RFC3339)
			}
			warnings = append(warnings, words)
		}

		if s.Why != nil {
			warnings = append(warnings, s.Why.Message)
		}
		if s.ToDecide() > 0 {
			warnings = append(warnings, fmt.Sprintf("%d operations failed or need a decision", s.ToDecide()))
		}

		for _, a := range s.Alarms {
			switch {
			case a == api.AlarmLate && s.Oldest != nil:
				warnings = append(warnings,
					"the oldest operation has been waiting to sync since "+s.Oldest.Format(time.RFC3339))
			case a == api.AlarmStuck:
				warnings = append(warnings,
					fmt.Sprintf("%d operations repeatedly get no answer although the service answers others", s.Stuck))
			case a == api.AlarmClock:
				warnings = append(warnings, "this machine's clock and the service's differ by minutes")
			}
		}

		return append(warnings, s.Troubles...), nil
	}
}
