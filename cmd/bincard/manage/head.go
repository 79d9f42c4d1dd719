package manage

import (
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"bincard/cmd/bincard/cli"
	"bincard/server/admin"
	"bincard/server/archive"
	"bincard/server/ledger/audit"
)

// parseHead parses a head that somebody kept, like 313:5c21e72c…; the zero Head if text
// is empty.
func parseHead(text string) (h audit.Head, err error) {
	if text == "" {
		return h, nil
	}

	seq, hash, _ := strings.Cut(text, ":")
	h.Hash = strings.ToLower(hash)
	h.Seq, err = strconv.ParseInt(seq, 10, 64)
	if _, bad := hex.DecodeString(h.Hash); err != nil || bad != nil || h.Seq < 1 || len(h.Hash) != 48 {
		return h, cli.UsageErrorf(
			"--head must be the number and hash of a journal entry, like 313:5c21e72c1c939d11f7ddd21dc602e274d2c63cb4a85c28ec, not %s",
			text,
		)
	}

	return h, nil
}

// checkHead requires that a kept head is part of the ledger's history, and says so.
func checkHead(ctx context.Context, a admin.Admin, kept audit.Head) (words string, err error) {
	list, err := a.HeadsAt(ctx, kept.Seq)
	if err != nil {
		return "", err
	}

	for _, h := range list {
		if h.Hash == kept.Hash {
			return fmt.Sprintf("Head %s is part of this history: entries %d to %d are unchanged.", kept, h.From,
				h.Seq), nil
		}
	}

	if len(list) == 0 {
		return "", fmt.Errorf(
			"head %s is not part of this history: there is no entry %d; entries were removed, or this is another ledger",
			kept,
			kept.Seq,
		)
	}

	return "", fmt.Errorf(
		"head %s is not part of this history: entry %d has the hash %s; entries up to it were changed or removed, or this is another ledger",
		kept,
		kept.Seq,
		list[0].Hash,
	)
}

// formatHeads returns a line for each head, with its organization if there are several.
func formatHeads(heads []audit.Head) string {
	var words strings.Builder
	for _, h := range heads {
		fmt.Fprintf(&words, "\nHead: %d %s", h.Seq, h.Hash)
		if len(heads) > 1 {
			fmt.Fprintf(&words, " (%s/%s)", h.Organization, h.Environment)
		}
	}

	return words.String()
}

// keepHeads returns verifyInProcess, which also sets heads to those it finds and
// requires that kept, if it is not zero, is part of the history.
func keepHeads(heads *[]audit.Head, kept audit.Head) archive.Verifier {
	return func(ctx context.Context, dir string, progress archive.ProgressFunc) (*audit.Result, error) {
		proof, err := VerifyInProcess(ctx, dir, progress)
		if err != nil {
			return nil, err
		}

		*heads = proof.Heads
		if kept.Seq == 0 {
			return proof, nil
		}

		return proof, withExistingLedger(ctx, &LedgerPlace{Dir: dir}, func(a admin.Admin) error {
			_, err := checkHead(ctx, a, kept)
			return err
		})
	}
}
