package sheet_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/sheet"
)

func TestRead_SpreadsheetFormats(t *testing.T) {
	t.Parallel()
	want := [][]string{{"A-1", "Oat, milk"}, {"B-2", `5" pipe`}}
	for name, text := range map[string]string{
		"comma":     "sku,name\nA-1,\"Oat, milk\"\n\nB-2,\"5\"\" pipe\"\n",
		"semicolon": "sku;name\nA-1;Oat, milk\n;\nB-2;\"5\"\" pipe\"\n",
		"tab":       "sku\tname\nA-1\t Oat, milk \n\t\nB-2\t\"5\"\" pipe\"\n",
		"CRLF":      "\xEF\xBB\xBFsku,name\r\nA-1,\"Oat, milk\"\r\n,\r\nB-2,\"5\"\" pipe\"\r\n",
		"CR":        "sku;name\rA-1;Oat, milk\r\rB-2;\"5\"\" pipe\"",
		"more ends": "sku,name,,\nA-1,\"Oat, milk\",,,\n,,\nB-2,\"5\"\" pipe\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table, err := sheet.Read([]byte(text))
			require.NoError(t, err)
			require.Empty(t, table.Problems)
			require.Equal(t, []string{"sku", "name"}, table.Columns)
			require.Len(t, table.Rows, 2)
			require.Equal(t, want, [][]string{table.Rows[0].Cells, table.Rows[1].Cells})
			require.Equal(t, []int{2, 4}, []int{table.Rows[0].Line, table.Rows[1].Line})
		})
	}
}

func TestRead_Errors(t *testing.T) {
	t.Parallel()
	for text, message := range map[string]string{
		"":                             "empty",
		"\n\r\n":                       "empty",
		"sku,name\nA,b\nA-1,K\xE4se\n": "line 3 has the byte 0xE4. It is probably Windows-1252",
		"\xFF\xFEs\x00k\x00":           "UTF-16",
		"PK\x03\x04rest":               "workbook",
		"sku,name\nA\x00,1\n":          "not text",
	} {
		_, err := sheet.Read([]byte(text))
		require.ErrorContains(t, err, message, "%q", text)
	}
}

func TestRead_ReportsEveryBadLine(t *testing.T) {
	t.Parallel()
	table, err := sheet.Read([]byte("sku,name\nA,a \"quoted\" word\nB,b,c,d\nC,c\nD,\"d\nd\" x\nE,e\n"))
	require.NoError(t, err)
	var lines []int
	for _, p := range table.Problems {
		lines = append(lines, p.Line)
	}
	require.Equal(t, []int{2, 3, 5}, lines)
	require.Equal(t, "line 3: it has 4 cells, but there are 2 columns; quote cells that contain a separator", table.Problems[1].String())
	require.Len(t, table.Rows, 2, "valid lines are read")
}

func TestCheckColumns(t *testing.T) {
	t.Parallel()
	table, err := sheet.Read([]byte("SKU,reorder_point,Naem,sku\nA,1,b,c\n"))
	require.NoError(t, err)
	problems := table.CheckColumns([]string{"sku", "name"}, []string{"reorder point"})
	require.Len(t, problems, 3)
	require.Contains(t, problems[0].Message, "the column name is missing")
	require.Contains(t, problems[1].Message, `"Naem" is unknown`)
	require.Contains(t, problems[2].Message, "twice")
	require.Equal(t, "1", table.Cell(table.Rows[0], "Reorder Point"))
	require.Empty(t, table.Cell(table.Rows[0], "name"))
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("sku,name\nA,\"b\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := sheet.Read(data)
		if err != nil {
			return
		}
		for _, r := range table.Rows {
			require.Len(t, r.Cells, len(table.Columns))
			require.Positive(t, r.Line)
		}
	})
}
