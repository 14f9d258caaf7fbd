#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What tests ask getconf for: the shell's own tools lack it.
case $1 in
PAGESIZE) echo 4096 ;;
LONG_BIT) echo 64 ;;
_NPROCESSORS_ONLN) nproc ;;
*) exit 1 ;;
esac
