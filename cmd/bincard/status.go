package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/cmd/bincard/connect"
	"bincard/offline/host"
	"bincard/server/api"
	"bincard/views/session"
)

// syncNodeFlags adds the flags that select a node, for cmd and its subcommands.
func syncNodeFlags(cmd *cobra.Command) {
	cmd.PersistentFlags().String("url", "", "the service's URL")
	cmd.PersistentFlags().String("org", "", "the organization's ID")
	cmd.PersistentFlags().String("operator", "", "the operator's name")
	connect.PlainFlag(cmd.PersistentFlags())
	cmd.PersistentFlags().String("edge", "", "the data directory of an edge on this machine")
}

// withSyncNode runs fn on a node: the one running on this machine, else its directory,
// else the edge at the URL.
func withSyncNode(cmd *cobra.Command, fn func(context.Context, api.Service) error) (err error) {
	cfg, err := config.Read()
	if err != nil {
		return err
	}
	if err := connect.Overlay(&cfg, cmd); err != nil {
		return err
	}

	dir, _ := cmd.Flags().GetString("edge")
	if dir == "" && (cfg.URL == "" || cfg.Organization == "") {
		return cli.UsageErrorf(
			"%s needs a service and an organization: --url and --org, or BINCARD_URL and BINCARD_ORG",
			cmd.CommandPath(),
		)
	}

	svc, end, err := openSyncNode(cmd, cfg, dir)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, end()) }()

	return fn(cmd.Context(), connect.OperatorService{Service: svc, Operator: cfg.OperatorName()})
}

func openSyncNode(cmd *cobra.Command, cfg config.Config, dir string) (api.Service, func() error, error) {
	ctx := cmd.Context()
	dirs := []string{dir}
	b, connectErr := connect.ConnectRemote(cfg)
	switch {
	case dir != "":
	case connectErr == nil && b.Environment != "":
		dirs = []string{cfg.NodeDir(b.Environment)}
	default:
		dirs = []string{cfg.NodeDir(api.Live), cfg.NodeDir(api.Test)}
	}

	found := slices.IndexFunc(dirs, host.HasJournal)
	if found < 0 {
		switch {
		case dir != "":
			return nil, nil, fmt.Errorf("there is no edge data in %s: give the --data directory of 'bincard edge'", dir)
		case connectErr != nil:
			return nil, nil, connectErr
		case hasWork(ctx, b.Service):
			return b.Service, b.Close, nil
		}

		return nil, nil, fmt.Errorf(
			"there is no offline data here for %s: use 'bincard --offline' or 'bincard edge' first", cfg.URL)
	}

	s, err := host.JoinStored(ctx, dirs[found], cli.MachineClock{}, cli.UserAgent())
	if err != nil {
		return nil, nil, err
	}
	if n := s.Own(); n != nil {
		for _, note := range n.Notes() {
			_ = cli.Say(cmd.ErrOrStderr(), "%s", note)
		}
	}

	return s, s.Close, nil
}

// hasWork reports whether a service saves operations that it syncs to another one.
func hasWork(ctx context.Context, svc api.Service) bool {
	able, err := api.GetCapabilities.Call(ctx, svc, api.CapabilitiesInput{})
	return err == nil && slices.Contains(able.Operations, api.ListWork.Spec.ID)
}

// statusCommand shows the sync status.
func statusCommand() *cobra.Command {
	var asJSON, check bool
	cmd := &cobra.Command{Use: "status", Short: "Show the sync status", Args: cli.AtMost(0),
		Long: `Show the sync status of 'bincard --offline' or an edge: whether the service
answers, what is pending, what failed or needs a decision, and how old the data
is. While no program is running, nothing syncs and the status is read from disk.

With --check the exit status is 4 if something needs attention: work that
failed, needs a decision, is overdue or gets no response, a rejected key, a
used-up quota, another server answering at the service's address, a wrong clock,
a copy of the directory that is also in use, or a disk that is full or lost
work.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withSyncNode(cmd, func(ctx context.Context, svc api.Service) error {
				s, err := api.GetSync.Call(ctx, svc, api.SyncInput{})
				if err != nil {
					return err
				}

				switch words := session.ClockWords(cli.English, connect.ClockOf(svc).ClockOffset()); {
				case words != "":
					s.Troubles = append(s.Troubles, words)
				case session.EdgeClockWrong(&s): // it is on another machine
					s.Troubles = append(s.Troubles, session.EdgeClockWords(cli.English))
				}

				if err := cli.PrintResult(cmd, asJSON, s, formatSync(&s)); err != nil || !check || len(s.Alarms) == 0 {
					return err
				}

				return &cli.StatusError{Status: cli.StatusAlarm, Err: errors.New(formatAlarms(&s))}
			})
		}}

	syncNodeFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&check, "check", false, "exit with status 4 if something needs attention")

	return cmd
}

// formatAlarms lists what needs attention in one line.
func formatAlarms(s *api.Sync) string {
	var parts []string
	for _, a := range s.Alarms {
		words := session.AlarmText(cli.English, s, a, time.Now())
		if a == api.AlarmDecision {
			words = fmt.Sprintf("%d failed or need a decision (see 'bincard outbox list' or the sync screen)",
				s.ToDecide())
		}
		parts = append(parts, strings.TrimSuffix(words, "."))
	}

	return strings.Join(parts, "; ")
}

// formatSync formats a node's sync status.
func formatSync(s *api.Sync) string {
	const when = "2006-01-02 15:04:05"
	lines := []string{fmt.Sprintf("%s  %s", s.Service, s.State)}
	if s.Since != nil {
		lines[0] += " since " + s.Since.Local().Format(when)
	}
	if s.Why != nil {
		lines = append(lines, "  "+s.Why.Message)
	}
	if s.Next != nil && (s.State == api.SyncDenied || s.State == api.SyncQuota) {
		lines = append(lines,
			"  next attempt: "+s.Next.Local().Format(when)+"; 'bincard outbox sync' does not wait for it")
	}

	lines = append(
		lines,
		fmt.Sprintf("pending %d (%d sent, no answer yet), failed %d, needs a decision %d", s.Waiting, s.Sent, s.Refused,
			s.Held),
	)
	if s.Oldest != nil {
		lines = append(lines, "oldest operation: "+s.Oldest.Local().Format(when))
	}
	if s.Read != nil {
		lines = append(lines, "data from: "+s.Read.Local().Format(when))
	}
	if len(s.Locations) > 0 {
		lines = append(lines, "limited to: "+strings.Join(s.Locations, ", "))
	}

	return strings.Join(append(lines, s.Troubles...), "\n")
}
