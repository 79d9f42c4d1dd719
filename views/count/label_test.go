package count_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/tui/scan"
	"bincard/views/count"
)

// Bincard prints (240) for products without a GTIN. Beside a GTIN it is only an addition.
func TestParseLabel_SKUWithoutGTIN(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 15, 0, 0, 0, 0, time.UTC)
	r := count.ParseLabel(nil, scan.Parse("]d2240SOY-1L\x1d1727033110L42-A\x1d400PO-1", now))
	require.Equal(t, []string{"SOY-1L"}, r.Codes)
	r = count.ParseLabel(nil, scan.Parse("]d2240SOY-1L\x1d1727033110L42-A", now))
	require.Equal(t, []string{"SOY-1L"}, r.Codes)
	require.Equal(t, "L42-A", r.Lot)
	r = count.ParseLabel(nil, scan.Parse("]d201095210000000184240SOY-1L\x1d10L42-A", now))
	require.NotContains(t, r.Codes, "SOY-1L")
}
