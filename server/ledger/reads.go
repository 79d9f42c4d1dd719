package ledger

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/report"
	"bincard/server/ledger/internal/stored"
)

func bindBalances(b map[string]binding) {
	reads(b, api.ListBalances, report.ListBalances)
	reads(b, api.GetBalance, report.GetBalance)
	reads(b, api.ExplainBalance, report.ExplainBalance)
}

func bindLookup(b map[string]binding) { reads(b, api.LookUp, report.LookUp) }

func bindLots(b map[string]binding) {
	reads(b, api.ListLots, (*stored.Tx).ListLots)
	reads(b, api.ListSerials, (*stored.Tx).ListSerials)
}

func bindReports(b map[string]binding) {
	reads(b, api.ReportMovements, report.Movements)
	reads(b, api.ReportSnapshot, report.Snapshot)
}

func bindTraces(b map[string]binding) {
	reads(b, api.TraceLot, report.TraceLot)
	reads(b, api.GetSerialHistory, report.SerialHistory)
}
