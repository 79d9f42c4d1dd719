package ledger_test

import (
	"testing"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/ledger/replica"
	"bincard/server/upgrade"
)

func TestStoredTypes_HaveAFixture(t *testing.T) {
	t.Parallel()
	upgrade.CheckStoredTypes(t, "ledger", storedTypes...)
}

// storedTypes are the types of all stored rows.
var storedTypes = []any{journal.Entry{}, stored.Inbound{}, stored.Outbound{}, stored.Transfer{}, stored.Reservation{}, stored.BalanceKey{}, stored.Balance{}, stored.LotBalance{}, account.UsageRow{},
	stored.Product{}, stored.Place{}, stored.Lot{}, stored.Serial{}, account.OrganizationRow{}, account.KeyRow{}, account.PlanRow{}, stored.RulesRow{}, api.Organization{}, replica.Position{}}
