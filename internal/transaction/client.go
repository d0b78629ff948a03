package transaction

import "tunic/internal/catalog"

// Client is what is known of one client's transaction, and the catalogs by which its statements go.
type Client struct {
	Since       Since
	Touched     Touched
	Temporaries Temporaries
	Plain       PlainTemporaries
	passing     Passing
	unfenced    Unfenced
}

// Fenced is what the client goes by of the catalog of all if it may name fences, and begins no earlier than now.
func (c *Client) Fenced(all *catalog.Catalog) *catalog.Catalog {
	return c.Temporaries.Over(c.passing.Of(all, &c.Touched))
}

// Of is what the client goes by of the catalog of all; unfenced says that it may not name fences.
func (c *Client) Of(all *catalog.Catalog, unfenced bool) *catalog.Catalog {
	seen := c.Since.Of(c.Fenced(all))
	if unfenced {
		return c.unfenced.Of(seen)
	}
	return seen
}

// Owns reports whether the client may go by a catalog of its own, where it names fences.
func (c *Client) Owns(all *catalog.Catalog) bool {
	return c.Temporaries.Any() || c.Since.Open() && c.Since.Late(all) || c.Passes(all)
}

// Passes reports whether the client goes by a catalog without something that is coming.
func (c *Client) Passes(all *catalog.Catalog) bool {
	return c.Touched.HasNames() && c.passing.Of(all, &c.Touched) != all
}
