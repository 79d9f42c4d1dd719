// Package crash holds no code, only tests that treat the real program badly:
// they kill it in the middle of its work and look whether every write that was
// answered is there, once.
package crash
