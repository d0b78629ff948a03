package bench

import (
	"context"
	"slices"

	"tunic/internal/bench/document"
	"tunic/internal/bench/meter"
)

// versions are those of the targets and of what loads them.
func (b *bench) versions(ctx context.Context, bed *bed) map[string]string {
	v := versions(ctx, bed, b.settings.Targets)
	if b.sysbench.path != "" {
		v["sysbench"] = meter.VersionOf(ctx, "sysbench", "--version")
	}
	if b.ycsb.path != "" {
		v["go-ycsb"] = b.ycsb.version()
	}
	return v
}

// versions asks the server and every target what it is.
func versions(ctx context.Context, b *bed, targets []string) map[string]string {
	v := map[string]string{
		"server": string(b.server.Flavor) + " " + b.server.Version,
	}
	if slices.Contains(targets, document.TargetHAProxy) {
		v["haproxy"] = meter.VersionOf(ctx, "haproxy", "-v")
	}
	if slices.Contains(targets, document.TargetShardingSphere) || slices.Contains(targets, document.TargetShardingSphereEncrypt) {
		v["shardingsphere"] = shardingSphereVersion()
	}
	if slices.ContainsFunc(targets, document.IsTunic) {
		v["tunic"] = meter.VersionOf(ctx, b.tunicBinary, "version")
		v["go"] = meter.GoVersionOf(b.tunicBinary)
	}
	return v
}
