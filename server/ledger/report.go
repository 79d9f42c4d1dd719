package ledger

func bindReports(b map[string]binding) {}
