package ast

import "vitess.io/vitess/go/vt/sqlparser"

// Functions of strings and numbers with a grammar of their own.
type (
	// CharExpr is CHAR.
	CharExpr = sqlparser.CharExpr
	// SubstrExpr is SUBSTRING, SUBSTR or MID.
	SubstrExpr = sqlparser.SubstrExpr
	// TrimFuncExpr is TRIM, LTRIM or RTRIM.
	TrimFuncExpr = sqlparser.TrimFuncExpr
	// LocateExpr is LOCATE or POSITION.
	LocateExpr = sqlparser.LocateExpr
	// InsertExpr is the function INSERT.
	InsertExpr = sqlparser.InsertExpr
	// IntervalFuncExpr is the function INTERVAL.
	IntervalFuncExpr = sqlparser.IntervalFuncExpr
	// WeightStringFuncExpr is WEIGHT_STRING.
	WeightStringFuncExpr = sqlparser.WeightStringFuncExpr
	// RegexpInstrExpr is REGEXP_INSTR.
	RegexpInstrExpr = sqlparser.RegexpInstrExpr
	// RegexpLikeExpr is REGEXP_LIKE.
	RegexpLikeExpr = sqlparser.RegexpLikeExpr
	// RegexpReplaceExpr is REGEXP_REPLACE.
	RegexpReplaceExpr = sqlparser.RegexpReplaceExpr
	// RegexpSubstrExpr is REGEXP_SUBSTR.
	RegexpSubstrExpr = sqlparser.RegexpSubstrExpr
	// ExtractValueExpr is EXTRACTVALUE.
	ExtractValueExpr = sqlparser.ExtractValueExpr
	// UpdateXMLExpr is UPDATEXML.
	UpdateXMLExpr = sqlparser.UpdateXMLExpr
)

// Functions of time.
type (
	// CurTimeFuncExpr is NOW, CURDATE and what else tells the time.
	CurTimeFuncExpr = sqlparser.CurTimeFuncExpr
	// ExtractFuncExpr is EXTRACT.
	ExtractFuncExpr = sqlparser.ExtractFuncExpr
	// TimestampDiffExpr is TIMESTAMPDIFF.
	TimestampDiffExpr = sqlparser.TimestampDiffExpr
)

// Functions of JSON.
type (
	// JSONArrayExpr is JSON_ARRAY.
	JSONArrayExpr = sqlparser.JSONArrayExpr
	// JSONAttributesExpr is JSON_DEPTH, JSON_VALID, JSON_TYPE or JSON_LENGTH.
	JSONAttributesExpr = sqlparser.JSONAttributesExpr
	// JSONContainsExpr is JSON_CONTAINS.
	JSONContainsExpr = sqlparser.JSONContainsExpr
	// JSONContainsPathExpr is JSON_CONTAINS_PATH.
	JSONContainsPathExpr = sqlparser.JSONContainsPathExpr
	// JSONExtractExpr is JSON_EXTRACT, also as ->.
	JSONExtractExpr = sqlparser.JSONExtractExpr
	// JSONKeysExpr is JSON_KEYS.
	JSONKeysExpr = sqlparser.JSONKeysExpr
	// JSONObjectExpr is JSON_OBJECT.
	JSONObjectExpr = sqlparser.JSONObjectExpr
	// JSONObjectParam is one member of a JSON_OBJECT.
	JSONObjectParam = sqlparser.JSONObjectParam
	// JSONOverlapsExpr is JSON_OVERLAPS.
	JSONOverlapsExpr = sqlparser.JSONOverlapsExpr
	// JSONPrettyExpr is JSON_PRETTY.
	JSONPrettyExpr = sqlparser.JSONPrettyExpr
	// JSONQuoteExpr is JSON_QUOTE.
	JSONQuoteExpr = sqlparser.JSONQuoteExpr
	// JSONRemoveExpr is JSON_REMOVE.
	JSONRemoveExpr = sqlparser.JSONRemoveExpr
	// JSONSchemaValidFuncExpr is JSON_SCHEMA_VALID.
	JSONSchemaValidFuncExpr = sqlparser.JSONSchemaValidFuncExpr
	// JSONSchemaValidationReportFuncExpr is JSON_SCHEMA_VALIDATION_REPORT.
	JSONSchemaValidationReportFuncExpr = sqlparser.JSONSchemaValidationReportFuncExpr
	// JSONSearchExpr is JSON_SEARCH.
	JSONSearchExpr = sqlparser.JSONSearchExpr
	// JSONStorageFreeExpr is JSON_STORAGE_FREE.
	JSONStorageFreeExpr = sqlparser.JSONStorageFreeExpr
	// JSONStorageSizeExpr is JSON_STORAGE_SIZE.
	JSONStorageSizeExpr = sqlparser.JSONStorageSizeExpr
	// JSONUnquoteExpr is JSON_UNQUOTE, also as ->>.
	JSONUnquoteExpr = sqlparser.JSONUnquoteExpr
	// JSONValueExpr is JSON_VALUE.
	JSONValueExpr = sqlparser.JSONValueExpr
	// JSONValueMergeExpr is JSON_MERGE and its like.
	JSONValueMergeExpr = sqlparser.JSONValueMergeExpr
	// JSONValueModifierExpr is JSON_SET, JSON_INSERT and their like.
	JSONValueModifierExpr = sqlparser.JSONValueModifierExpr
)

// Functions of geometry.
type (
	// GeoHashFromLatLongExpr is ST_GEOHASH of a longitude and a latitude.
	GeoHashFromLatLongExpr = sqlparser.GeoHashFromLatLongExpr
	// GeoHashFromPointExpr is ST_GEOHASH of a point.
	GeoHashFromPointExpr = sqlparser.GeoHashFromPointExpr
	// GeoJSONFromGeomExpr is ST_ASGEOJSON.
	GeoJSONFromGeomExpr = sqlparser.GeoJSONFromGeomExpr
	// GeomCollPropertyFuncExpr is a property of a collection of geometries.
	GeomCollPropertyFuncExpr = sqlparser.GeomCollPropertyFuncExpr
	// GeomFormatExpr is ST_ASTEXT or ST_ASBINARY.
	GeomFormatExpr = sqlparser.GeomFormatExpr
	// GeomFromGeoHashExpr is a geometry from a geohash.
	GeomFromGeoHashExpr = sqlparser.GeomFromGeoHashExpr
	// GeomFromGeoJSONExpr is ST_GEOMFROMGEOJSON.
	GeomFromGeoJSONExpr = sqlparser.GeomFromGeoJSONExpr
	// GeomFromTextExpr is a geometry from text.
	GeomFromTextExpr = sqlparser.GeomFromTextExpr
	// GeomFromWKBExpr is a geometry from well-known binary.
	GeomFromWKBExpr = sqlparser.GeomFromWKBExpr
	// GeomPropertyFuncExpr is a property of a geometry.
	GeomPropertyFuncExpr = sqlparser.GeomPropertyFuncExpr
	// LineStringExpr is LINESTRING.
	LineStringExpr = sqlparser.LineStringExpr
	// LinestrPropertyFuncExpr is a property of a line.
	LinestrPropertyFuncExpr = sqlparser.LinestrPropertyFuncExpr
	// MultiLinestringExpr is MULTILINESTRING.
	MultiLinestringExpr = sqlparser.MultiLinestringExpr
	// MultiPointExpr is MULTIPOINT.
	MultiPointExpr = sqlparser.MultiPointExpr
	// MultiPolygonExpr is MULTIPOLYGON.
	MultiPolygonExpr = sqlparser.MultiPolygonExpr
	// PointExpr is POINT.
	PointExpr = sqlparser.PointExpr
	// PointPropertyFuncExpr is a property of a point.
	PointPropertyFuncExpr = sqlparser.PointPropertyFuncExpr
	// PolygonExpr is POLYGON.
	PolygonExpr = sqlparser.PolygonExpr
	// PolygonPropertyFuncExpr is a property of a polygon.
	PolygonPropertyFuncExpr = sqlparser.PolygonPropertyFuncExpr
)

// Functions of the server's own state.
type (
	// LockingFunc is GET_LOCK and its like.
	LockingFunc = sqlparser.LockingFunc
	// PerformanceSchemaFuncExpr is a function of the performance schema.
	PerformanceSchemaFuncExpr = sqlparser.PerformanceSchemaFuncExpr
	// GTIDFuncExpr is a function of transaction identifiers.
	GTIDFuncExpr = sqlparser.GTIDFuncExpr
)
