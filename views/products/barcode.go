package products

import (
	"strings"

	"bincard/tui/i18n"
	"bincard/views/count"
)

// Barcode returns a check for barcodes. 8, 12, 13 or 14 digits are a GTIN, whose
// check digit must be right. Any other text is valid.
func Barcode(t *i18n.Translator) func(text string) error {
	return func(text string) error {
		if !isGTIN(text) {
			return nil
		}
		if want := checkDigit(text); text[len(text)-1] != want {
			return t.NewError("check digit is %c, should be %c", text[len(text)-1], want)
		}
		return nil
	}
}

func isGTIN(text string) bool {
	switch len(text) {
	case 8, 12, 13, 14:
		return strings.Trim(text, "0123456789") == ""
	}
	return false
}

// checkDigit returns the check digit of a GTIN.
func checkDigit(number string) byte {
	sum := 0
	for i := range len(number) - 1 {
		n := int(number[i] - '0')
		if (len(number)-i)%2 == 0 {
			n *= 3
		}
		sum += n
	}

	return byte('0' + (10-sum%10)%10)
}

// isPackaging reports whether code is the GTIN of a packaging: 14 digits that do not
// start with 0.
func isPackaging(code string) bool { return len(code) == 14 && isGTIN(code) && code[0] != '0' }

// codeFromLabel returns the barcode of a label: only the number if the label
// contains more, and without the leading zero that pads it to 14 digits.
func codeFromLabel(t *i18n.Translator, r count.Label) (string, error) {
	switch {
	case r.Problem != "" && r.Scan.GS1.GTIN == "" && !isGTIN(r.Scan.Text):
		return "", t.NewError("Unreadable label: %s. Nothing was changed: scan it again.", t.Message(r.Problem))
	case r.HasNoCode():
		return "", t.NewError("%s is not a product label. Scan the barcode of the product.", r.Name())
	}

	code := strings.TrimSpace(r.Codes[0])
	if len(code) == 14 && isGTIN(code) && strings.HasPrefix(code, "0") && r.Scan.Text != code {
		code = code[1:]
	}
	if err := Barcode(t)(code); err != nil {
		return "", t.NewError("%s is not a valid barcode: %v. Nothing was changed: scan it again.", code, err)
	}

	return code, nil
}
