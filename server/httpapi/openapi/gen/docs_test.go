package gen_test

import (
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi/openapi/gen"
)

func TestHTML_HasEveryOperationAndFault(t *testing.T) {
	t.Parallel()
	page := string(gen.DocsHTML())
	for _, spec := range api.Operations() {
		require.Contains(t, page, `<h3 id="`+spec.ID+`">`)
		require.Contains(t, page, "<code>"+api.BasePath+spec.Path+"</code>", spec.ID)
	}
	require.Equal(t, len(api.Operations()), strings.Count(page, "<code>curl ")-1, "one example for each operation, and one at the start")
	require.Equal(t, len(api.Operations()), strings.Count(page, "<summary>Example response</summary>"))
	require.Contains(t, page, "&#34;status&#34;: &#34;received&#34;")
	require.Equal(t, len(api.Operations()), strings.Count(page, "<summary>JavaScript</summary>"))
	for _, f := range gen.Faults() {
		require.Contains(t, page, `<tr id="error-`+string(f.Code)+`">`)
	}
}

func TestHTML_LinksResolve(t *testing.T) {
	t.Parallel()
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(string(gen.DocsHTML()), "<!DOCTYPE html>")))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	ids, links := map[string]bool{}, []string{}
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		require.True(t, start.Name.Local != "script" || len(start.Attr) == 0, "a script of its own")
		require.NotContains(t, []string{"link", "img", "iframe", "form"}, start.Name.Local, "the page is self-contained")
		for _, a := range start.Attr {
			switch a.Name.Local {
			case "id":
				require.False(t, ids[a.Value], "duplicate id %s", a.Value)
				ids[a.Value] = true
			case "href", "aria-labelledby":
				links = append(links, strings.TrimPrefix(a.Value, "#"))
			case "style":
				t.Errorf("%s has an inline style, which the policy forbids", start.Name.Local)
			}
		}
	}
	for _, to := range links {
		require.True(t, ids[to] || strings.HasPrefix(to, "openapi."), "no element has the id %s", to)
	}
}

func TestHTML_LoadsNothing(t *testing.T) {
	t.Parallel()
	page := string(gen.DocsHTML())
	for _, url := range regexp.MustCompile(`https?://[^\s"<]*`).FindAllString(page, -1) {
		require.Equal(t, "http://127.0.0.1:8080", url)
	}
	require.NotContains(t, page, "url(")
	require.NotContains(t, page, "@import")
	require.NotContains(t, page, "ZgotmplZ")
	require.Contains(t, gen.DocsPolicy(), "default-src 'none'")
	require.NotContains(t, gen.DocsPolicy(), "unsafe")
}
