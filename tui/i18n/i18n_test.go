package i18n_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/leonelquinteros/gotext"
	"github.com/stretchr/testify/require"

	"bincard/tui/i18n"
	"bincard/tui/i18n/extract"
)

func german(t *testing.T) *i18n.Translator {
	t.Helper()
	languages, problems := i18n.Load("")
	require.Empty(t, problems)
	l, ok := languages.Find("de")
	require.True(t, ok)
	return i18n.New(l)
}

func TestTemplate_HasEveryMessageOfTheSource(t *testing.T) {
	t.Parallel()
	messages, err := extract.Messages("../..")
	require.NoError(t, err)
	require.Greater(t, len(messages), 1000)
	var b strings.Builder
	require.NoError(t, i18n.WriteCatalog(&b, i18n.Language{}, messages, func(i18n.Message) string { return "" }))
	require.Equal(t, i18n.Template(), b.String(), "run make messages")
}

func TestCatalogs_AreComplete(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.po")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		po := gotext.NewPo()
		po.Parse(text)
		require.Empty(t, i18n.Check(po), name)
		for _, m := range i18n.Messages() {
			require.NotEmpty(t, i18n.Translation(po, m), "%s lacks %q (%s)", name, m.Text, m.Context)
		}
	}
}

func TestTranslator_WithoutLanguageReturnsEnglish(t *testing.T) {
	t.Parallel()
	var none *i18n.Translator
	require.Equal(t, "12 of 48", none.Get("%d of %d", 12, 48))
	require.Equal(t, "100 %", none.Get("100 %"))
	require.Equal(t, "1,284", none.Count(1284))
	require.Equal(t, "en", none.Language().Code)
}

func TestTranslator_ContextAndNumbers(t *testing.T) {
	t.Parallel()
	tr := german(t)
	require.Equal(t, "öffnen", tr.GetC("open", "verb"))
	require.Equal(t, "offen", tr.Get("open"))
	require.Equal(t, "-1.284.000", tr.Count(-1284000))
	now := time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)
	require.Equal(t, "heute 14:00", tr.When(now.Add(2*time.Hour), now))
	require.Equal(t, "no such message", tr.Get("no such message"))
}

func TestLoad_CompanyCatalogs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("en.po", "msgid \"Receive\"\nmsgstr \"Goods in\"\n\nmsgid \"%s pending\"\nmsgstr \"%d left\"\n\nmsgid \"Gone fishing\"\nmsgstr \"Away\"\n")
	write("fr.po", "msgid \"\"\nmsgstr \"\"\n\"X-Language-Name: Français\\n\"\n\nmsgid \"Receive\"\nmsgstr \"Réceptionner\"\n")
	languages, problems := i18n.Load(dir)
	require.Equal(t, []string{"de", "en", "fr"}, sorted(languages.Codes()))
	require.Len(t, problems, 2)
	require.Equal(t, `en.po: "%s pending": the English text takes %s, this one takes %d`, problems[0].String())
	require.Equal(t, `en.po: "Gone fishing": Bincard does not have this message`, problems[1].String())
	for code, want := range map[string][2]string{"en": {"Goods in", "3 pending"}, "fr-CA": {"Réceptionner", "3 pending"}, "de": {"Eingang", "3 zu senden"}} {
		l, ok := languages.Find(code)
		require.True(t, ok, code)
		require.Equal(t, want[0], i18n.New(l).Get("Receive"), code)
		require.Equal(t, want[1], i18n.New(l).Get("%s pending", "3"), code)
	}
	_, ok := languages.Find("C")
	require.False(t, ok)
}

func sorted(codes []string) []string { return slices.Sorted(slices.Values(codes)) }

func TestLanguage_WriteRoundTrip(t *testing.T) {
	t.Parallel()
	l := german(t).Language()
	var b strings.Builder
	require.NoError(t, l.Write(&b))
	po := gotext.NewPo()
	po.Parse([]byte(b.String()))
	require.Empty(t, i18n.Check(po))
	for _, m := range i18n.Messages() {
		require.NotEmpty(t, i18n.Translation(po, m), m.Text)
	}
}

func TestPseudo_KeepsPlaceholdersAndGrows(t *testing.T) {
	t.Parallel()
	languages, _ := i18n.Load("")
	l, ok := languages.Find(i18n.Pseudo)
	require.True(t, ok)
	tr := i18n.New(l)
	require.Equal(t, "Óñlý 12 áré péñdíñg~~~~~.", strings.ReplaceAll(tr.Get("Only %s are pending.", "12"), "y", "ý"))
	require.Contains(t, tr.Get("Only {pending} are left"), "{pending}")
}

// FuzzCheck checks that no catalog of a company stops the terminal.
func FuzzCheck(f *testing.F) {
	f.Add("msgid \"Receive\"\nmsgstr \"Goods in\"\n")
	f.Add("msgid \"%s pending\"\nmsgstr \"%[12345678901234567890]s\"\n")
	f.Add("msgctxt \"verb\"\nmsgid \"open\"\nmsgstr \"%\"\n\"Plural-Forms: nplurals=9; plural=((;\\n\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		po := gotext.NewPo()
		po.Parse([]byte(text))
		for _, p := range i18n.Check(po) {
			require.NotEmpty(t, p.String())
		}
		require.Empty(t, i18n.Check(po), "what Check removed is gone")
	})
}
