package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bincard/offline"
	"bincard/server/api"
	"bincard/views/dock"
)

// syncNodeFlags are the flags by which a command and those under it are told whose
// kept work is meant.
func syncNodeFlags(cmd *cobra.Command) {
	cmd.PersistentFlags().String("url", "", "the address of the service")
	cmd.PersistentFlags().String("org", "", "the organization's id")
	cmd.PersistentFlags().String("operator", "", "who decides")
	cmd.PersistentFlags().String("edge", "", "the data directory of an edge on this machine")
}

// withSyncNode runs fn on what keeps work: the program of this machine that does,
// the directory where none runs, or the edge at the address.
func withSyncNode(cmd *cobra.Command, fn func(context.Context, api.Service) error) (err error) {
	cfg, err := readConfig()
	if err != nil {
		return err
	}
	cfg.overlay(cmd)
	dir, _ := cmd.Flags().GetString("edge")
	if dir == "" && (cfg.URL == "" || cfg.Organization == "") {
		return usageErrorf("%s needs the service and the organization: --url and --org, or BINCARD_URL and BINCARD_ORG", cmd.CommandPath())
	}
	svc, end, err := openSyncNode(cmd, cfg, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	return fn(cmd.Context(), operatorService{svc, cfg.operator()})
}

func openSyncNode(cmd *cobra.Command, cfg config, dir string) (api.Service, func() error, error) {
	ctx := cmd.Context()
	dirs := []string{dir}
	l, unlinked := connectRemote(cfg)
	switch {
	case dir != "":
	case unlinked == nil && l.environment != "":
		dirs = []string{cfg.nodeDir(l.environment)}
	default:
		dirs = []string{cfg.nodeDir(api.Live), cfg.nodeDir(api.Test)}
	}
	found := slices.IndexFunc(dirs, func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, offline.JournalName))
		return err == nil
	})
	if found < 0 {
		switch {
		case dir != "":
			return nil, nil, fmt.Errorf("there is no work of an edge in %s: name the directory that 'bincard edge' has as --data", dir)
		case unlinked != nil:
			return nil, nil, unlinked
		case hasWork(ctx, l.service):
			return l.service, l.close, nil
		}
		return nil, nil, fmt.Errorf("nothing was ever kept here for %s: work is kept by 'bincard --offline', and by 'bincard edge'", cfg.URL)
	}
	dir = dirs[found]
	access, known := loadAccess(dir)
	if !known {
		return nil, nil, fmt.Errorf("%s cannot be read: start what keeps the work there once with a connection, which writes it anew", filepath.Join(dir, accessFile))
	}
	s, err := joinNode(ctx, dir, access.Organization.ID.String(), func(ctx context.Context) (*nodeHandle, error) {
		return openNode(ctx, config{}, dir, access, nullService{}) // which sends nothing
	})
	if err != nil {
		return nil, nil, err
	}
	if w := s.ownNode(); w != nil {
		for _, note := range w.notes {
			fmt.Fprintln(cmd.ErrOrStderr(), note)
		}
	}
	return s, s.close, nil
}

// hasWork tells whether a service keeps work for another one: it says so
// itself.
func hasWork(ctx context.Context, svc api.Service) bool {
	able, err := api.GetCapabilities.Call(ctx, svc, api.CapabilitiesInput{})
	return err == nil && slices.Contains(able.Operations, api.ListWork.ID)
}

// statusCommand tells how the work that is kept stands.
func statusCommand() *cobra.Command {
	var asJSON, check bool
	cmd := &cobra.Command{Use: "status", Short: "Tell how the work that is kept without a connection stands", Args: atMost(0),
		Long: `Tell how 'bincard --offline' or an edge stands to its service: whether it answers,
what waits, what was refused or must be decided, and how old what shows is. While
no program runs there, nothing is sent, and what is told is what the disk holds.

With --check the exit status is 4 when somebody must see to something: work that must
be decided, or is late, a key that is not taken, a disk that has lost work.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withSyncNode(cmd, func(ctx context.Context, svc api.Service) error {
				s, err := api.GetSync.Call(ctx, svc, api.SyncInput{})
				if err != nil {
					return err
				}
				if words := dock.ClockWords(clockOf(svc).ClockOffset()); words != "" {
					s.Troubles = append(s.Troubles, words)
				}
				if err := printResult(cmd, asJSON, s, formatSync(&s)); err != nil || !check || len(s.Alarms) == 0 {
					return err
				}
				return &statusError{statusAlarm, errors.New(formatAlarms(&s))}
			})
		}}
	syncNodeFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&check, "check", false, "end with status 4 when somebody must see to something")
	return cmd
}

// formatAlarms are what somebody must see to.
func formatAlarms(s *api.Sync) string {
	var parts []string
	for _, a := range s.Alarms {
		parts = append(parts, map[api.SyncAlarm]string{
			api.AlarmDecision: fmt.Sprintf("%d must be decided ('bincard outbox list', or the screen sync)", s.Refused+s.Held),
			api.AlarmLate:     "work has been waiting for long",
			api.AlarmKey:      "the service does not take the key",
			api.AlarmDamage:   "a part of the kept work cannot be read from the disk",
		}[a])
	}
	return strings.Join(parts, "; ")
}

// formatSync are how a node stands, in lines.
func formatSync(s *api.Sync) string {
	const when = "2006-01-02 15:04:05"
	lines := []string{fmt.Sprintf("%s  %s", s.Service, s.State)}
	if s.Since != nil {
		lines[0] += " since " + s.Since.Local().Format(when)
	}
	if s.Why != nil {
		lines = append(lines, "  "+s.Why.Message)
	}
	lines = append(lines, fmt.Sprintf("waiting %d (%d without an answer), refused %d, to be decided %d", s.Waiting, s.Sent, s.Refused, s.Held))
	if s.Oldest != nil {
		lines = append(lines, "the oldest was done "+s.Oldest.Local().Format(when))
	}
	if s.Read != nil {
		lines = append(lines, "what shows is of "+s.Read.Local().Format(when))
	}
	return strings.Join(append(lines, s.Troubles...), "\n")
}
