package structure

import (
	"go/types"
	"slices"
)

// Used is what packages use of others: functions, methods and constants, and fields that they read or write behind a dot,
// by their names with package and type.
type Used map[string]bool

// note adds what one package uses of others.
func (u Used) note(c *checked) {
	for _, object := range c.info.Uses {
		if object.Pkg() == nil || object.Pkg() == c.pkg {
			continue
		}
		switch o := object.(type) {
		case *types.Func:
			u[fullName(o)] = true
		case *types.Const:
			u[o.Pkg().Path()+"."+o.Name()] = true
		}
	}
	for _, s := range c.info.Selections {
		if s.Kind() != types.FieldVal {
			continue
		}
		of := s.Recv()
		for _, i := range s.Index() {
			of = u.noteField(c.pkg, of, i)
		}
	}
}

// noteField adds field i of a type, if it is of another package than the one that uses it, and returns its type.
func (u Used) noteField(by *types.Package, of types.Type, i int) types.Type {
	if p, ok := of.Underlying().(*types.Pointer); ok {
		of = p.Elem()
	}
	field := of.Underlying().(*types.Struct).Field(i)
	if named, ok := types.Unalias(of).(*types.Named); ok && field.Pkg() != by && field.Exported() {
		u[fieldName(named, field)] = true
	}
	return field.Type()
}

func fieldName(of *types.Named, field *types.Var) string {
	return of.Obj().Pkg().Path() + "." + of.Obj().Name() + "." + field.Name()
}

// Fields are the exported fields of a struct type of the package, and of the structs of the package in it, alone or in
// lists; none if there is no such type.
func (p *Package) Fields(name string) (all []string) {
	t, ok := p.types.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return nil
	}
	var look func(t types.Type)
	look = func(t types.Type) {
		if s, ok := t.Underlying().(*types.Slice); ok {
			t = s.Elem()
		}
		named, ok := types.Unalias(t).(*types.Named)
		if !ok || named.Obj().Pkg() != p.types {
			return
		}
		fields, ok := named.Underlying().(*types.Struct)
		if !ok {
			return
		}
		for i := range fields.NumFields() {
			if f := fields.Field(i); f.Exported() && !slices.Contains(all, fieldName(named, f)) {
				all = append(all, fieldName(named, f))
				look(f.Type())
			}
		}
	}
	look(t.Type())
	return all
}

// Functions are the exported functions of the package, by their names with the package.
func (p *Package) Functions() (all []string) {
	return p.declared(func(o types.Object) bool { _, ok := o.(*types.Func); return ok })
}

// Constants are the exported constants, as Functions.
func (p *Package) Constants() (all []string) {
	return p.declared(func(o types.Object) bool { _, ok := o.(*types.Const); return ok })
}

func (p *Package) declared(is func(types.Object) bool) (all []string) {
	for _, name := range p.types.Scope().Names() {
		if o := p.types.Scope().Lookup(name); o.Exported() && is(o) {
			all = append(all, o.Pkg().Path()+"."+name)
		}
	}
	return all
}
