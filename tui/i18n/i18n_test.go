package i18n_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
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
	require.NoError(t, i18n.WriteCatalog(&b, i18n.Language{}, messages, func(i18n.Message) []string { return nil }))
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
		translate := i18n.Translations(po)
		for _, m := range i18n.Messages() {
			forms := 1
			if m.Plural != "" {
				forms = 2
			}
			require.Len(t, translate(m), forms, "%s lacks %q (%s)", name, m.Text, m.Context)
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

func TestGetN_RulesOfTheCatalog(t *testing.T) {
	t.Parallel()
	var none *i18n.Translator
	require.Equal(t, "1 line of A, 1,200 lines of B", none.GetN(1, "%s line of %s", "%s lines of %s", "A")+", "+
		none.GetN(1200, "%s line of %s", "%s lines of %s", "B"))

	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "pl.po"), []byte(`msgid ""
msgstr ""
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n"

msgid "%s order"
msgid_plural "%s orders"
msgstr[0] "%s zamówienie"
msgstr[1] "%s zamówienia"
msgstr[2] "%s zamówień"

msgid "%s day"
msgid_plural "%s days"
msgstr[0] "%s dzień"
msgstr[1] "%d dni"
`), 0o600))
	languages, problems := i18n.Load(dir)
	require.Len(t, problems, 1, "a form with another verb")
	polish, ok := languages.Find("pl")
	require.True(t, ok)
	tr := i18n.New(polish)
	for n, want := range map[int]string{0: "zamówień", 1: "zamówienie", 2: "zamówienia", 5: "zamówień", 12: "zamówień", 22: "zamówienia"} {
		require.Equal(t, fmt.Sprint(n, " ", want), tr.GetN(n, "%s order", "%s orders"))
	}
	require.Equal(t, "2 days", tr.GetN(2, "%s day", "%s days"), "not used: it has a problem")

	var b strings.Builder
	require.NoError(t, polish.Write(&b))
	require.Contains(t, b.String(), "nplurals=3")
	require.Contains(t, b.String(), `msgstr[2] "%s zamówień"`)

	for _, rule := range []string{"plural=(n % 0==1 ? 0 : 1);", "\"\n\"plural=(n%0==1 ? 0 : 1);"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "xx.po"), []byte("msgid \"\"\nmsgstr \"\"\n\"Plural-Forms: nplurals=2; "+rule+"\\n\"\n"), 0o600))
		languages, problems = i18n.Load(dir)
		require.Len(t, problems, 2)
		_, ok = languages.Find("xx")
		require.False(t, ok, "it cannot be used")
	}

	require.Equal(t, "2 Positionen", translators(t)["de"].GetN(2, "%s line", "%s lines"))
}

func TestParseTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 9, 30, 0, 0, time.FixedZone("CST", -6*3600))
	tr := translators(t)
	for _, c := range []struct{ text, english, german, spanish string }{
		{"2026-12-31", "2026-12-31", "2026-12-31", "2026-12-31"},
		{" 31.12.2026 14:05", "2026-12-31 14:05", "2026-12-31 14:05", "2026-12-31 14:05"},
		{"31.12.26", "2026-12-31", "2026-12-31", "2026-12-31"},
		{"31.12.", "2026-12-31", "2026-12-31", "2026-12-31"},
		{"1.2.", "2027-02-01", "2027-02-01", "2027-02-01"}, // the nearest one
		{"3/4/2026", "2026-03-04", "", "2026-04-03"},
		{"12/31", "2026-12-31", "", ""},
		{"31/12", "", "", "2026-12-31"},
		{"20261231", "2026-12-31", "2026-12-31", "2026-12-31"},
		{"260200", "2026-02-28", "2026-02-28", "2026-02-28"}, // a label: the end of the month
		{"Tomorrow 14:00", "2026-11-21 14:00", "2026-11-21 14:00", "2026-11-21 14:00"},
		{"morgen", "", "2026-11-21", ""},
		{"mañana 8:15", "", "", "2026-11-21 08:15"},
		{"14:00", "2026-11-20 14:00", "2026-11-20 14:00", "2026-11-20 14:00"},
		{"2026-12-31T14:05:30", "2026-12-31 14:05", "2026-12-31 14:05", "2026-12-31 14:05"},
		{"2026-12-31t14:05:30z", "2026-12-31 08:05", "2026-12-31 08:05", "2026-12-31 08:05"},
		{"", "", "", ""}, {"24:00", "", "", ""}, {"30.2.2026", "", "", ""}, {"tomorrow 14", "", "", ""}, {"a\nb 14:00", "", "", ""}, {"soon", "", "", ""},
	} {
		for language, want := range map[string]string{"": c.english, "de": c.german, "es": c.spanish} {
			at, onlyDay, ok := tr[language].ParseTime(c.text, now)
			require.Equal(t, want != "", ok, "%s %q", language, c.text)
			if want == "" {
				continue
			}
			require.Equal(t, len(want) == len(time.DateOnly), onlyDay, c.text)
			require.Equal(t, want, at.Format("2006-01-02 15:04")[:len(want)], c.text)
			require.Equal(t, now.Location(), at.Location())
			if !onlyDay { // a date that is written as the language does is read again
				again, _, ok := tr[language].ParseTime(tr[language].DateClock(at), now)
				require.True(t, ok)
				require.Equal(t, at.Truncate(time.Minute), again)
			}
		}
		_, _, ok := tr["de"].ParseTime("morgen", time.Time{})
		require.False(t, ok, "without a clock")
	}
	for text, want := range map[string]string{"2026-12-31": "31.12.2026", "2026-12-31 14:00": "31.12.2026 14:00", "soon": "soon", "": "",
		"2026-12-31T14:00:00Z": "2026-12-31T14:00:00Z"} {
		require.Equal(t, want, tr["de"].TimeText(text))
	}
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
	require.Equal(t, []string{"de", "en", "es", "fr"}, sorted(languages.Codes()))
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
	translate := i18n.Translations(po)
	for _, m := range i18n.Messages() {
		require.NotEmpty(t, translate(m), m.Text)
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

var anyVerb = regexp.MustCompile(`%[a-z]`)

// sampleArgs returns arguments for the verbs of a message.
func sampleArgs(t testing.TB, text string) (args []any) {
	t.Helper()
	for i, v := range anyVerb.FindAllString(strings.ReplaceAll(text, "%%", ""), -1) {
		switch v {
		case "%d":
			args = append(args, int64(i+11))
		case "%q", "%s", "%v":
			args = append(args, fmt.Sprintf("Q-%d L", i))
		default:
			require.Fail(t, "Message cannot fill in "+v, text)
		}
	}
	return args
}

func translators(t testing.TB) map[string]*i18n.Translator {
	t.Helper()
	languages, problems := i18n.Load("")
	require.Empty(t, problems)
	out := map[string]*i18n.Translator{}
	for _, code := range []string{"de", "es", i18n.Pseudo} {
		l, ok := languages.Find(code)
		require.True(t, ok)
		out[code] = i18n.New(l)
	}
	return out
}

// TestMessage_TranslatesEveryFormat also finds messages that cannot be told from others.
func TestMessage_TranslatesEveryFormat(t *testing.T) {
	t.Parallel()
	for code, tr := range translators(t) {
		n := 0
		for _, m := range i18n.Messages() {
			if m.Context != i18n.ErrorContext {
				continue
			}
			n++
			args := sampleArgs(t, m.Text)
			english, want := m.Text, tr.GetC(m.Text, m.Context)
			if len(args) > 0 {
				english, want = fmt.Sprintf(m.Text, args...), tr.GetC(m.Text, m.Context, args...)
			}
			require.NotContains(t, want, "%!", m.Text)
			// Some messages are too short to be translated outside of another one.
			const within = "Saved at risk: the service may reject it. %v"
			require.Equal(t, tr.GetC(within, i18n.ErrorContext, want), tr.Message(fmt.Sprintf(within, english)), "%s: %q is taken for another message", code, m.Text)
			for _, a := range args {
				require.Contains(t, want, fmt.Sprint(a), m.Text)
			}
		}
		require.Greater(t, n, 400)
	}
}

func TestMessage_German(t *testing.T) {
	t.Parallel()
	tr := german(t)
	for english, want := range map[string]string{
		"OAT-1L at WH-1: 3 available, 5 requested. Request at most 3, or receive more stock first.":     "OAT-1L in WH-1: 3 verfügbar, 5 angefordert. Höchstens 3 anfordern oder erst mehr Bestand einbuchen.",
		"CR 2 at WH 1: 0 available, 5 requested. Receive more stock first.":                             "CR 2 in WH 1: 0 verfügbar, 5 angefordert. Erst mehr Bestand einbuchen.",
		"Saved at risk: the service may reject it. Only 4 pending, but 9 requested. Request at most 4.": "Unter Vorbehalt gespeichert: Der Server kann es ablehnen. Nur 4 offen, aber 9 angefordert. Höchstens 4 anfordern.",
		"No inbound 0198c5e2 in this organization and environment.":                                     "Wareneingang 0198c5e2: in dieser Organisation und Umgebung nicht vorhanden.",
		"The inbound is partiallyReceived (3 of 8 received) and cannot change.":                         "Der Wareneingang ist teilweise eingebucht (3 von 8 eingebucht) und nicht mehr änderbar.",
		// What %s stands for stays as it is.
		"A location with code open already exists (available). Use it, or choose another code.": "Lagerort mit Code open gibt es schon (available). Verwenden oder anderen Code wählen.",
		"Product A. B. C already exists (Milk at Night). Use it, or choose another SKU.":        "Artikel A. B. C gibt es schon (Milk at Night). Verwenden oder andere SKU wählen.",
		// Counts have messages of their own.
		"quantity: must be at least 1, is 0.":                                           "quantity: muss mindestens 1 sein, ist 0.",
		"quantity: must be at least 1, is 0. 1 more field is invalid.":                  "quantity: muss mindestens 1 sein, ist 0. 1 weiteres Feld ist ungültig.",
		"lines[0].productId: is required. 12 more fields are invalid.":                  "lines[0].productId: fehlt. 12 weitere Felder sind ungültig.",
		"reason: must have at most 1000 characters, has 1284. 1 more field is invalid.": "reason: darf höchstens 1000 Zeichen haben, hat 1284. 1 weiteres Feld ist ungültig.",
		// Messages of several sentences.
		"The connection to the service at ledger.example:8080 broke before an answer came. The request may have been applied; retrying with the same key is safe.": "Die Verbindung zum Server ledger.example:8080 brach vor der Antwort ab. Die Anfrage wurde eventuell ausgeführt; mit demselben Schlüssel zu wiederholen schadet nicht.",
		"The service at h did not answer within 8s. Something else happened. Retry.":                                                                               "Der Server h hat nicht innerhalb von 8s geantwortet. Something else happened. Erneut versuchen.",
		// Problems of a code.
		`(17) "260230" is not a date: February 2026 has 28 days; (10) "" is not a digit; nothing was counted`: `(17) "260230" ist kein Datum: Februar 2026 hat 28 Tage; (10) "" ist nicht eine Ziffer; nichts gezählt`,
		`"x" at place 3 of "12x" is not a digit`: `"x" an Stelle 3 von "12x" ist nicht eine Ziffer`,
		`'x' at place 3 of "12x" is not a digit`: `'x' an Stelle 3 von "12x" ist nicht eine Ziffer`,
	} {
		require.Equal(t, want, tr.Message(english))
	}
}

func TestGet_TranslatesErrors(t *testing.T) {
	t.Parallel()
	full := &fs.PathError{Op: "open", Path: "/exports/a.csv", Err: syscall.ENOSPC}
	require.Equal(t, "Entwurf nicht gespeichert: /exports/a.csv öffnen: kein Speicherplatz mehr frei",
		german(t).Get("Draft not saved: %v", full))
	require.Equal(t, "Draft not saved: open /exports/a.csv: no space left on device",
		(*i18n.Translator)(nil).Get("Draft not saved: %v", full))
	require.Equal(t, "Entwurf nicht gespeichert: a new mistake", german(t).Get("Draft not saved: %v", errors.New("a new mistake")))
}

func TestMessage_UnknownTextStaysEnglish(t *testing.T) {
	t.Parallel()
	for _, tr := range translators(t) {
		for _, text := range []string{"", "Gone fishing.", "Something broke at noon. Call somebody.", "a: b", "100 %", "%s at %s", "Schon übersetzt: nichts gebucht.",
			strings.Repeat("Is archived. ", 200)} {
			require.Equal(t, text, tr.Message(text))
		}
	}
	var none *i18n.Translator
	require.Equal(t, "Bincard is shutting down. Nothing was saved.", none.Message("Bincard is shutting down. Nothing was saved."))
}

// FuzzMessage checks that no text of a service stops the terminal.
func FuzzMessage(f *testing.F) {
	f.Add("OAT-1L at WH-1: 3 available, 5 requested. Request at most 3, or receive more stock first.")
	f.Add("Invalid cursor \"\\\". Restart without a cursor.")
	f.Add("'\\' in \"x\" is not a capital letter or digit")
	tr := translators(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, tr := range tr {
			require.NotContains(t, strings.ReplaceAll(tr.Message(text), text, ""), "%!(")
		}
	})
}

func BenchmarkMessage(b *testing.B) {
	tr := translators(b)["de"]
	for name, text := range map[string]string{
		"nested":  "Saved at risk: the service may reject it. OAT-1L at WH-1: 3 available, 5 requested. Request at most 3, or receive more stock first.",
		"simple":  "Bincard is shutting down. Nothing was saved.",
		"split":   "The connection to the service at h:8080 broke before an answer came. The request may have been applied; retrying with the same key is safe.",
		"unknown": "Something broke at noon. Call somebody. Then wait for an answer, and retry at once.",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				tr.Message(text)
			}
		})
	}
}
