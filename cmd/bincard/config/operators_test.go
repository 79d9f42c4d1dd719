package config_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/cmd/bincard/config"
	"bincard/server/api/role"
	"bincard/tui"
)

func TestList_Login(t *testing.T) {
	t.Parallel()
	pin, err := config.HashPIN("27182818")
	require.NoError(t, err)
	list := config.Operators{
		{Name: "Ada", Badge: "ADA-42", Role: "worker"}, {Name: "Eve", PIN: pin}, {Name: "Bob", PIN: "31415", Badge: "ada-42", Role: "boss"},
		{Name: "Zoe", Company: "b"}, {Badge: "NAMELESS"}}
	people, notes := list.OfCompany("a")
	login, more := people.Login("5m", config.Roles{})
	require.Empty(t, more)
	require.Len(t, login.Operators, 3)
	require.Equal(t, 5*time.Minute, login.LockAfter)
	require.Nil(t, login.Operators[0].Check)
	require.False(t, login.Operators[0].Supervisor)
	require.True(t, login.Operators[1].Supervisor)
	require.True(t, login.Operators[1].Check("27182818"))
	require.False(t, login.Operators[1].Check("27182819"))
	require.True(t, login.Operators[2].Check("31415"))
	require.False(t, login.Operators[2].Check(""))
	require.Empty(t, login.Operators[2].Badge)
	require.False(t, login.Operators[2].Supervisor, "an unknown role gives no rights")
	require.Len(t, notes, 3)
	require.NotContains(t, pin, "27182818")

	_, notes = config.Operators{}.Login("soon", config.Roles{})
	require.Contains(t, notes[0], `use "5m"`)
	_, notes = config.Operators{}.Login("5m", config.Roles{})
	require.Contains(t, notes[0], "no operator could unlock it")
}

func TestList_Find(t *testing.T) {
	t.Parallel()
	list := config.Operators{{Name: "Ada", Company: "a"}, {Name: "Ada", Company: "b", Badge: "ADA-42"}, {Name: "Ben", Password: "hash"}}
	require.Equal(t, 0, list.Index("ADA"))
	require.Equal(t, 1, list.IndexOf("ada", "b"))
	require.Equal(t, 2, list.IndexOf("Ben", "b"), "an operator of all companies")
	require.Equal(t, -1, list.IndexOf("Ada", "c"))
	require.Equal(t, config.Operators{list[2]}, list.Remote())
	require.Len(t, list.Cards(), 1)
}

func TestRoles_Permissions(t *testing.T) {
	t.Parallel()
	list := config.Operators{{Name: "Ada", Role: "worker"}, {Name: "Eve", Role: "supervisor"}}
	adjust := func(n, of int64) tui.Need { return tui.Need{Permission: tui.MayAdjust, Change: n, Recorded: of} }
	may := func(roles config.Roles, needs ...tui.Need) bool {
		login, notes := list.Login("", roles)
		require.Empty(t, notes)
		return login.Operators[0].Permissions.Allow(needs...)
	}
	var usual config.Roles
	require.True(t, may(usual, adjust(-10, 20)))
	require.True(t, may(usual, adjust(30, 300)))
	require.False(t, may(usual, adjust(-11, 20)))
	for p, allowed := range map[tui.Permission]bool{tui.MayCount: true, tui.MayCreateProducts: true, tui.MayOverReceive: false,
		tui.MayCloseShort: false, tui.MayCancel: false, tui.MayLinkBarcodes: false} {
		require.Equal(t, allowed, may(usual, tui.Need{Permission: p, Change: 1, Recorded: 1}), p)
	}
	for rule, allowed := range map[role.Rule][2]bool{"allow": {true, true}, "approve": {false, false}, "3": {true, false}, "50%": {false, true}, "3 or 50%": {true, true}} {
		roles := config.Roles{Worker: role.Rules{role.MayAdjust: rule}}
		require.Equal(t, allowed, [2]bool{may(roles, adjust(3, 4)), may(roles, adjust(-50, 100))}, rule)
	}
	require.True(t, may(config.Roles{Worker: role.Rules{role.MayCancel: "allow"}}, tui.Need{Permission: tui.MayCancel}))
}

func TestRules_AreChecked(t *testing.T) {
	t.Parallel()
	problem := func(p role.Permission, value any) string {
		var r role.Rule
		require.NoError(t, r.UnmarshalTOML(value))
		_, text := role.Rules{p: r}.Problem()
		return text
	}
	for _, text := range []any{"allow", "approve", "10", "10%", "10 or 10%", int64(5)} {
		require.Empty(t, problem(role.MayAdjust, text))
	}
	for _, text := range []any{"", "never", "-1", "10 %", "10 or 10", "1000%", true, 1.5} {
		require.Contains(t, problem(role.MayAdjust, text), `use "allow", "approve" or a limit such as "10 or 10%"`, "%v", text)
	}
	require.Contains(t, problem(role.MayCancel, "10"), "cancel has no quantity")
	require.Contains(t, problem(role.ManageOperators, "allow"), `unknown action "manage_operators"`)
}

func TestList_WithoutSupervisor(t *testing.T) {
	t.Parallel()
	_, notes := config.Operators{{Name: "Ada", Role: "worker"}}.Login("", config.Roles{})
	require.Len(t, notes, 1)
	require.Contains(t, notes[0], "No operator is a supervisor")
	_, notes = config.Operators{{Name: "Ada"}}.Login("", config.Roles{})
	require.Empty(t, notes, "without a role, an operator is a supervisor")
}
