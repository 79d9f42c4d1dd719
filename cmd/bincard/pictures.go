//go:build !noterminal

package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/muesli/termenv"
	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/server"
	"bincard/server/api"
	"bincard/server/demo"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/widget"
	"bincard/views"
	"bincard/views/export"
	"bincard/views/session"
	"bincard/views/settings"
	"bincard/views/status"
)

// picturesAt is the time shown in all pictures.
var picturesAt = time.Date(2026, time.November, 20, 13, 52, 0, 0, time.UTC)

// A screenshot is a picture of the demo after some steps.
type screenshot struct {
	name, title   string
	width, height int
	steps         func(*pictureSession)
}

// screenshots lists the pictures in the README.
var screenshots = []screenshot{
	{"home", "Home: jobs, work to do and late documents", 80, 24, func(*pictureSession) {}},
	{"receive", "Receive: scans are counted, enter receives them", 80, 24, receiveSteps},
	{"refused", "Unexpected item: nothing was counted, and what to do", 80, 24, func(s *pictureSession) {
		receiveSteps(s)
		s.Scan("9521000000087")
	}},
	{"receive-40x8", "Receive on a handheld", 40, 8, receiveSteps},
	{"receive-20x16", "Receive on a narrow terminal", 20, 16, receiveSteps},
	{"fulfill", "An outbound by lines", 80, 24, func(s *pictureSession) {
		s.Open("fulfill/SO-2026-452").Scan("19521000000022").Scan("19521000000022")
	}},
	{
		"explain",
		"Explain a balance: movements and proof",
		120,
		32,
		func(s *pictureSession) { s.Open("explain/OAT-1L@WH-1") },
	},
	{"movements", "Movements by day", 80, 24, func(s *pictureSession) { s.Open("movements") }},
}

func receiveSteps(s *pictureSession) {
	s.Open("receive/PO-2026-427").Scan("(01)09521000000025(17)270317(10)L165-C").Scan("19521000000022").Scan(
		"19521000000022")
}

// picturesCommand writes pictures of real screens.
func picturesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "pictures [DIR]",
		Short: "Write the pictures of the screens in the README",
		Long: `Write SVG pictures of real screens to a directory (.pictures if omitted), using
the demo warehouse on a fixed date. The output is reproducible.`,
		Hidden: true,
		Args:   cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := ".pictures"
			if len(args) > 0 {
				dir = args[0]
			}
			return pictures(cmd.Context(), dir, cmd.OutOrStdout())
		},
	}
}

func pictures(ctx context.Context, dir string, out io.Writer) error {
	scratch, err := os.MkdirTemp("", "bincard-pictures-")
	if err != nil {
		return err
	}

	defer os.RemoveAll(scratch)
	data := filepath.Join(scratch, "demo")
	if err := demo.Make(ctx, data, picturesAt); err != nil {
		return err
	}

	s, err := server.Open(server.Config{
		Dir:    data,
		Now:    func() time.Time { return picturesAt },
		Log:    slog.New(slog.DiscardHandler),
		NoSync: true,
	})
	if err != nil {
		return err
	}

	defer s.Close()
	organizations, err := s.Ledger.Organizations(ctx)
	if err != nil {
		return err
	}

	svc := api.As(
		s.Ledger,
		api.Caller{
			Organization: organizations[0].ID,
			Environment:  api.Test,
			Scopes:       append([]api.Scope{api.Admin}, api.Scopes...),
			Actor:        api.Actor{Type: api.User, Label: "Ada"},
		},
		"",
	)

	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}

	for _, shot := range screenshots {
		recorded, err := takeScreenshot(ctx, svc, shot)
		if err != nil {
			return err
		}

		name := filepath.Join(dir, shot.name+".svg")
		text := recorded.Picture(shot.title)
		if err := export.WriteFile(cli.English, name, 0o644,
			func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
			return err
		}

		fmt.Fprintln(out, name)
	}

	return nil
}

// takeScreenshot performs a picture's steps in a terminal of the demo.
func takeScreenshot(ctx context.Context, svc api.Service, shot screenshot) (*pictureSession, error) {
	site := session.NewSite(session.Options{Service: svc, Operator: "Ada"})
	location, ok := status.InitialLocation(ctx, site, "WH-1")
	if !ok {
		return nil, fmt.Errorf("the demo has no document for %s", shot.name)
	}

	site.SetLocation(location)
	reg := tui.NewRegistry()
	views.Register(reg, site, settings.Hooks{})
	recorded := newPictureSession(shell.Options{
		Registry: reg,
		Theme:    widget.FixedTheme("dark", termenv.ANSI256),
		Status: tui.Status{
			Company:     demo.Company,
			Environment: "TEST",
			Location:    location.String(),
			Operator:    "Ada",
			Connection:  "ONLINE 2s",
		},
	}, picturesAt)

	shot.steps(recorded.Size(shot.width, shot.height))

	return recorded, nil
}
