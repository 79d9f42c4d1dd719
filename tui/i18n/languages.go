package i18n

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/leonelquinteros/gotext"
)

//go:embed *.po
var builtIn embed.FS

// Languages are the languages to choose from, English first.
type Languages []Language

// Load returns the languages that Bincard has, with the catalogs in a folder of the
// company: de.po there replaces messages of Bincard's German, fr.po adds French. The
// folder may be missing.
func Load(folder string) (Languages, []Problem) {
	languages := slices.Clone(builtInLanguages())
	problems := languages.addFolder(folder)

	return languages, problems
}

// builtInLanguages parses the embedded catalogs, once for all sessions: each takes a megabyte.
var builtInLanguages = sync.OnceValue(func() Languages {
	languages := Languages{{Code: English, Name: "English"}}
	files, _ := fs.Glob(builtIn, "*.po")
	for _, name := range files {
		text, err := builtIn.ReadFile(name)
		if err != nil {
			panic(err) // the file is embedded
		}
		po := gotext.NewPo()
		po.Parse(text)
		languages = append(languages,
			Language{Code: strings.TrimSuffix(name, ".po"), Name: nameOf(po, name), catalogs: []*gotext.Po{po}})
	}

	return languages
})

// addFolder adds the catalogs of a company.
func (ls *Languages) addFolder(folder string) (problems []Problem) {
	if folder == "" {
		return nil
	}

	names, err := filepath.Glob(filepath.Join(folder, "*.po"))
	if err != nil {
		return []Problem{{File: folder, Text: err.Error()}}
	}

	for _, path := range names {
		name := filepath.Base(path)
		text, err := os.ReadFile(path)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				problems = append(problems, Problem{File: name, Text: err.Error()})
			}
			continue
		}

		po := gotext.NewPo()
		po.Parse(text)
		if rule := po.GetDomain().Headers.Get("Plural-Forms"); zeroDivisor().MatchString(rule) {
			problems = append(problems, Problem{File: name, Message: rule, Text: "the rule divides by 0"})
			continue
		}
		for _, bad := range Check(po) {
			bad.File = name
			problems = append(problems, bad)
		}

		code := strings.TrimSuffix(name, ".po")
		if i := slices.IndexFunc(*ls, func(l Language) bool { return l.Code == code }); i >= 0 {
			(*ls)[i].catalogs = append([]*gotext.Po{po}, (*ls)[i].catalogs...)
			continue
		}

		*ls = append(*ls, Language{Code: code, Name: nameOf(po, name), catalogs: []*gotext.Po{po}})
	}

	return problems
}

// zeroDivisor matches a rule of plural forms that divides by 0, which package gotext would do.
var zeroDivisor = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%\s*0`) })

// nameOf returns the name of a catalog's language: its header X-Language-Name, or the file name.
func nameOf(po *gotext.Po, file string) string {
	if name := po.GetDomain().Headers.Get("X-Language-Name"); name != "" {
		return name
	}
	return strings.TrimSuffix(file, ".po")
}

// Find returns the language of a code such as "de", "de-AT" or "de_DE.UTF-8".
func (ls Languages) Find(code string) (Language, bool) {
	code, _, _ = strings.Cut(code, ".")
	code = strings.ReplaceAll(code, "_", "-")
	if code == Pseudo {
		return pseudo(), true
	}

	for {
		for _, l := range ls {
			if strings.EqualFold(l.Code, code) {
				return l, true
			}
		}

		i := strings.LastIndexByte(code, '-')
		if i < 0 {
			return Language{}, false
		}

		code = code[:i]
	}
}

// Codes lists the codes of the languages.
func (ls Languages) Codes() []string {
	var codes []string
	for _, l := range ls {
		codes = append(codes, l.Code)
	}
	return codes
}

// pluralForms returns the rule of plural forms in the header of the language's catalog, or "".
func (l Language) pluralForms() string {
	for _, c := range l.catalogs {
		if rule := c.GetDomain().Headers.Get("Plural-Forms"); rule != "" {
			return rule
		}
	}
	return ""
}

// The codes of special languages.
const (
	English = "en"
	Pseudo  = "en-XA" // accented and longer English, to test screens
)

// A Language is a language that a session can use.
type Language struct {
	Code string // "de"
	Name string // in the language itself: "Deutsch"

	catalogs  []*gotext.Po // the first that has a message wins
	transform func(english string) string
}
