package ddl

import (
	"tunic/internal/ddl/showcreate"
)

// learnAnnotations notes the annotations of the columns that go on, under their names to come.
func (c *change) learnAnnotations() {
	for to, from := range c.names {
		if at := c.shown.Place(from); at >= 0 {
			text := c.shown.Columns[at].Text
			comment := showcreate.PartsOf(text).Comment
			c.d.Annotate(to, showcreate.UnquoteString(text[comment.From:comment.To]))
		}
	}
}
