package zpl_test

import (
	"fmt"
	"strconv"
	"strings"
)

// A command is one of a printer: its two letters and its parameters.
type command struct{ name, params string }

// readZPL reads commands as a printer does: each ^ or ~ begins one. It decodes the data
// of a field after ^FH\.
func readZPL(data string) (out []command, err error) {
	data = strings.ReplaceAll(data, "\n", "")
	for data != "" {
		if data[0] != '^' && data[0] != '~' || len(data) < 3 {
			return out, fmt.Errorf("%q is no command", data)
		}
		end := 1 + strings.IndexAny(data[1:]+"^", "^~")
		c := command{data[:3], data[3:end]}
		if c.name[1] == 'A' { // the font is a letter of the name
			c = command{data[:2], data[2:end]}
		}
		if c.name == "^FD" && len(out) > 0 && out[len(out)-1] == (command{"^FH", `\`}) {
			if c.params, err = decodeHex(c.params); err != nil {
				return out, err
			}
		}
		out = append(out, c)
		data = data[end:]
	}
	return out, nil
}

// decodeHex decodes \5E.
func decodeHex(text string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			b.WriteByte(text[i])
			continue
		}
		x, err := strconv.ParseUint(text[i+1:i+3], 16, 8)
		if err != nil {
			return "", err
		}
		b.WriteByte(byte(x))
		i += 2
	}
	return b.String(), nil
}

// fnc1 stands for FNC1 in what the readers of barcodes return.
const fnc1 = "\x1d"

// readCode128 reads the data of ^BC in mode N: the text, and how many symbol characters
// the printer draws between the start and the check character.
func readCode128(data string) (text string, characters int, err error) {
	set := byte(0)
	for data != "" {
		if data[0] == '>' {
			code := data[:2]
			data = data[2:]
			if set == 0 && code != ">;" && code != ">:" {
				return "", 0, fmt.Errorf("%q is no start", code)
			}
			switch code {
			case ">;", ">5":
				set = 'C'
			case ">:", ">6":
				set = 'B'
			case ">8":
				text += fnc1
			case ">0":
				text += ">"
			case "><":
				text += "^"
			case ">=":
				text += "~"
			default:
				return "", 0, fmt.Errorf("%q is no code", code)
			}
			if code != ">;" && code != ">:" {
				characters++
			}
			continue
		}
		n := 1
		if set == 'C' {
			n = 2
		}
		if set == 0 || n == 2 && (len(data) < 2 || strings.Trim(data[:2], "0123456789") != "") {
			return "", 0, fmt.Errorf("%q is not in set %c", data, set)
		}
		text, data = text+data[:n], data[n:]
		characters++
	}
	return text, characters, nil
}

// readDataMatrix reads the data of ^BX with the escape character _.
func readDataMatrix(data string) (text string, err error) {
	for data != "" {
		switch {
		case strings.HasPrefix(data, "_1"):
			text, data = text+fnc1, data[2:]
		case strings.HasPrefix(data, "__"):
			text, data = text+"_", data[2:]
		case data[0] == '_':
			return "", fmt.Errorf("%q is no escape", data)
		default:
			text, data = text+data[:1], data[1:]
		}
	}
	return text, nil
}
