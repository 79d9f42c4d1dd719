package ledger

func bindBalances(b map[string]binding) {}
