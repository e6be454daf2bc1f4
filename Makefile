# Copyright 2026 The Cluster API Provider IONOS Cloud Authors.
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

# Needs Go, make and git; the race detector needs a C compiler too. Everything else is built from hack/tools, from the
# versions that its go.mod files pin.

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:
# Steps build on each other; the Go command uses every CPU by itself.
.NOTPARALLEL:
MAKEFLAGS   += --no-builtin-rules --no-print-directory
.DEFAULT_GOAL := help

BIN   := $(CURDIR)/bin
OUT   := $(CURDIR)/out
TOOLS := hack/tools

# Packages and tests to run, as `go test` takes them: make test PKG=./internal/network/... TESTFLAGS='-run Plan'
PKG       ?= ./...
TESTFLAGS ?=
TIMEOUT   ?= 20m
# Time (30s) or number of inputs (1000000x) of each fuzz target, and which targets.
FUZZTIME ?= 30s
# How long an input that fuzzing keeps may be made smaller: with Go's 60s, whole objects leave no time for the search.
FUZZMINIMIZETIME ?= 10x
FUZZ     ?= .
# Which benchmarks, and how often each one runs (benchstat wants 10).
BENCH ?= .
COUNT ?= 1

GO_BUILD   := go build -trimpath -ldflags "-s -w"
# tool-build builds a program of a module below hack/tools: module folder, package.
tool-build  = go build -C $(TOOLS)$(addprefix /,$(1)) -trimpath -ldflags "-s -w" -o $@ $(2)

# A file that changes when a tool's version may have changed.
modfiles = $(addprefix $(TOOLS)$(addprefix /,$(1))/,go.mod go.sum)

CONTROLLER_GEN  := $(BIN)/controller-gen
CONVERSION_GEN  := $(BIN)/conversion-gen
KUSTOMIZE       := $(BIN)/kustomize
GOLANGCI_LINT   := $(BIN)/golangci-lint
KUBE_API_LINTER := $(BIN)/golangci-lint-kube-api-linter
CORE_MANAGER    := $(BIN)/cluster-api-core-manager
ENVTEST         := $(addprefix $(BIN)/envtest/,etcd kube-apiserver kubectl)

# Somebody else's kube-apiserver and etcd are welcome: then none are built.
ifdef KUBEBUILDER_ASSETS
ASSETS :=
else
KUBEBUILDER_ASSETS := $(BIN)/envtest
ASSETS := $(ENVTEST)
endif
export KUBEBUILDER_ASSETS
export CLUSTER_API_CORE_MANAGER := $(CORE_MANAGER)

# Every Go module of the repository, as folders.
MODULES = $(patsubst %/,%,$(dir $(shell git ls-files --cached --others --exclude-standard 'go.mod' '**/go.mod')))

# What `make generate` writes.
GENERATED := ':(glob)api/**/zz_generated.*.go' config/crd/bases config/rbac/role.yaml config/webhook/manifests.yaml

##@ General

.PHONY: help
help: ## Show this help.
	@awk 'BEGIN { FS = ":.*## "; print "Usage: make <target> [VARIABLE=value ...]" } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-zA-Z0-9_-]+:.*## / { printf "  %-25s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build the manager and the cloud simulator into bin/.
	$(GO_BUILD) -o $(BIN)/manager ./cmd/manager
	$(GO_BUILD) -o $(BIN)/ionoscloud-simulator ./cmd/ionoscloud-simulator

.PHONY: demo
demo: $(ASSETS) $(CORE_MANAGER) build ## Watch the provider work on a simulated cloud (KEEP=1 leaves it running).
	$(GO_BUILD) -o $(BIN)/demo ./hack/demo
	exec $(BIN)/demo --assets="$(KUBEBUILDER_ASSETS)" --core-manager="$(CORE_MANAGER)" --manager="$(BIN)/manager" \
		--cluster-api="$$(go list -m -f '{{.Dir}}' sigs.k8s.io/cluster-api)" --config="$(CURDIR)/config"

.PHONY: manifests
manifests: $(KUSTOMIZE) ## Render config/default, what is installed into a management cluster, into out/.
	@mkdir -p $(OUT)
	$(KUSTOMIZE) build config/default > $(OUT)/infrastructure-components.yaml
	echo "wrote out/infrastructure-components.yaml"

.PHONY: clean
clean: ## Remove what was built and written: bin/ and out/.
	rm -rf $(BIN) $(OUT)

##@ Generated files

.PHONY: generate
generate: generate-go generate-manifests ## Generate everything that is generated.

.PHONY: generate-go
generate-go: $(CONTROLLER_GEN) $(CONVERSION_GEN) ## Generate deep copies and conversions of the API types.
	$(CONTROLLER_GEN) object:headerFile=hack/boilerplate.go.txt paths=./api/...
	$(CONVERSION_GEN) --go-header-file=hack/boilerplate.go.txt --output-file=zz_generated.conversion.go ./api/v1alpha1

.PHONY: generate-manifests
generate-manifests: $(CONTROLLER_GEN) ## Generate CRDs, the manager's role and the webhook configurations from markers.
	$(CONTROLLER_GEN) crd:crdVersions=v1 paths=./api/... output:crd:artifacts:config=config/crd/bases
	$(CONTROLLER_GEN) rbac:roleName=manager-role,headerFile=hack/boilerplate.yaml.txt webhook:headerFile=hack/boilerplate.yaml.txt \
		paths=./internal/... paths=./cmd/... output:rbac:artifacts:config=config/rbac output:webhook:artifacts:config=config/webhook

.PHONY: verify
verify: generate verify-modules ## Fail when a generated file or a go.mod is not current.
	git diff --exit-code -- $(GENERATED) || { echo "generated files differ: run make generate and commit the result" >&2; exit 1; }
	untracked="$$(git ls-files --others --exclude-standard -- $(GENERATED))"
	if [[ -n "$$untracked" ]]; then
		printf 'generated files are not committed:\n%s\n' "$$untracked" >&2
		exit 1
	fi
	echo "generated files and modules are current"

.PHONY: verify-modules
verify-modules: ## Fail when go.mod or go.sum of any module is not tidy.
	@for module in $(MODULES); do
		echo "go mod tidy -diff in $$module"
		go -C "$$module" mod tidy -diff
	done

.PHONY: tidy
tidy: ## Tidy every module.
	@for module in $(MODULES); do
		echo "go mod tidy in $$module"
		go -C "$$module" mod tidy
	done

##@ Checks

.PHONY: test
test: $(ASSETS) $(CORE_MANAGER) ## Run all tests with the race detector, on a real API server (PKG, TESTFLAGS).
	go test -race -shuffle=on -timeout=$(TIMEOUT) $(TESTFLAGS) $(PKG)

.PHONY: test-conversion
test-conversion: ## Convert 100 000 random objects of each kind in each direction.
	go test ./api/v1alpha1 -run='^TestRoundTrip$$' -roundtrips=100000 -timeout=30m

.PHONY: fuzz
fuzz: $(ASSETS) ## Run every native fuzz target for FUZZTIME (30s, or 1000000x), those that match FUZZ.
	@while IFS=: read -r file target; do
		echo "$$target in $$(dirname "$$file"), $(FUZZTIME)"
		go test -run='^$$' -fuzz="^$$target\$$" -fuzztime=$(FUZZTIME) -fuzzminimizetime=$(FUZZMINIMIZETIME) "./$$(dirname "$$file")"
	done < <(git grep --untracked -oE '^func Fuzz[A-Za-z0-9_]+' -- '*_test.go' ':!sandbox' ':!hack/tools' | sed 's/func //' | grep -E -- '$(FUZZ)')

.PHONY: bench
bench: $(ASSETS) ## Run the benchmarks that match BENCH, COUNT times each.
	go test -run='^$$' -bench='$(BENCH)' -benchmem -count=$(COUNT) -timeout=$(TIMEOUT) \
		$$(git grep --untracked -lE '^func Benchmark' -- '*_test.go' ':!sandbox' ':!hack/tools' | xargs -r -n1 dirname | sort -u | sed 's|^|./|')

.PHONY: lint
lint: $(GOLANGCI_LINT) $(KUBE_API_LINTER) ## Run golangci-lint, and kube-api-linter on the v1alpha2 types.
	$(GOLANGCI_LINT) run
	$(KUBE_API_LINTER) run --config=.golangci-kal.yml ./api/v1alpha2/...

.PHONY: lint-fix
lint-fix: $(GOLANGCI_LINT) ## Let golangci-lint repair what it can.
	$(GOLANGCI_LINT) run --fix

##@ Tools, built from hack/tools into bin/

.PHONY: tools
tools: $(CONTROLLER_GEN) $(CONVERSION_GEN) $(KUSTOMIZE) $(GOLANGCI_LINT) $(KUBE_API_LINTER) $(CORE_MANAGER) $(ENVTEST) ## Build all of them.

.PHONY: envtest-assets
envtest-assets: $(ENVTEST) ## Build kube-apiserver, etcd and kubectl for tests, unless they are there.

.PHONY: cluster-api-core-manager
cluster-api-core-manager: $(CORE_MANAGER) ## Build Cluster API's core manager for the demo, unless it is there.

$(CONTROLLER_GEN): $(call modfiles,)
	$(call tool-build,,sigs.k8s.io/controller-tools/cmd/controller-gen)

$(CONVERSION_GEN): $(call modfiles,)
	$(call tool-build,,k8s.io/code-generator/cmd/conversion-gen)

$(KUSTOMIZE): $(call modfiles,)
	$(call tool-build,,sigs.k8s.io/kustomize/kustomize/v5)

$(GOLANGCI_LINT): $(call modfiles,golangci-lint)
	$(call tool-build,golangci-lint,github.com/golangci/golangci-lint/v2/cmd/golangci-lint)

$(KUBE_API_LINTER): $(call modfiles,kube-api-linter)
	$(call tool-build,kube-api-linter,sigs.k8s.io/kube-api-linter/cmd/golangci-lint-kube-api-linter)

# build-versioned builds a program that is told its version by the linker: module folder, package, the module that has
# the version, and the packages that keep it.
define build-versioned
	version="$$(go -C $(TOOLS)/$(1) list -m -f '{{.Version}}' $(3))"
	IFS=. read -r major minor _ <<< "$${version#v}"
	flags="-s -w"
	for package in $(4); do
		flags+=" -X $$package.gitVersion=$$version -X $$package.gitMajor=$$major -X $$package.gitMinor=$$minor"
	done
	echo "building $(notdir $@) $$version (minutes, the first time)"
	go build -C $(TOOLS)/$(1) -trimpath -ldflags "$$flags" -o $@ $(2)
endef

KUBERNETES_VERSION_PACKAGES := k8s.io/component-base/version k8s.io/client-go/pkg/version

$(BIN)/envtest/kube-apiserver: $(call modfiles,kubernetes)
	@$(call build-versioned,kubernetes,k8s.io/kubernetes/cmd/kube-apiserver,k8s.io/kubernetes,$(KUBERNETES_VERSION_PACKAGES))

$(BIN)/envtest/kubectl: $(call modfiles,kubernetes)
	@$(call build-versioned,kubernetes,k8s.io/kubernetes/cmd/kubectl,k8s.io/kubernetes,$(KUBERNETES_VERSION_PACKAGES))

$(BIN)/envtest/etcd: $(call modfiles,etcd)
	$(call tool-build,etcd,go.etcd.io/etcd/server/v3)

$(CORE_MANAGER): $(call modfiles,cluster-api)
	@$(call build-versioned,cluster-api,sigs.k8s.io/cluster-api/core,sigs.k8s.io/cluster-api,sigs.k8s.io/cluster-api/version)
