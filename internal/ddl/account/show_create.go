package account

import (
	"strconv"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
)

// ShowCreate is what SHOW CREATE TABLE says of a protected table. next is the
// stored table's AUTO_INCREMENT, which moves with the rows and is in no definition;
// 0 or 1 without. Defaults of TIMESTAMP are in the time zone of the session that
// has defined the table.
func ShowCreate(t *catalog.Table, next uint64) string {
	account, err := showcreate.Read(t.Definition)
	if err != nil || next <= 1 {
		return t.Definition
	}
	if _, at := showcreate.OptionEngine(account.Options); !at.Empty() {
		counter := " AUTO_INCREMENT=" + strconv.FormatUint(next, 10)
		account.Options = showcreate.Edited(account.Options, showcreate.Edit{Span: showcreate.Span{From: at.To, To: at.To}, Text: counter})
	}
	return account.SQL(showcreate.BeginOf(t.Definition), identifier.Quoted(showcreate.NameIn(t.Definition)))
}
