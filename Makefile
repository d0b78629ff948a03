# `make` or `make help` lists the targets.

.DEFAULT_GOAL := help
.NOTPARALLEL:

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
# A checkout that git does not trust, or none at all, builds without its revision.
BUILDVCS := $(shell git rev-parse HEAD >/dev/null 2>&1 && echo true || echo false)

# Packages whose tests write generated files when they are asked to.
GENERATED = $(shell grep -rlE --include='*_test.go' '"rewrite"|/datadriven"' cmd internal | xargs -r -n1 dirname | sort -u | sed 's|^|./|')
# Packages whose documents below docs/ are printed from tables.
DOCUMENTED = $(shell grep -rlE --include='*_test.go' '^func (TestDocument|TestSQLSupport)\>' cmd internal | xargs -r -n1 dirname | sort -u | sed 's|^|./|')

.PHONY: help build demo check test structure soak browser crash backup definitions rotation restarts galera memory held apps sysbench race fuzz fuzz-sessions diff diff-long golden bench bench-relay bench-values bench-queries bench-layers bench-encrypt bench-quick bench-insert bench-mixed bench-tde bench-tpcc bench-ycsb bench-tpch bench-ops bench-all install uninstall package packages-test image reproducible sbom deploy-test evaluators lint docs mysql clients deps tidy clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## Build the static program bin/tunic
	@command -v go >/dev/null || { echo "make: Go is missing; install Go 1.26 or newer" >&2; exit 1; }
	CGO_ENABLED=0 go build -trimpath -buildvcs=$(BUILDVCS) -ldflags '-X main.version=$(VERSION)' -o bin/tunic ./cmd/tunic

# Where install puts tunic; DESTDIR is put before it.
PREFIX ?= /usr/local

install: build ## Install the program, its service and an example of its settings: PREFIX=/usr/local DESTDIR=
	install -D -m 0755 bin/tunic $(DESTDIR)$(PREFIX)/bin/tunic
	install -D -m 0644 deploy/packages/tunic.toml $(DESTDIR)$(PREFIX)/share/doc/tunic/tunic.toml
	install -D -m 0644 LICENSE $(DESTDIR)$(PREFIX)/share/doc/tunic/LICENSE
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system
	sed 's|/usr/bin/tunic|$(PREFIX)/bin/tunic|' deploy/packages/tunic.service >$(DESTDIR)$(PREFIX)/lib/systemd/system/tunic.service

uninstall: ## Take away what install has put there; settings and keys stay
	rm -f $(DESTDIR)$(PREFIX)/bin/tunic $(DESTDIR)$(PREFIX)/lib/systemd/system/tunic.service
	rm -rf $(DESTDIR)$(PREFIX)/share/doc/tunic

package: build ## Make bin/packages/tunic_VERSION_ARCH.deb and tunic-VERSION.ARCH.rpm
	@scripts/package.sh

packages-test: ## Install, use, upgrade and purge the packages in a root of their own, and run the image
	@scripts/install-deps.sh server packages image
	TUNIC_LONG=1 go test -count=1 -v -timeout 60m ./internal/release

image: build ## Make the container image tunic:VERSION and bin/tunic-image.tar
	@scripts/install-deps.sh image
	@scripts/image.sh

sbom: build ## Write what bin/tunic is made of to bin/tunic.cdx.json, as CycloneDX
	@scripts/sbom.sh

reproducible: ## Build the present commit twice, in two folders, and compare every byte
	@scripts/reproducible.sh

deploy-test: ## Check deploy/ with the types of Kubernetes and the parser of Prometheus
	go vet -C tools/deploy ./...
	go test -C tools/deploy -count=1 ./...

evaluators: ## Compute 25,000 expressions with tunic's evaluator and vitess's, and compare both with MySQL: DETAIL=1
	@scripts/install-deps.sh server
	@scripts/install-mysql.sh
	go vet -C tools/evaluators ./...
	go test -C tools/evaluators -count=1 -v . $(if $(DETAIL),-detail)

demo: ## Show tunic before a private MariaDB on 127.0.0.1:3307; DEMO_EXIT=1 ends after the session
	@scripts/install-deps.sh server
	@[ -x bin/tunic ] || echo "building bin/tunic, which takes minutes the first time"
	@$(MAKE) --no-print-directory -s build
	@exec bin/tunic demo

# What needs a server, a client's library or minutes is for `make test`.
UNCHECKED = /(difftest|clients|crashtest|release|sandbox|sandbox/sandboxtest|bench|bench/tpcc|bench/queries)$$

check: ## Look at a change within two minutes: gofmt, vet, and the tests that need no server
	@files=$$(find cmd internal -name '*.go' -exec gofmt -l {} +); [ -z "$$files" ] || { echo "make: gofmt would change $$files" >&2; exit 1; }
	@go vet ./...
	@TUNIC_SERVERS=none go test -short $$(go list ./... | grep -vE '$(UNCHECKED)')

test: ## Install what is missing and run everything that CI runs
	@scripts/test.sh

soak: ## Run sysbench for minutes and watch tunic's memory: 200 threads, then a million protected rows
	@scripts/install-deps.sh server tools
	TUNIC_LONG=1 go test -count=1 -v -timeout 60m -run '^TestSoak' ./internal/clients

browser: ## Look at the status page in a browser, before and under load, and with 1,000 tables
	@scripts/install-deps.sh server browser
	TUNIC_LONG=1 go test -count=1 -v -timeout 20m -run '^TestStatusPage$$' ./cmd/tunic

crash: ## Kill tunic and the server under load: CRASHES=n SERVERS=n STOPS=n SEED=n FLAVOR=MySQL
	@scripts/install-deps.sh server
	@scripts/install-mysql.sh
	TUNIC_LONG=1 go test -count=1 -v -timeout 6h ./internal/crashtest -run '^(TestKill|TestConversion)$$' -crashes $(or $(CRASHES),200) -servers $(or $(SERVERS),50) \
		-stops $(or $(STOPS),20) -at 0 -within 0 -seed $(or $(SEED),0) -flavor $(or $(FLAVOR),MariaDB)

backup: ## Restore a physical backup that was made while clients wrote
	@scripts/install-deps.sh server backup
	go test -count=1 -v -timeout 10m ./internal/crashtest -run '^TestBackup$$'

definitions: ## Kill tunic at each statement of each change of a table, on both servers
	@scripts/install-deps.sh server
	@scripts/install-mysql.sh
	TUNIC_LONG=1 go test -count=1 -v -timeout 60m -run '^(TestKilled|TestKilledFilling|TestCrossedNames)$$' ./internal/ddl

rotation: ## Change the master key under load, and kill tunic rotate at each of its points: SEED=n FLAVOR=MySQL
	@scripts/install-deps.sh server
	@scripts/install-mysql.sh
	TUNIC_LONG=1 go test -count=1 -v -timeout 60m ./internal/crashtest -run '^TestRotation$$' -seed $(or $(SEED),0) -flavor $(or $(FLAVOR),MariaDB)

restarts: ## Restart two tunics behind HAProxy, and take over from them, under pools of Go, SQLAlchemy and Sequelize, and sysbench
	@scripts/install-deps.sh server tools
	@scripts/install-apps.sh sqlalchemy node
	TUNIC_LONG=1 go test -count=1 -v -timeout 60m ./internal/clients -run '^(TestRestarts|TestTakeover)$$'

galera: ## Kill nodes of a Galera cluster, a tunic before each, under transactions: MINUTES=n
	@scripts/install-deps.sh server galera
	TUNIC_LONG=1 go test -count=1 -v -timeout 6h ./internal/crashtest -run '^TestGalera$$' -minutes $(or $(MINUTES),10)

memory: ## Send 60 MiB in each of 40 sessions at once, in every way, and watch tunic's memory stay below --memory
	@scripts/install-deps.sh server
	TUNIC_LONG=1 go test -count=1 -v -timeout 4h -run '^TestMemoryStaysBelow$$' ./internal/server

held: ## Keep a transaction open for a minute on a table whose layer comes and goes
	@scripts/install-deps.sh server
	@scripts/install-mysql.sh
	TUNIC_LONG=1 go test -count=1 -v -timeout 60m -run '^TestTransactionLeftOpen$$' ./internal/server

apps: ## Run applications on web frameworks and ORMs, on a plain server and through tunic
	@scripts/install-deps.sh server
	@scripts/install-mysql.sh
	@scripts/install-apps.sh
	TUNIC_LONG=1 go test -count=1 -v -timeout 60m -run '^TestApps$$' ./internal/clients

sysbench: ## Run all of sysbench's scripts over protected tables, at 24 and 200 threads
	@scripts/install-deps.sh server tools
	@scripts/install-mysql.sh
	TUNIC_LONG=1 go test -count=1 -v -timeout 60m -run '^TestSysbenchProtected$$' ./internal/clients

race: ## Run the tests under the race detector
	@scripts/install-deps.sh server tools compiler
	go test -race ./...

fuzz: ## Fuzz every decoder for 60 s each (FUZZTIME=10m for longer)
	@scripts/fuzz.sh $(or $(FUZZTIME),60s)

fuzz-sessions: ## Change the corpus's statements at random, and compare with the plain server: MINUTES=n SEED=n
	@scripts/install-deps.sh server
	@scripts/install-mysql.sh
	TUNIC_LONG=1 nice go test -count=1 -v -timeout 12h ./internal/difftest -run '^TestSessionFuzz$$' -minutes $(or $(MINUTES),10) -seed $(or $(SEED),0)

diff: ## Compare answers through tunic with those of the plain server (SEED=N repeats random workloads)
	@scripts/install-deps.sh server
	@scripts/install-mysql.sh
	go test -count=1 -v -timeout 90m ./internal/difftest -all -seed $(or $(SEED),0)

diff-long: ## Run 100,000 random statements a server through tunic, under six policies (SEED=N repeats them)
	@scripts/install-deps.sh server
	@scripts/install-mysql.sh
	nice go test -count=1 -v -timeout 6h ./internal/difftest -run '^TestRandomWorkloads$$' -all -seed $(or $(SEED),0)

structure: ## Print how far the files of each package hang together, and its largest type
	@go test -count=1 -v -run '^TestStructure$$' ./internal/arch/structure

golden: ## Write the golden files and generated documents anew; then read the diff
	go test $(GENERATED) -rewrite

bench: ## Compare direct, HAProxy, tunic and tunic that protects: TARGETS= WORKLOADS= THREADS= SECONDS= (more: bin/tunic bench relay --help)
	@scripts/install-deps.sh server tools $(if $(findstring ycsb,$(WORKLOADS)),ycsb)
	$(if $(findstring shardingsphere,$(TARGETS)),@scripts/install-proxies.sh)
	@$(MAKE) --no-print-directory -s build
	@exec bin/tunic bench relay $(if $(SECONDS),--seconds=$(SECONDS)) # a shell may count SECONDS itself

bench-relay: bench ## The same

bench-quick: ## The same with three workloads in under 5 minutes, for two commits to be compared (bin/tunic bench compare)
	@scripts/install-deps.sh server tools
	@$(MAKE) --no-print-directory -s build
	@exec bin/tunic bench quick $(if $(SECONDS),--seconds=$(SECONDS))

bench-insert: ## Insert into protected tables for minutes: throughput at the end, memory over time, bytes stored: SECONDS= or TRANSACTIONS= THREADS= SCALE=
	@scripts/install-deps.sh server tools
	@$(MAKE) --no-print-directory -s build
	@exec bin/tunic bench insert $(if $(SECONDS),--seconds=$(SECONDS))

bench-mixed: ## Read and write protected tables for minutes: throughput at the end, memory over time: SECONDS= or TRANSACTIONS= THREADS= SCALE=
	@scripts/install-deps.sh server tools
	@$(MAKE) --no-print-directory -s build
	@exec bin/tunic bench mixed $(if $(SECONDS),--seconds=$(SECONDS))

bench-tde: ## Compare protected tables with MariaDB's encryption of files: WORKLOADS= THREADS= SECONDS= SCALE=
	@scripts/install-deps.sh server tools
	@$(MAKE) --no-print-directory -s build
	@exec bin/tunic bench tde $(if $(SECONDS),--seconds=$(SECONDS))

bench-tpcc: ## Compare under the transactions of TPC-C, and check its conditions: WAREHOUSES= SHARE= THREADS= SECONDS=
	@scripts/install-deps.sh server tools
	@$(MAKE) --no-print-directory -s build
	@exec bin/tunic bench tpcc $(if $(SECONDS),--seconds=$(SECONDS))

bench-ycsb: ## Compare under YCSB's workloads A to F, by go-ycsb: WORKLOADS=a,c THREADS= SECONDS= SCALE=
	@scripts/install-deps.sh server tools ycsb
	@$(MAKE) --no-print-directory -s build
	@exec bin/tunic bench ycsb $(if $(SECONDS),--seconds=$(SECONDS))

bench-tpch: ## Ask TPC-H's 22 questions of protected tables and of a plain server: ROWS= SCALE= THREADS= SECONDS= ROUNDS= ONLY=
	@scripts/install-deps.sh server
	@$(MAKE) --no-print-directory -s build
	@exec bin/tunic bench tpch $(if $(SECONDS),--seconds=$(SECONDS))

bench-ops: ## Ask one question of each kind over tables of several sizes, likewise: ROWS= SCALE= THREADS= SECONDS= ROUNDS= ONLY=
	@scripts/install-deps.sh server
	@$(MAKE) --no-print-directory -s build
	@exec bin/tunic bench ops $(if $(SECONDS),--seconds=$(SECONDS))

bench-all: ## Run each of the field's benchmarks once, in less than an hour on 2 cores
	@scripts/install-deps.sh server tools ycsb toolkit
	@scripts/install-proxies.sh
	@$(MAKE) --no-print-directory -s build
	@scripts/bench-all.sh

bench-queries: ## Compare single queries over protected tables with those of a plain server: SET=scan|tpch ROWS= SCALE= THREADS= SECONDS= ROUNDS= ONLY=
	@scripts/install-deps.sh server
	@$(MAKE) --no-print-directory -s build
	@exec bin/tunic bench queries $(if $(SECONDS),--seconds=$(SECONDS))

bench-values: ## Measure single values sealed and opened, and their tokens made, without a server: ROUNDS=
	@$(MAKE) --no-print-directory -s build
	@exec bin/tunic bench values

bench-layers: ## Measure transactions through two tunics while layers go up and down: ROWS= SCALE= THREADS= ROUNDS= SECONDS=
	@scripts/install-deps.sh server
	@$(MAKE) --no-print-directory -s build
	@exec bin/tunic bench layers $(if $(SECONDS),--seconds=$(SECONDS))

bench-encrypt: ## Measure clients of a table that is protected meanwhile, beside ALTER and pt-online-schema-change: ROWS= SCALE= RATES= THREADS=
	@scripts/install-deps.sh server toolkit
	@$(MAKE) --no-print-directory -s build
	@exec bin/tunic bench encrypt $(if $(SECONDS),--seconds=$(SECONDS))

lint: ## Run the linters, with the versions that tools/go.mod pins
	go tool -modfile=tools/go.mod golangci-lint run ./...

docs: ## Write the generated documents below docs/ anew
	go test $(DOCUMENTED) -run '^(TestDocument|TestSQLSupport)$$' -rewrite

mysql: ## Unpack a private MySQL server below .tunic/mysql
	@scripts/install-mysql.sh

clients: ## Install the client libraries that the tests run
	@scripts/install-clients.sh

deps: ## Install the programs that the other targets run
	@scripts/install-deps.sh

tidy: ## Format the sources and bring go.mod and go.sum up to date
	go tool -modfile=tools/go.mod gofumpt -w cmd internal
	go mod tidy -e
	go mod verify

clean: ## Remove what was built or left behind; downloads stay
	rm -rf bin bench/out .tunic/bin .tunic/run .tunic/templates .tunic/test .tunic/demo-* .tunic/*.log
