package goods

import (
	"fmt"
	"strings"

	"bincard/views/dock"
)

// Barcode checks what shall be a barcode: 8, 12, 13 or 14 digits are a trade
// item number, whose last digit must be right. Any other text is a company's
// own code.
func Barcode(text string) error {
	if !isGTIN(text) {
		return nil
	}
	if want := checkDigit(text); text[len(text)-1] != want {
		return fmt.Errorf(saidCheckDigitIsC, text[len(text)-1], want)
	}
	return nil
}

func isGTIN(text string) bool {
	switch len(text) {
	case 8, 12, 13, 14:
		return strings.Trim(text, "0123456789") == ""
	}
	return false
}

// checkDigit is the last digit that a trade item number must have.
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

// isPackaging reports whether a trade item number is that of a packaging: 14 digits that
// begin with the kind of packaging.
func isPackaging(code string) bool { return len(code) == 14 && isGTIN(code) && code[0] != '0' }

// codeFromLabel is the barcode that a scan stands for: the number alone where the
// label says more, without the zeros that make it 14 digits long.
func codeFromLabel(r dock.Label) (string, error) {
	switch {
	case r.Problem != "" && r.Scan.GS1.GTIN == "" && !isGTIN(r.Scan.Text):
		return "", fmt.Errorf(saidTheLabelCannotBe, r.Problem)
	case r.HasNoCode():
		return "", fmt.Errorf(saidNamesNoProductScan, r.Name())
	}
	code := strings.TrimSpace(r.Codes[0])
	if len(code) == 14 && isGTIN(code) && strings.HasPrefix(code, "0") && r.Scan.Text != code {
		code = code[1:]
	}
	if err := Barcode(code); err != nil {
		return "", fmt.Errorf(saidIsNoSoundBarcode, code, err)
	}
	return code, nil
}
