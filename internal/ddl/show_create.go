package ddl

import (
	"strconv"

	"tunic/internal/catalog"
)

// ShowCreate is what SHOW CREATE TABLE says of a protected table. next is the
// stored table's AUTO_INCREMENT, which moves with the rows and is in no definition;
// 0 or 1 without. Defaults of TIMESTAMP are in the time zone of the session that
// has defined the table.
func ShowCreate(t *catalog.Table, next uint64) string {
	account, err := readShown(t.Definition)
	if err != nil || next <= 1 {
		return t.Definition
	}
	if _, at := optionEngine(account.Options); !at.empty() {
		counter := " AUTO_INCREMENT=" + strconv.FormatUint(next, 10)
		account.Options = edited(account.Options, edit{span: span{from: at.to, to: at.to}, text: counter})
	}
	return account.text(createWord(t.Definition), catalog.Quoted(nameIn(t.Definition)))
}
