package ledger

type keyring struct{}
