package gs1_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/tui/scan/gs1"
)

func TestParse_Links(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, want string
		wrong            []string
	}{
		{"key", "https://id.gs1.org/01/09506000134352", "(01)09506000134352", nil},
		{"any domain, any stem", "http://shop.example:8080/a/b/01/09506000134352/10/A", "(01)09506000134352(10)A", nil},
		{"capitals", "HTTPS://EXAMPLE.COM/01/09506000134352", "(01)09506000134352", nil},
		{"attributes", "https://a.b/01/09506000134352?17=270131&3103=000195&linkType=all", "(01)09506000134352(17)270131(3103)000195", nil},
		{"semicolon parts nothing", "https://a.b/01/09506000134352?17=270131;15=270101", "(01)09506000134352(17)270131;15=270101", []string{"17"}},
		{"nothing after the name", "https://a.b/01/09506000134352?05&17=", "(01)09506000134352(17)", []string{"17"}},
		{"lot that belongs in the path", "https://a.b/01/09520123456788?10=ABC123", "(01)09520123456788(10)ABC123", []string{"10"}},
		{"lot beside the other sequence", "https://a.b/01/09520123456788/235/XYZ?10=ABC123", "(01)09520123456788(235)XYZ(10)ABC123", nil},
		{"lot of a pallet's content", "https://a.b/00/952012345678912345?02=09520123456788&37=25&10=ABC123", "(00)952012345678912345(02)09520123456788(37)25(10)ABC123", nil},
		{"GTIN beside an asset", "https://a.b/8004/9520614141234567?01=9520123456788", "(8004)9520614141234567(01)09520123456788", nil},
		{"key again", "https://a.b/01/09520123456788/10/A?99=X&01=09520123456788", "(01)09520123456788(10)A(99)X(01)09520123456788", []string{"01"}},
		{"attribute twice", "https://a.b/01/09520123456788/10/A?99=X&99=X", "(01)09520123456788(10)A(99)X(99)X", []string{"99"}},
		{"character of no address", "https://a.b/01/09506000134352/10/A\"", "(01)09506000134352(10)A\"", []string{""}},
		{"character of no domain", "https://a_b/01/09506000134352", "(01)09506000134352", []string{""}},
		{"fragment", "https://a.b/01/09506000134352?17=270131#top", "(01)09506000134352(17)270131", nil},
		{"percent", "https://a.b/01/09506000134352/10/A%2FB%26", "(01)09506000134352(10)A/B&", nil},
		{"slash at the end", "https://a.b/01/09506000134352/", "(01)09506000134352", []string{""}},
		{"all qualifiers", "https://a.b/01/09506000134352/22/V/10/L/21/S", "(01)09506000134352(22)V(10)L(21)S", nil},
		{"other sequence", "https://a.b/01/09506000134352/235/T", "(01)09506000134352(235)T", nil},
		{"no value", "https://example.com/01/", "(01)", []string{"01"}},
		{"GTIN of 8", "https://a.b/01/96385074", "(01)00000096385074", nil},
		{"GTIN of 12", "https://a.b/01/036000291452", "(01)00036000291452", nil},
		{"GTIN of 13", "https://a.b/01/9506000134352", "(01)09506000134352", nil},
		{"SSCC", "https://a.b/00/006141411234567890", "(00)006141411234567890", nil},
		{"wrong check digit", "https://a.b/01/09506000134353/10/L", "(01)09506000134353(10)L", []string{"01"}},
		{"wrong order", "https://a.b/01/09506000134352/10/L/22/V", "(01)09506000134352(10)L(22)V", []string{"22"}},
		{"mixed sequences", "https://a.b/01/09506000134352/22/V/235/T", "(01)09506000134352(22)V(235)T", []string{"235"}},
		{"qualifier of another key", "https://a.b/00/006141411234567890/10/L", "(00)006141411234567890(10)L", []string{"10"}},
		{"serial in the query", "https://a.b/01/09506000134352?21=S", "(01)09506000134352(21)S", []string{"21"}},
		{"unknown in the query", "https://a.b/01/09506000134352?05=S", "(01)09506000134352", []string{"05"}},
		{"space in the query", "https://a.b/01/09506000134352?99=A+B", "(01)09506000134352(99)A B", []string{"99"}},
		{"unknown in the path", "https://a.b/01/09506000134352/05/L", "(01)09506000134352", []string{"05"}},
		{"path breaks off", "https://a.b/01/09506000134352/10", "(01)09506000134352", []string{""}},
		{"two lots", "https://a.b/01/09506000134352/10/A?10=B", "(01)09506000134352(10)A(10)B", []string{"10"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := gs1.Parse(c.text, now)
			require.Equal(t, gs1.FormLink, m.Form)
			require.Equal(t, c.want, elements(m))
			require.Equal(t, c.wrong, named(m), "%v", m.Problems)
		})
	}
}

func TestParse_OtherAddresses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"https://example.com", "https://example.com/", "https://example.com/about/us",
		"https:///01/09506000134352", "ftp://example.com/01/09506000134352", "Https://example.com/01/09506000134352",
		"https://example.com/10/ABC", "https://example.com?01=09506000134352",
	} {
		require.Equal(t, gs1.Message{}, gs1.Parse(text, now), text)
	}
}
