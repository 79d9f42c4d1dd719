package report

import "bincard/server/api"

// maxPageBytes is the estimated size at which a page of movements ends before its limit:
// a movement can name 1,000 serials and have 16 KiB of metadata.
const maxPageBytes = 4 << 20

// Estimated bytes in JSON.
const (
	rowSize    = 1 << 10
	serialSize = 1 << 9
)

// sizeOf estimates the bytes of a movement in JSON.
func sizeOf(m *api.Movement) int {
	return rowSize + serialSize*len(m.Serials) + len(m.Metadata) + len(m.Reason)
}
