package sheet_test

import (
	"fmt"
	"strings"
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
		"[{\"sku\":\"A\"}]":            "JSON array",
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
	require.Contains(t, problems[1].Message, "twice")
	require.Contains(t, problems[2].Message, `"Naem" is unknown`)
	require.Equal(t, "1", table.Cell(table.Rows[0], "Reorder Point"))
	require.Empty(t, table.Cell(table.Rows[0], "name"))
}

// A file of another program has many wrong columns: they are named together.
func TestCheckColumns_NamesColumnsTogether(t *testing.T) {
	t.Parallel()
	table, err := sheet.Read([]byte("Artikel,Menge\nA,1\n"))
	require.NoError(t, err)
	require.Equal(t, []sheet.Problem{
		{Line: 1, Message: "the columns sku, quantity are missing; required: sku, quantity; optional: lot"},
		{Line: 1, Message: `the columns "Artikel", "Menge" are unknown`},
	}, table.CheckColumns([]string{"sku", "quantity"}, []string{"lot"}))
}

func TestRead_JSONLines(t *testing.T) {
	t.Parallel()
	table, err := sheet.Read([]byte("\xEF\xBB\xBF\n{\"sku\":\" A-1 \",\"quantity\":5.0}\r\n\n{\"Quantity\":7,\"serials\":[\"a\",\"b\"],\"sku\":null}\n{\"sku\":\"=1+1\"}"))
	require.NoError(t, err)
	require.Empty(t, table.Problems)
	require.Equal(t, []string{"sku", "quantity", "serials"}, table.Columns)
	require.Equal(t, []sheet.Row{{Line: 2, Cells: []string{"A-1", "5", ""}}, {Line: 4, Cells: []string{"", "7", "a|b"}},
		{Line: 5, Cells: []string{"=1+1", "", ""}}}, table.Rows)
}

func TestRead_ReportsBadObjects(t *testing.T) {
	t.Parallel()
	table, err := sheet.Read([]byte("{\"sku\":\"A\"}\n{\"sku\":{}}\n{\"sku\":\"A\",\"SKU\":\"B\"}\n{\"sku\":\"A\"\n7\n{} {}\n{\"s\":[[]]}\n{\"s\":[\"a|b\"]}\n"))
	require.NoError(t, err)
	var problems []string
	for _, p := range table.Problems {
		problems = append(problems, p.String())
	}
	require.Len(t, table.Rows, 1)
	require.Len(t, problems, 7)
	require.Equal(t, "line 2: sku: must be a text or a number, is an object", problems[0])
	require.Equal(t, "line 3: SKU: appears twice", problems[1])
	require.Contains(t, problems[2], "line 4: it is not a JSON object: ")
	require.Equal(t, "line 5: it is not a JSON object; write one object per line", problems[3])
	require.Equal(t, "line 6: it has more than one JSON object; write one object per line", problems[4])
	require.Equal(t, "line 7: s: must be an array of texts, has []", problems[5])
	require.Equal(t, "line 8: s: must not contain |, which separates several values, has a|b", problems[6])
}

// A formula is a problem, unless an export has put an apostrophe before it.
func TestRead_RejectsFormulas(t *testing.T) {
	t.Parallel()
	table, err := sheet.Read([]byte("sku,name\n'=1+1,a\n=1+1,b\nA,\"=HYPERLINK(\"\"http://x\"\")\"\n-5,@b\n"))
	require.NoError(t, err)
	require.Equal(t, [][]string{{"=1+1", "a"}, {"-5", "@b"}}, [][]string{table.Rows[0].Cells, table.Rows[1].Cells})
	require.Len(t, table.Problems, 2)
	require.Equal(t, "line 3: sku: =1+1 is a formula; save its value, or put an apostrophe before it if it is text", table.Problems[0].String())
	require.Equal(t, 4, table.Problems[1].Line)
}

func TestRead_BoundsColumns(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"CSV":        strings.Repeat("a,", 201) + "b\n1\n",
		"JSON lines": "{\"a\":1" + manyMembers(200) + "}",
	} {
		_, err := sheet.Read([]byte(text))
		require.ErrorContains(t, err, "more than 200 columns", name)
	}
}

func manyMembers(n int) (text string) {
	for i := range n {
		text += fmt.Sprintf(",\"b%d\":1", i)
	}
	return text
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("sku,name\nA,\"b\n"))
	f.Add([]byte("{\"sku\":\"A\",\"n\":[1,\"b\"]}\n{\"q\":1.0}\n"))
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
