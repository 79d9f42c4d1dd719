package ledger

func bindTransfers(b map[string]binding) {}
