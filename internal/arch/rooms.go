package arch

import (
	"fmt"
	"regexp"
	"slices"
)

// rowPattern is a row of the table of rooms: its first cell is the room.
var rowPattern = regexp.MustCompile("^\\| *`([a-z]+)` *\\|")

// findRooms compares the drawn rooms with the folders that hold code, and
// with the table that says what each room is for.
func findRooms(r *repo) []finding {
	h, found := r.house()
	found = append(found, strayPackages(r, h)...)
	built := r.builtRooms()
	for _, room := range h.rooms() {
		switch {
		case h.planned[room] && built[room]:
			found = append(found, finding{mapPath, h.lines[room], room + " is built, and drawn as planned", "take it off the planned list"})
		case !h.planned[room] && !built[room]:
			found = append(found, finding{mapPath, h.lines[room], room + " is drawn, and there is no code of it", "mark it as planned, or take it out"})
		}
	}
	return append(found, roomTable(r, h)...)
}

// builtRooms returns the rooms that hold a Go file.
func (r *repo) builtRooms() map[string]bool {
	built := map[string]bool{}
	for _, f := range r.code {
		built[roomOf(f.dir)] = true
	}
	return built
}

// strayPackages finds Go files outside every drawn room.
func strayPackages(r *repo, h *house) []finding {
	var found []finding
	seen := map[string]bool{}
	for _, f := range r.code {
		if seen[f.dir] || h.has(roomOf(f.dir)) {
			continue
		}
		seen[f.dir] = true
		found = append(found, finding{
			f.path, 0, fmt.Sprintf("folder %s is in no room", f.dir),
			"put the code in a room, or draw a new room in the layers block of " + mapPath,
		})
	}
	return found
}

// roomTable checks that the table of rooms has one row a room.
func roomTable(r *repo, h *house) []finding {
	var found []finding
	var told []string
	for _, l := range r.document(mapPath).prose {
		m := rowPattern.FindStringSubmatch(l.text)
		if m == nil {
			continue
		}
		if slices.Contains(told, m[1]) || !h.has(m[1]) {
			found = append(found, finding{mapPath, l.number, "a row for " + m[1] + ", which is no room or has a row already", "keep one row for each room of the layers block"})
		}
		told = append(told, m[1])
	}
	for _, room := range h.rooms() {
		if !slices.Contains(told, room) {
			found = append(found, finding{mapPath, h.lines[room], room + " has no row in the table of rooms", "say there in one line what it is for"})
		}
	}
	return found
}
