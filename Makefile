# SPDX-License-Identifier: GPL-2.0-only
# kbench: one Makefile; what is built stands in Build, bench/Build, util/Build and bench/benchmarks.h.
#
#   make                    kbench
#   make test               the tests that need only a compiler, make and a shell
#   make check              the house rules, other compilers, sanitizers, analysers
#   make check-vm           a kernel on machines with several NUMA nodes, in software emulation;
#                           VM=gap on that one, and with RUN='kbench env' this instead of the tests
#   make install            prefix=, DESTDIR=
#   make O=DIR ...          everything that is made goes to DIR
#   V=1 W=1 WERROR=1 SAN=address,undefined|thread STATIC=y|n CC= CROSS_COMPILE= CFLAGS= LDFLAGS=

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:

all:

ifeq ($(origin CC),default)
CC := $(CROSS_COMPILE)gcc
endif
prefix ?= /usr/local
bindir ?= $(prefix)/bin
mandir ?= $(prefix)/share/man
INSTALL ?= install

src := $(dir $(lastword $(MAKEFILE_LIST)))
out := $(if $(O),$(O:/=)/,)
ifeq ($(src),./)
src :=
endif

CFLAGS ?= -O2 -g
warnings := -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Wvla -Wformat=2 -Wundef -Wshadow -Wwrite-strings
ifeq ($(W),1)
warnings += -Wcast-qual -Wconversion -Wno-sign-conversion -Wdouble-promotion -Wnull-dereference
endif
ifeq ($(WERROR),1)
warnings += -Werror
endif

# A process forked from a static program costs two thirds of one forked from a dynamic program, and several
# benchmarks fork thousands. Where no static libc is installed the program is dynamic.
ifdef SAN
STATIC := n
# Not in CFLAGS: what is given there on the command line would take its place.
sanitize := -fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all
endif
STATIC ?= $(shell echo 'int main(void) { return 0; }' | $(CC) $(LDFLAGS) -static -x c - -o /dev/null -lm 2>/dev/null && echo y)
link := $(if $(filter y,$(STATIC)),-static,)

cppflags := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 -I$(src). -I$(src)util -I$(src)bench
cflags := -std=gnu11 -pthread -fno-strict-aliasing $(warnings) $(cppflags) $(CPPFLAGS) $(CFLAGS) $(sanitize)
ldflags := -pthread $(link) $(LDFLAGS)
libs := -lm

ifeq ($(V),1)
say = @:
run :=
else
say = @printf '  %-7s %s\n'
run := @
endif

# What to build: a list a folder, and one row a benchmark.
kbench-y :=
include $(src)util/Build
util-objects := $(addprefix util/,$(kbench-y))
kbench-y :=
include $(src)bench/Build
bench-objects := $(addprefix bench/,$(kbench-y))
benchmarks := $(shell sed -n 's/^BENCHMARK(\([a-z_]*\), *\([a-z0-9_]*\)).*/\1-\2/p' $(src)bench/benchmarks.h | tr _ -)
bench-objects += $(patsubst %,bench/%.o,$(benchmarks))
kbench-y :=
include $(src)Build
objects := $(addprefix $(out),$(kbench-y) $(bench-objects) $(util-objects))

program := $(out)kbench
unit-tests := $(patsubst $(src)%.c,$(out)%,$(wildcard $(src)tests/unit/*-test.c))
unit-objects := $(addprefix $(out),$(bench-objects) $(util-objects) tests/unit/test.o)

all: $(program)

# A change of compiler or flags rebuilds.
flags := $(CC) $(cflags) $(ldflags) $(benchmarks)
$(out).flags: FORCE
	@mkdir -p $(@D)
	@echo '$(flags)' | cmp -s - $@ || echo '$(flags)' > $@

$(program): $(objects)
	$(say) LINK $@
	$(run)$(CC) $(cflags) $(ldflags) -o $@ $(objects) $(libs)

$(out)%.o: $(src)%.c $(out).flags
	@mkdir -p $(@D)
	$(say) CC $@
	$(run)$(CC) $(cflags) -MMD -MP -c -o $@ $<

$(unit-tests): $(out)%-test: $(out)%-test.o $(unit-objects)
	$(say) LINK $@
	$(run)$(CC) $(cflags) $(ldflags) -o $@ $< $(unit-objects) $(libs)

unit-tests: $(unit-tests)

# The scripts of a folder, but for what they share.
scripts = $(filter-out %/lib.sh,$(sort $(wildcard $(src)tests/$(1)/*.sh)))
jobs = $(shell getconf _NPROCESSORS_ONLN)
tested := KBENCH='$(abspath $(program))' KBENCH_SOURCE='$(abspath $(src).)' KBENCH_CC='$(CC)' KBENCH_VM='$(abspath $(out)vm)'
run-tests = $(tested) JOBS=$(jobs) $(src)tests/run.sh

test: $(program) $(unit-tests)
	@$(run-tests) $(or $(TESTS),$(unit-tests) $(call scripts,shell))

check: $(program)
	@$(run-tests) $(or $(TESTS),$(call scripts,check))

# The kernel is kept in vm/.
check-vm: $(program)
ifdef RUN
	@$(tested) KBENCH_VM_RUN='$(RUN)' sh $(src)tests/vm/$(or $(VM),four-nodes).sh
else
	@$(run-tests) $(if $(VM),$(src)tests/vm/$(VM).sh,$(call scripts,vm))
endif

install: $(program)
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir)/man1
	$(INSTALL) $(program) $(DESTDIR)$(bindir)/kbench
	$(INSTALL) -m 644 $(src)Documentation/kbench.1 $(DESTDIR)$(mandir)/man1/kbench.1

clean:
	rm -f $(program) $(objects) $(objects:.o=.d) $(out).flags
	rm -f $(unit-tests) $(out)tests/unit/*.o $(out)tests/unit/*.d

-include $(objects:.o=.d) $(wildcard $(out)tests/unit/*.d)

FORCE:
.PHONY: all test check check-vm unit-tests install clean FORCE
.SECONDARY:
