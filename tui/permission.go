package tui

import "bincard/server/api/role"

// What an operator may do without a supervisor is decided as the service does it.
type (
	Permission  = role.Permission
	Permissions = role.Permissions
	Need        = role.Need
	Limit       = role.Limit
)

// The permissions.
const (
	MayAdjust         = role.MayAdjust
	MayCount          = role.MayCount
	MayOverReceive    = role.MayOverReceive
	MayCloseShort     = role.MayCloseShort
	MayCancel         = role.MayCancel
	MayCreateProducts = role.MayCreateProducts
	MayLinkBarcodes   = role.MayLinkBarcodes
	ManageOperators   = role.ManageOperators
)
