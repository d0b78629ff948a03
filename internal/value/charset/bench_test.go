package charset

import "testing"

var benchTexts = map[string]string{
	"ascii":  "Alice Johnson-Smith, 42 Main Street ",
	"accent": "Zoë Müller, Hauptstraße 7, Köln, Łódź ",
	"kanji":  "東京都千代田区丸の内一丁目 ",
}

var benchNames = []string{
	"utf8mb4_bin", "utf8mb4_general_ci", "utf8mb4_unicode_ci", "utf8mb4_unicode_520_ci",
	"utf8mb4_0900_ai_ci", "utf8mb4_0900_as_cs", "utf8mb4_de_pb_0900_ai_ci", "latin1_swedish_ci",
}

func BenchmarkAppendWeights(b *testing.B) {
	for _, name := range benchNames {
		c, _ := Lookup(MySQL, name)
		for text, s := range benchTexts {
			if c.Charset.BytesMax == 1 && text != "ascii" {
				continue
			}
			b.Run(name+"/"+text, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(s)))
				var dst []byte
				src := []byte(s)
				for b.Loop() {
					dst = c.AppendWeights(dst[:0], src)
				}
			})
		}
	}
}

func BenchmarkCompare(b *testing.B) {
	for _, name := range benchNames {
		c, _ := Lookup(MySQL, name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			x, y := []byte("Alice Johnson-Smith, 42"), []byte("alice johnson-smith, 43")
			for b.Loop() {
				c.Compare(x, y)
			}
		})
	}
}

func BenchmarkConvert(b *testing.B) {
	utf8mb4, _ := CharsetByName(MySQL, "utf8mb4")
	latin1, _ := CharsetByName(MySQL, "latin1")
	for text, s := range map[string]string{"ascii": benchTexts["ascii"], "accent": "Zoë Müller, Hauptstraße 7, Köln"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(s)))
			var dst []byte
			src := []byte(s)
			for b.Loop() {
				dst, _ = Convert(dst[:0], latin1, utf8mb4, src)
			}
		})
	}
}
