package sqlerr

// The codes. They are not exported: callers use the functions of client.go and
// start.go, which know what each code may say.
const (
	startUsage           Code = 1001
	startUnknown         Code = 1002
	startValue           Code = 1003
	startMissing         Code = 1004
	startFile            Code = 1005
	startConflict        Code = 1006
	startProtect         Code = 1007
	startPortTaken       Code = 1101
	startListen          Code = 1102
	startBackendDown     Code = 1201
	startBackendGreeting Code = 1202
	startBackendTLS      Code = 1203
	startKeyFile         Code = 1301
	startKeyMode         Code = 1302
	startPassphraseNone  Code = 1303
	startPassphraseWrong Code = 1304
	startPassphraseFile  Code = 1305
	startKeyMade         Code = 1306
	startAccount         Code = 1401
	startPasswordFile    Code = 1402
	startPasswordMode    Code = 1403
	startLookup          Code = 1404
	startTLSFile         Code = 1501
	startTLSPair         Code = 1502
	startTLSMade         Code = 1503
	startTLSMode         Code = 1504
	startOtherKey        Code = 1601
	startKeyAbsent       Code = 1602
	startHeld            Code = 1603
	startLedger          Code = 1604
	startDamaged         Code = 1605
	startForm            Code = 1606
	startUnexplained     Code = 1607
	startUninitialized   Code = 1608
	startOtherProject    Code = 1609
	startOlder           Code = 1610
	startStateFile       Code = 1611
	askDown              Code = 1701
	askLogin             Code = 1702
	askPasswordFile      Code = 1703
	askRefused           Code = 1704
	auditFaults          Code = 1801
	auditNothing         Code = 1802
	rotationLeft         Code = 1821
	rotationHolders      Code = 1822
	rotationUnderway     Code = 1823
	migrationHindered    Code = 1831
	migrationNothing     Code = 1832
	migrationCut         Code = 1833
	migrationUnderway    Code = 1834
	decryptRefused       Code = 1841
	decryptNothing       Code = 1842
	startInternal        Code = 1901

	statementRefused Code = 2001
	statementUnread  Code = 2002
	statementOutcome Code = 2003
	statementBeside  Code = 2004
	statementSecret  Code = 2005
	statementFlow    Code = 2006
	statementKey     Code = 2007
	programShows     Code = 2008

	expressionRefused Code = 2010
	expressionValue   Code = 2011
	sessionZone       Code = 2012
	localRows         Code = 2013
	localBytes        Code = 2014
	localTotal        Code = 2015
	localCombinations Code = 2016
	layerAdvised      Code = 2017

	definitionReserved    Code = 2030
	definitionAnnotation  Code = 2031
	definitionGenerated   Code = 2032
	definitionCheck       Code = 2033
	definitionCheckRows   Code = 2034
	definitionExpression  Code = 2035
	definitionKeyKind     Code = 2036
	definitionKeyComputed Code = 2037
	definitionPrefix      Code = 2038
	definitionPartition   Code = 2039
	definitionGrain       Code = 2040
	definitionLayer       Code = 2041
	definitionCeiling     Code = 2042
	definitionReference   Code = 2043
	definitionAction      Code = 2044
	definitionSelect      Code = 2045
	definitionType        Code = 2046
	definitionRewrite     Code = 2047
	definitionProtection  Code = 2048
	definitionForm        Code = 2049
	definitionReferenced  Code = 2050
	definitionSchema      Code = 2051
	definitionCharset     Code = 2052
	definitionLedger      Code = 2053
	definitionFill        Code = 2054
	definitionAccount     Code = 2055
	definitionAround      Code = 2056
	viewColumn            Code = 2057
	viewWritten           Code = 2058
	viewUnderneath        Code = 2059
	columnUnnamed         Code = 2060

	jobProcedure Code = 2070
	jobArguments Code = 2071
	jobNone      Code = 2072
	jobEnded     Code = 2073
	jobFinal     Code = 2074
	jobBusy      Code = 2075
	jobUnknown   Code = 2076
	layerThere   Code = 2077
	layerAbsent  Code = 2078
	layerKey     Code = 2079
	layerStands  Code = 2080
	layerCeiling Code = 2081
	layerPlain   Code = 2082
	layerValues  Code = 2083
	jobTables    Code = 2084

	protocolUnknownCommand Code = 3001
	protocolPacketTooLarge Code = 3002
	protocolMalformed      Code = 3003
	protocolOutOfOrder     Code = 3004
	protocolNoStatement    Code = 3005
	protocolRefused        Code = 3006
	protocolHandshake      Code = 3007

	limitConnections Code = 4001
	limitHandshake   Code = 4002
	limitIdle        Code = 4003
	limitPrepared    Code = 4004
	limitDrain       Code = 4005
	limitVariables   Code = 4006
	limitLogins      Code = 4007

	backendLost        Code = 5001
	backendUnreachable Code = 5003
	backendSocket      Code = 5004
	backendMalformed   Code = 5005
	backendTLS         Code = 5006
	backendLedger      Code = 5007

	loginPlugin      Code = 6001
	loginTLSRequired Code = 6002
	loginPluginTLS   Code = 6003
	loginSocket      Code = 6004

	dataAlien   Code = 7001
	dataColumns Code = 7003
	dataKey     Code = 7004
	dataOrder   Code = 7005
)
