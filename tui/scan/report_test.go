package scan_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/tui/scan"
)

var now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func TestJSON(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	_, err := scan.ReportCode("]C1010950600013435210L1\x1d17270131\x1d21S1\x1d3012\x1d00006141411234567890", &out, scan.WriteJSON, now)
	require.NoError(t, err)
	require.JSONEq(t, `{
		"raw": "]C1010950600013435210L1\u001d17270131\u001d21S1\u001d3012\u001d00006141411234567890",
		"symbology": "]C1", "kind": "gs1",
		"elements": [
			{"ai": "01", "title": "GTIN", "value": "09506000134352"},
			{"ai": "10", "title": "BATCH/LOT", "value": "L1"},
			{"ai": "17", "title": "USE BY or EXPIRY", "value": "270131"},
			{"ai": "21", "title": "SERIAL", "value": "S1"},
			{"ai": "30", "title": "VAR. COUNT", "value": "12"},
			{"ai": "00", "title": "SSCC", "value": "006141411234567890"}
		],
		"gtin": "09506000134352", "lot": "L1", "expiry": "2027-01-31", "serial": "S1",
		"quantity": 12, "sscc": "006141411234567890", "problems": []
	}`, out.String())
}

func TestCodes_OneObjectPerLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	in := strings.NewReader("LOC-1\r\n\n4006381333932\nA\xffB")
	count, err := scan.ReportCodes(in, &out, scan.WriteJSON, now)
	require.NoError(t, err)
	require.Equal(t, scan.ReportCount{Codes: 3, Invalid: 1}, count)
	require.EqualError(t, count.Err(), "1 of 3 codes have problems")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 3)
	require.JSONEq(t, `{"raw": "LOC-1", "symbology": null, "kind": "plain", "elements": [], "gtin": null, "lot": null,
		"expiry": null, "serial": null, "quantity": null, "sscc": null, "problems": []}`, lines[0])
	require.Contains(t, lines[1], `"problems":[{"ai":"01","message":"the check digit`)
}

func TestWords(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	count, err := scan.ReportCode("(01)09506000134353(17)270200", &out, scan.WriteText, now)
	require.NoError(t, err)
	require.EqualError(t, count.Err(), "the code has problems")
	require.Equal(t, `(01)09506000134353(17)270200  gs1
  (01)   GTIN                       09506000134353
  (17)   USE BY or EXPIRY           270200
  expires 2027-02-28
  problem: (01) the check digit of "09506000134353" is 3 but should be 2: scan again or correct the number
`, out.String())
}

func TestWords_QuotesControlCharacters(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	_, err := scan.ReportCode("a\x1b[2Jb\u202ec", &out, scan.WriteText, now)
	require.NoError(t, err)
	require.Equal(t, "\"a\\x1b[2Jb\\u202ec\"  plain\n", out.String())
}

func TestCodes_LineTooLong(t *testing.T) {
	t.Parallel()
	_, err := scan.ReportCodes(strings.NewReader("LOC-1\n"+strings.Repeat("x", 2<<20)), &bytes.Buffer{}, scan.WriteJSON, now)
	require.ErrorContains(t, err, "line 2")
	require.NoError(t, scan.ReportCount{Codes: 2}.Err())
}
