package ast

import "vitess.io/vitess/go/vt/sqlparser"

// CharExpr and the types after it: functions of strings and numbers with a
// grammar of their own.
type (
	CharExpr             = sqlparser.CharExpr
	SubstrExpr           = sqlparser.SubstrExpr
	TrimFuncExpr         = sqlparser.TrimFuncExpr
	LocateExpr           = sqlparser.LocateExpr
	InsertExpr           = sqlparser.InsertExpr
	IntervalFuncExpr     = sqlparser.IntervalFuncExpr
	WeightStringFuncExpr = sqlparser.WeightStringFuncExpr
	RegexpInstrExpr      = sqlparser.RegexpInstrExpr
	RegexpLikeExpr       = sqlparser.RegexpLikeExpr
	RegexpReplaceExpr    = sqlparser.RegexpReplaceExpr
	RegexpSubstrExpr     = sqlparser.RegexpSubstrExpr
	ExtractValueExpr     = sqlparser.ExtractValueExpr
	UpdateXMLExpr        = sqlparser.UpdateXMLExpr
)

// CurTimeFuncExpr and the types after it: functions of time.
type (
	CurTimeFuncExpr   = sqlparser.CurTimeFuncExpr
	ExtractFuncExpr   = sqlparser.ExtractFuncExpr
	TimestampDiffExpr = sqlparser.TimestampDiffExpr
)

// JSONArrayExpr and the types after it: functions of JSON.
type (
	JSONArrayExpr                      = sqlparser.JSONArrayExpr
	JSONAttributesExpr                 = sqlparser.JSONAttributesExpr
	JSONContainsExpr                   = sqlparser.JSONContainsExpr
	JSONContainsPathExpr               = sqlparser.JSONContainsPathExpr
	JSONExtractExpr                    = sqlparser.JSONExtractExpr
	JSONKeysExpr                       = sqlparser.JSONKeysExpr
	JSONObjectExpr                     = sqlparser.JSONObjectExpr
	JSONObjectParam                    = sqlparser.JSONObjectParam
	JSONOverlapsExpr                   = sqlparser.JSONOverlapsExpr
	JSONPrettyExpr                     = sqlparser.JSONPrettyExpr
	JSONQuoteExpr                      = sqlparser.JSONQuoteExpr
	JSONRemoveExpr                     = sqlparser.JSONRemoveExpr
	JSONSchemaValidFuncExpr            = sqlparser.JSONSchemaValidFuncExpr
	JSONSchemaValidationReportFuncExpr = sqlparser.JSONSchemaValidationReportFuncExpr
	JSONSearchExpr                     = sqlparser.JSONSearchExpr
	JSONStorageFreeExpr                = sqlparser.JSONStorageFreeExpr
	JSONStorageSizeExpr                = sqlparser.JSONStorageSizeExpr
	JSONUnquoteExpr                    = sqlparser.JSONUnquoteExpr
	JSONValueExpr                      = sqlparser.JSONValueExpr
	JSONValueMergeExpr                 = sqlparser.JSONValueMergeExpr
	JSONValueModifierExpr              = sqlparser.JSONValueModifierExpr
)

// GeoHashFromLatLongExpr and the types after it: functions of geometry.
type (
	GeoHashFromLatLongExpr   = sqlparser.GeoHashFromLatLongExpr
	GeoHashFromPointExpr     = sqlparser.GeoHashFromPointExpr
	GeoJSONFromGeomExpr      = sqlparser.GeoJSONFromGeomExpr
	GeomCollPropertyFuncExpr = sqlparser.GeomCollPropertyFuncExpr
	GeomFormatExpr           = sqlparser.GeomFormatExpr
	GeomFromGeoHashExpr      = sqlparser.GeomFromGeoHashExpr
	GeomFromGeoJSONExpr      = sqlparser.GeomFromGeoJSONExpr
	GeomFromTextExpr         = sqlparser.GeomFromTextExpr
	GeomFromWKBExpr          = sqlparser.GeomFromWKBExpr
	GeomPropertyFuncExpr     = sqlparser.GeomPropertyFuncExpr
	LineStringExpr           = sqlparser.LineStringExpr
	LinestrPropertyFuncExpr  = sqlparser.LinestrPropertyFuncExpr
	MultiLinestringExpr      = sqlparser.MultiLinestringExpr
	MultiPointExpr           = sqlparser.MultiPointExpr
	MultiPolygonExpr         = sqlparser.MultiPolygonExpr
	PointExpr                = sqlparser.PointExpr
	PointPropertyFuncExpr    = sqlparser.PointPropertyFuncExpr
	PolygonExpr              = sqlparser.PolygonExpr
	PolygonPropertyFuncExpr  = sqlparser.PolygonPropertyFuncExpr
)

// LockingFunc and the types after it: functions of the server's own state.
type (
	LockingFunc               = sqlparser.LockingFunc
	PerformanceSchemaFuncExpr = sqlparser.PerformanceSchemaFuncExpr
	GTIDFuncExpr              = sqlparser.GTIDFuncExpr
)
