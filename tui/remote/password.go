package remote

import (
	"golang.org/x/crypto/bcrypt"
)

// The minimum length of a password and the most bytes that bcrypt uses.
const (
	MinPassword = 8
	maxPassword = 72
)

// HashPassword returns the bcrypt hash of a password.
func HashPassword(text string) (string, error) {
	if len(text) > maxPassword {
		return "", bcrypt.ErrPasswordTooLong
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(text), bcrypt.DefaultCost)
	return string(hash), err
}

// CheckPassword returns a function that reports whether a password matches the hash.
func CheckPassword(hash string) func(text string) bool {
	return func(text string) bool { return bcrypt.CompareHashAndPassword([]byte(hash), []byte(text)) == nil }
}

// dummyPassword takes as long as the check of an actual password, so that timing does not
// reveal who has one.
var dummyPassword = CheckPassword("$2a$10$7EqJtq98hPqEX7fNZaFWoOQ5pX1k5f5m2kq9j5bQ5c5p5c5p5c5p6")
