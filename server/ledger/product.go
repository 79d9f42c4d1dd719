package ledger

import "bincard/server/api"

func barcodeKeys(p *api.Product) [][]byte { return nil }
