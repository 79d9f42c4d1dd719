package ledger

func bindCatalogue(b map[string]binding) {}
