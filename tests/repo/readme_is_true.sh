#!/bin/sh
# readme_is_true.sh PROGRAM README: the README's table of commands names those of `auditorium --help`, no more and no
# fewer, in the same order, and says the exit statuses in the same words.
set -eu
program=$1 readme=$2 failed=0
named=$(sed -n '/^## Commands/,/^## [^C]/s/^| `\([a-z]*\)[ `].* |$/\1/p' "$readme" | tr '\n' ' ')
offered=$("$program" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | tr '\n' ' ')
if [ "$named" != "$offered" ]; then
    printf 'the README names:       %s\nauditorium --help has: %s\n' "$named" "$offered"
    failed=1
fi
flat() { tr -d '`' | tr -s '\n ' '  '; }
statuses=$("$program" --help | flat | grep -o 'Exit status: .*cannot be written\.')
if ! flat <"$readme" | grep -qF "$statuses"; then
    printf 'the README does not say: %s\n' "$statuses"
    failed=1
fi
exit $failed
