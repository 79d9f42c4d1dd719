package operators_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/tui/operators"
)

func TestList_Login(t *testing.T) {
	t.Parallel()
	pin, err := operators.HashPIN("27182818")
	require.NoError(t, err)
	list := operators.List{
		{Name: "Ada", Badge: "ADA-42", Role: "worker"}, {Name: "Eve", PIN: pin}, {Name: "Bob", PIN: "31415", Badge: "ada-42", Role: "boss"},
		{Name: "Zoe", Company: "b"}, {Badge: "NAMELESS"}}
	people, notes := list.OfCompany("a")
	login, more := people.Login("5m", operators.Roles{})
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

	_, notes = operators.List{}.Login("soon", operators.Roles{})
	require.Contains(t, notes[0], `use "5m"`)
	_, notes = operators.List{}.Login("5m", operators.Roles{})
	require.Contains(t, notes[0], "no operator could unlock it")
}

func TestList_Find(t *testing.T) {
	t.Parallel()
	list := operators.List{{Name: "Ada", Company: "a"}, {Name: "Ada", Company: "b", Badge: "ADA-42"}, {Name: "Ben", Password: "hash"}}
	require.Equal(t, 0, list.Index("ADA"))
	require.Equal(t, 1, list.IndexOf("ada", "b"))
	require.Equal(t, 2, list.IndexOf("Ben", "b"), "an operator of all companies")
	require.Equal(t, -1, list.IndexOf("Ada", "c"))
	require.Equal(t, operators.List{list[2]}, list.Remote())
	require.Len(t, list.Cards(), 1)
}
