package shell_test

import (
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/i18n"
	"bincard/tui/shell"
	"bincard/tui/tuitest"

	"github.com/stretchr/testify/require"
)

// countedPieces makes the shell read the pieces of the drafts of jobScreens.
func countedPieces(o *shell.Options) {
	o.DraftPieces = func(d tui.Draft) int64 { n, _ := strconv.ParseInt(string(d.Data), 10, 64); return n }
}

// storedIn makes the shell keep its drafts in a store.
func storedIn(store tui.Drafts) func(*shell.Options) {
	return func(o *shell.Options) { o.Drafts = store; countedPieces(o) }
}

func TestOwner_TakesOverADraft(t *testing.T) {
	t.Parallel()
	store := drafts.InMemory()
	d, _ := newLoginDriver(t, storedIn(store))
	d.Scan("ADA-42").Scan("BOX-1").Scan("EVE-43").Type("2718").Key("enter", "1").Sees("Ada has counted 12 here. Take it over?")
	d.Advance(time.Second).Key("enter").Sees("Taken over from Ada", "book 12")
	requireDrafts(t, store, tui.Draft{Route: "receive/PO-1", Owner: "Eve", From: "Ada", Data: []byte("12")})
	d.Scan("BOX-2").Key("esc").Key("1").Sees("book 24").Key("enter").Sees("booked 24").Scan("BOX-3")
	requireDrafts(t, store, tui.Draft{Route: "receive/PO-1", Owner: "Eve", Data: []byte("12")})
	d.Scan("ADA-42").Sees("Scan anything or choose a job") // the draft that she had there is Eve's
	require.Equal(t, "home", d.Model.Route())
}

func requireDrafts(t *testing.T, store tui.Drafts, want ...tui.Draft) {
	t.Helper()
	list, err := store.List()
	require.NoError(t, err)
	require.Equal(t, want, list)
}

func TestOwner_AdoptsADraftWithoutOwner(t *testing.T) {
	t.Parallel()
	store := drafts.InMemory()
	require.NoError(t, store.Save(tui.Draft{Route: "receive/PO-1", Data: []byte("12")}))
	d, _ := newLoginDriver(t, storedIn(store))
	requireDrafts(t, store, tui.Draft{Route: "receive/PO-1", Data: []byte("12")})
	d.Scan("ADA-42").Sees("book 12")
	requireDrafts(t, store, tui.Draft{Route: "receive/PO-1", Owner: "Ada", Data: []byte("12")})
}

func TestOwner_WithoutSignIn(t *testing.T) {
	t.Parallel()
	store := drafts.InMemory()
	require.NoError(t, store.Save(tui.Draft{Route: "receive/PO-1", Owner: "Ada", Data: []byte("12")}))
	d, _ := openShell(t, storedIn(store))
	d.Sees("book 12")
	requireDrafts(t, store, tui.Draft{Route: "receive/PO-1", Data: []byte("12")})
}

// A form has no subject in its route: each operator has one.
func TestOwner_FormsAreOfOneOperator(t *testing.T) {
	t.Parallel()
	store := drafts.InMemory()
	d, _ := newLoginDriver(t, storedIn(store), func(o *shell.Options) {
		o.Registry.Add("adjust", "Adjust", newJobScreen)
		o.Start = []string{"adjust"}
		o.DraftName = func(_ *i18n.Translator, d tui.Draft) string { return d.Route }
	})
	d.Scan("ADA-42").Scan("BOX-1").Sees("book 12").Scan("EVE-43").Type("2718").Key("enter").Do(tui.Open("adjust"))
	require.Equal(t, "adjust", d.Model.Route())
	d.Lacks("book 12", "Take it over").Do(tui.OpenDraft("adjust", "Ada")).Lacks("Take it over")
	d.Scan("BOX-2").Key("esc").Do(tui.OpenDraft("adjust", "Ada")).Sees("Ada has counted 12 here").Advance(time.Second)
	d.Key("enter").Sees("! You have unsent work of your own: adjust. Finish it first.").Key("enter")
	requireDrafts(t, store, tui.Draft{Route: "adjust", Owner: "Ada", Data: []byte("12")}, tui.Draft{Route: "adjust", Owner: "Eve", Data: []byte("12")})
	require.NoError(t, store.Discard("adjust", "Eve"))
	d.Do(tui.OpenDraft("adjust", "Ada")).Advance(time.Second).Key("enter").Sees("Taken over from Ada", "book 12")
}

func TestOwner_AskingToQuitNamesOwners(t *testing.T) {
	t.Parallel()
	d, _ := newLoginDriver(t)
	d.Scan("ADA-42").Scan("BOX-1").Scan("EVE-43").Type("2718").Key("enter", "ctrl+q").Sees("An unsent draft is saved: PO-1 (Ada). Quit?")
}

func TestSession_IsOfTheOperator(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "session")
	open := func(change ...func(*shell.Options)) *tuitest.Driver {
		d, _ := newLoginDriver(t, append(change, func(o *shell.Options) { o.Session, o.Restore, o.Start = file, true, nil })...)
		return d
	}
	d := open()
	require.Equal(t, []string{"home"}, d.Model.Routes())
	d.Scan("ADA-42").Do(tui.Open("probe")).Key("ctrl+l").Scan("ADA-42")
	require.Equal(t, []string{"home", "probe"}, d.Model.Routes(), "the same operator continues")
	d.Scan("EVE-43").Type("2718").Key("enter")
	require.Equal(t, []string{"home"}, d.Model.Routes())
	d.Do(tui.Open("receive/PO-1"))

	again := open()
	again.Scan("ADA-42")
	require.Equal(t, []string{"home", "probe"}, again.Model.Routes())
	again.Scan("EVE-43").Type("2718").Key("enter")
	require.Equal(t, []string{"home", "receive/PO-1"}, again.Model.Routes())
	signedIn := open(func(o *shell.Options) { o.Login.Current = "Ada" })
	require.Equal(t, []string{"home", "probe"}, signedIn.Model.Routes())
}

// Earlier versions had one session file: it belongs to whoever is still signed in.
func TestSession_OfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "session")
	require.NoError(t, drafts.WriteFile(file, []byte("home\nprobe")))
	session := func(o *shell.Options) { o.Session, o.Restore, o.Start = file, true, nil }
	d, _ := newLoginDriver(t, session, func(o *shell.Options) { o.Login.Current = "Ada" })
	require.Equal(t, []string{"home", "probe"}, d.Model.Routes())
	d, _ = newLoginDriver(t, session)
	d.Scan("EVE-43").Type("2718").Key("enter")
	require.Equal(t, []string{"home"}, d.Model.Routes())
}

// What an operator started ends with the next badge: a number, an error, an answer.
func TestLogin_AnotherOperatorStartsClean(t *testing.T) {
	t.Parallel()
	d, _ := newLoginDriver(t)
	d.Scan("ADA-42").Scan("WRONG1").Sees("! ").Scan("EVE-43").Type("2718").Key("enter")
	require.Empty(t, d.Model.Fault())
	d.Scan("ADA-42").Scan("BOX-1").Type("7").Sees("7").Scan("EVE-43").Type("2718").Key("enter").Scan("ADA-42").Key("enter").Sees("booked 12")
}
