package ledger

func bindOutbounds(b map[string]binding) {}
