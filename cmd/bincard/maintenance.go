package main

import (
	"time"

	"github.com/spf13/cobra"

	"bincard/server/admin"
)

// maintenanceFlags adds the flags for the backups and verifications of a running service.
func maintenanceFlags(cmd *cobra.Command, m *admin.Maintenance) {
	cmd.Flags().StringVar(&m.BackupDir, "backup-dir", "", "the directory for backups made while the service runs")
	cmd.Flags().DurationVar(&m.BackupEvery, "backup-every", 24*time.Hour, "the time between backups")
	cmd.Flags().IntVar(&m.BackupKeep, "backup-keep", 14, "the number of backups to keep; 0 for all")
	cmd.Flags().DurationVar(&m.VerifyEvery, "verify-every", 0, "how often to verify the ledger while the service runs; 0 for never")
}

func checkMaintenance(m *admin.Maintenance) error {
	switch {
	case m.BackupEvery < time.Second:
		return usageErrorf("--backup-every must be at least 1s, not %s", m.BackupEvery)
	case m.BackupKeep < 0:
		return usageErrorf("--backup-keep must be 0 or more, not %d", m.BackupKeep)
	case m.VerifyEvery != 0 && m.VerifyEvery < time.Second:
		return usageErrorf("--verify-every must be at least 1s, or 0, not %s", m.VerifyEvery)
	}
	return nil
}
