package remote

import (
	"golang.org/x/crypto/bcrypt"
)

// A password has at least and at most so many characters: bcrypt hears no more.
const (
	MinPassword = 8
	maxPassword = 72
)

// HashPassword makes a password unreadable, to be kept.
func HashPassword(text string) (string, error) {
	if len(text) > maxPassword {
		return "", bcrypt.ErrPasswordTooLong
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(text), bcrypt.DefaultCost)
	return string(hash), err
}

// CheckPassword is the check of a kept hash.
func CheckPassword(hash string) func(text string) bool {
	return func(text string) bool { return bcrypt.CompareHashAndPassword([]byte(hash), []byte(text)) == nil }
}

// dummyPassword is a password that nobody has: checking it takes as long.
var dummyPassword = CheckPassword("$2a$10$7EqJtq98hPqEX7fNZaFWoOQ5pX1k5f5m2kq9j5bQ5c5p5c5p5c5p6")
