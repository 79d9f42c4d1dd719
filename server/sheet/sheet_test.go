package sheet_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"

	"bincard/server/sheet"
)

// rows returns all rows of a table, from the last to the first and in their order.
func rows(t *testing.T, table *sheet.Table) (list []sheet.Row) {
	t.Helper()
	for i := range table.Len() {
		list = append(list, table.Row(table.Len()-1-i))
	}
	slices.Reverse(list)
	for i := range list {
		require.Equal(t, list[i], table.Row(i))
		require.Equal(t, list[i], table.RowAt(list[i].Line))
	}
	require.NoError(t, table.Err())
	return list
}

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
			table, err := sheet.Read(strings.NewReader(text))
			require.NoError(t, err)
			require.Empty(t, table.Problems)
			require.Equal(t, []string{"sku", "name"}, table.Columns)
			require.Len(t, rows(t, table), 2)
			require.Equal(t, want, [][]string{table.Row(0).Cells, table.Row(1).Cells})
			require.Equal(t, []int{2, 4}, []int{table.Row(0).Line, table.Row(1).Line})
		})
	}
}

func TestRead_Errors(t *testing.T) {
	t.Parallel()
	for text, message := range map[string]string{
		"":                             "empty",
		"\n\r\n":                       "empty",
		"sku,name\nA,b\nA-1,K\xE4se\n": "line 3 has the byte 0xE4. It is probably Windows-1252",
		"PK\x03\x04rest":               "workbook",
		"sku,name\nA\x00,1\n":          "not text",
		"[{\"sku\":\"A\"}]":            "JSON array",
	} {
		_, err := sheet.Read(strings.NewReader(text))
		require.ErrorContains(t, err, message, "%q", text)
	}
}

// Only a file that is not UTF-8 is read in the other encoding.
func TestRead_Windows1252(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"sku;name\r\nA;K\xE4se 3 \x80\r\n", "sku;name\nA;Käse 3 €\n", "\xEF\xBB\xBFsku;name\nA;Käse 3 €\n"} {
		table, err := sheet.ReadAs(strings.NewReader(text), charmap.Windows1252)
		require.NoError(t, err)
		require.Equal(t, []string{"A", "Käse 3 €"}, table.Row(0).Cells)
	}
	_, err := sheet.ReadAs(strings.NewReader("PK\x03\x04\xE4"), charmap.Windows1252)
	require.ErrorContains(t, err, "workbook")
}

func TestRead_ReportsEveryBadLine(t *testing.T) {
	t.Parallel()
	table, err := sheet.Read(strings.NewReader("sku,name\nA,a \"quoted\" word\nB,b,c,d\nC,c\nD,\"d\nd\" x\nE,e\n"))
	require.NoError(t, err)
	var lines []int
	for _, p := range table.Problems {
		lines = append(lines, p.Line)
	}
	require.Equal(t, []int{2, 3, 5}, lines)
	require.Equal(t, "line 3: it has 4 cells, but there are 2 columns; quote cells that contain a separator", table.Problems[1].String())
	require.Len(t, rows(t, table), 2, "valid lines are read")
}

func TestCheckColumns(t *testing.T) {
	t.Parallel()
	table, err := sheet.Read(strings.NewReader("SKU,reorder_point,Naem,sku\nA,1,b,c\n"))
	require.NoError(t, err)
	problems := table.CheckColumns([]string{"sku", "name"}, []string{"reorder point"})
	require.Len(t, problems, 3)
	require.Contains(t, problems[0].Message, "the column name is missing")
	require.Contains(t, problems[1].Message, "twice")
	require.Contains(t, problems[2].Message, `"Naem" is unknown`)
	require.Equal(t, 1, table.Index("Reorder Point"))
	require.Negative(t, table.Index("name"))
}

// A file of another program has many wrong columns: they are named together.
func TestCheckColumns_NamesColumnsTogether(t *testing.T) {
	t.Parallel()
	table, err := sheet.Read(strings.NewReader("Artikel,Menge\nA,1\n"))
	require.NoError(t, err)
	require.Equal(t, []sheet.Problem{
		{Line: 1, Message: "the columns sku, quantity are missing; required: sku, quantity; optional: lot"},
		{Line: 1, Message: `the columns "Artikel", "Menge" are unknown`},
	}, table.CheckColumns([]string{"sku", "quantity"}, []string{"lot"}))
}

func TestRead_JSONLines(t *testing.T) {
	t.Parallel()
	table, err := sheet.Read(strings.NewReader("\xEF\xBB\xBF\n{\"sku\":\" A-1 \",\"quantity\":5.0}\r\n\n{\"Quantity\":7,\"serials\":[\"a\",\"b\"],\"sku\":null}\n{\"sku\":\"=1+1\"}"))
	require.NoError(t, err)
	require.Empty(t, table.Problems)
	require.Equal(t, []string{"sku", "quantity", "serials"}, table.Columns)
	require.Equal(t, []sheet.Row{{Line: 2, Cells: []string{"A-1", "5", ""}}, {Line: 4, Cells: []string{"", "7", "a|b"}},
		{Line: 5, Cells: []string{"=1+1", "", ""}}}, rows(t, table))
}

func TestRead_ReportsBadObjects(t *testing.T) {
	t.Parallel()
	table, err := sheet.Read(strings.NewReader("{\"sku\":\"A\"}\n{\"sku\":{}}\n{\"sku\":\"A\",\"SKU\":\"B\"}\n{\"sku\":\"A\"\n7\n{} {}\n{\"s\":[[]]}\n{\"s\":[\"a|b\"]}\n"))
	require.NoError(t, err)
	var problems []string
	for _, p := range table.Problems {
		problems = append(problems, p.String())
	}
	require.Len(t, rows(t, table), 1)
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
	table, err := sheet.Read(strings.NewReader("sku,name\n'=1+1,a\n=1+1,b\nA,\"=HYPERLINK(\"\"http://x\"\")\"\n-5,@b\n"))
	require.NoError(t, err)
	require.Equal(t, [][]string{{"=1+1", "a"}, {"-5", "@b"}}, [][]string{table.Row(0).Cells, table.Row(1).Cells})
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
		_, err := sheet.Read(strings.NewReader(text))
		require.ErrorContains(t, err, "more than 200 columns", name)
	}
}

func manyMembers(n int) (text string) {
	for i := range n {
		text += fmt.Sprintf(",\"b%d\":1", i)
	}
	return text
}

func TestRead_LargeFiles(t *testing.T) {
	t.Parallel()
	const n = 20_000
	for name, line := range map[string]string{
		"CSV":        "S-%d,\"a \"\"name\"\" of %[1]d\",5\r\n",
		"JSON lines": "{\"sku\":\"S-%d\",\"name\":\"a \\\"name\\\" of %[1]d\",\"quantity\":5.0}\n",
	} {
		var text strings.Builder
		if name == "CSV" {
			text.WriteString("\xEF\xBB\xBFsku,name,quantity\r\n")
		}
		for i := range n {
			fmt.Fprintf(&text, strings.Repeat(" ", i%2)+line, i)
			if i%1000 == 0 {
				text.WriteString("\n")
			}
		}
		text.WriteString(strings.Repeat("\n", 1<<20))
		table, err := sheet.Read(strings.NewReader(text.String()))
		require.NoError(t, err, name)
		require.Equal(t, n, table.Len(), name)
		for _, i := range []int{n - 1, 0, 1, 1000, 1001, 7777} {
			require.Equal(t, []string{fmt.Sprintf("S-%d", i), fmt.Sprintf(`a "name" of %d`, i), "5"}, table.Row(i).Cells, name)
		}
		require.NoError(t, table.Err())
	}
}

func TestRead_BoundsRows(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long ", 1<<20)
	for name, text := range map[string]string{"CSV": "sku,name\nA,\"" + long, "JSON lines": "{\"sku\":\"" + long + "\"}\n"} {
		_, err := sheet.Read(strings.NewReader(text))
		require.ErrorContains(t, err, "longer than 1 MiB", name)
	}
}

func TestRead_BoundsProblems(t *testing.T) {
	t.Parallel()
	table, err := sheet.Read(strings.NewReader("sku,name\n" + strings.Repeat("a,b,c\n", 1000)))
	require.NoError(t, err)
	require.Len(t, table.Problems, sheet.MaxProblems)
	require.Equal(t, 800, table.MoreProblems)
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("sku,name\nA,\"b\n"))
	f.Add([]byte("{\"sku\":\"A\",\"n\":[1,\"b\"]}\n{\"q\":1.0}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := sheet.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, r := range rows(t, table) {
			require.Len(t, r.Cells, len(table.Columns))
			require.Positive(t, r.Line)
		}
	})
}
