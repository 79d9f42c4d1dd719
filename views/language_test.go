package views_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// asciiWord matches a word with a letter that the pseudo language would accent.
var asciiWord = regexp.MustCompile(`[A-Za-z]*[aeioucnsAEIOUCNS][A-Za-z]*`)

// notTranslated lists words that are the same in every language: keys, test data,
// API identifiers, and texts from the service.
var notTranslated = strings.Fields(`
	enter ent esc tab ctrl space pgdown PgDn PgUp alt shift
	Bincard Harbour Goods Foods Main warehouse Depot Ada Default Test key ONLINE TEST opening stock Nordic
	Oat milk Soy drink Coffee beans Camera OAT SOY COF CAM NONE box piece purchase Mill
	ship receive arrive fulfill place lot ref serial param edit record csv id EAN GTIN AIM none dark
	in is`)

func languageOf(t *testing.T, code string) *i18n.Translator {
	t.Helper()
	languages, problems := i18n.Load("")
	require.Empty(t, problems)
	l, ok := languages.Find(code)
	require.True(t, ok, code)
	return i18n.New(l)
}

// eachState visits every screen, its help and the palette in a language, at every
// size.
func eachState(t *testing.T, code string, visit func(route, view string)) {
	t.Helper()
	h := viewtest.NewWarehouse(t)
	list := routes(registry(h), h)
	h.Translator = languageOf(t, code)
	h.Site = h.NewSite()
	reg := registry(h)
	for _, route := range list {
		d := h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", route} })
		for _, s := range tuitest.Shapes() {
			d.Size(s.Width, s.Height)
			for _, key := range []string{"", "f1", "ctrl+p"} {
				if key != "" {
					d.Key(key)
				}
				tuitest.Fits(t, d.Painted(), s)
				visit(route, d.View())
				if key != "" {
					d.Key("esc")
				}
			}
		}
		require.NoError(t, d.Model.Err(), route)
	}
}

func TestEveryScreen_PseudoLanguageLeavesNoEnglish(t *testing.T) {
	t.Parallel()
	english := map[string]string{}
	eachState(t, i18n.Pseudo, func(route, view string) {
		if strings.HasPrefix(route, "sync/{key}") {
			return // shows what the service says, which is English
		}
		for _, line := range strings.Split(view, "\n")[1:] {
			for _, w := range asciiWord.FindAllString(line, -1) {
				cut := func(known string) bool { return strings.HasPrefix(known, w) || strings.HasSuffix(known, w) }
				if len(w) > 2 && !slices.ContainsFunc(notTranslated, cut) && !strings.Contains(route, w) {
					english[w] = route + ": " + line
				}
			}
		}
	})
	require.Empty(t, english, "these words are not translated")
}

func TestEveryScreen_FitsInGerman(t *testing.T) {
	t.Parallel()
	german := false
	eachState(t, "de", func(_, view string) { german = german || strings.Contains(view, "Wareneingang") })
	require.True(t, german)
}

func TestTwoTerminals_UseTwoLanguages(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 24, time.Hour)
	english := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start = []string{"home", "receive"} })
	h.Translator = languageOf(t, "de")
	h.Site = h.NewSite()
	german := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start = []string{"home", "receive"} })
	english.Sees("Scan a document or item, or choose one", "esc back").Key("enter")
	german.Sees("Beleg oder Artikel scannen oder einen wählen", "esc zurück").Key("enter")
	english.Scan("COF-500").Sees("OAT-1L is expected")
	german.Scan("COF-500").Sees("OAT-1L wird erwartet")
	h.Translator.SetLanguage(i18n.New(i18n.Language{Code: i18n.English}).Language())
	german.Key("enter", "esc").Sees("esc back").Do(tui.Open("ship")).Sees("Ship")
	english.Sees("OAT-1L is expected")
}
