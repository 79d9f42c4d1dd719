package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"bincard/server/api"
)

// companyFlags adds the flags that select a ledger or service and an organization.
func companyFlags(cmd *cobra.Command) {
	cmd.Flags().String("data", "", "the data directory of the local ledger")
	cmd.Flags().String("url", "", "the service's URL; the key comes from BINCARD_KEY or the terminal's settings")
	cmd.Flags().String("org", "", "the organization's ID, if there are several")
	cmd.Flags().String("env", "", "live (the default) or test, for a local ledger; a service's key sets its own")
	cmd.Flags().String("operator", "", "the operator who does it")
}

// withCompany runs fn on the organization that the flags, the environment or the settings
// select.
func withCompany(cmd *cobra.Command, fn func(api.Service) error) (err error) {
	cfg, err := readConfig()
	if err != nil {
		return err
	}
	if err := cfg.overlayLedger(cmd); err != nil {
		return err
	}
	if cfg.URL == "" {
		if _, err := os.Stat(cfg.ledgerDir()); err != nil {
			return fmt.Errorf("there is no ledger in %s: set --data, or BINCARD_URL, BINCARD_ORG and BINCARD_KEY for a service", cfg.ledgerDir())
		}
	}
	b, err := connect(cmd.Context(), cfg)
	if err != nil {
		return err
	}
	if b == nil {
		return fmt.Errorf("there is no organization in %s yet; create one: bincard org create --data %s --name NAME", cfg.ledgerDir(), cfg.ledgerDir())
	}
	defer func() { err = errors.Join(err, b.close()) }()
	if b.remote && cfg.Operator != "" {
		return fn(operatorService{b.service, cfg.Operator})
	}
	return fn(b.service)
}

// overlayLedger is overlay for commands that accept --data or --url, but not both.
func (c *config) overlayLedger(cmd *cobra.Command) error {
	c.overlay(cmd)
	if !cmd.Flag("url").Changed {
		return nil
	}
	if cmd.Flag("data").Changed {
		return usageErrorf("--data is for a local ledger and --url for a service; give one of them")
	}
	c.Data = ""
	return nil
}

// An operatorService sends the operator's name with each request.
type operatorService struct {
	api.Service
	operator string
}

// Do performs the operation in the operator's name.
func (s operatorService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	r := *req
	r.Operator = s.operator
	return s.Service.Do(ctx, &r)
}
