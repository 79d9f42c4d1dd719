package ledger

func bindLookup(b map[string]binding) {}
