#!/bin/sh
# window_equals_picture.sh AUDITORIUM COMPARE RECORDINGS OUT: a screenshot of the window, with the pointer outside, and the picture
# that `render` draws of the same moment are equal, but for the last bit of at most 500 pixels. Several kernels and steps, reached by
# real keys.
set -u
program=$(realpath "$1") compare=$(realpath "$2") recordings=$(realpath "$3") out=$(realpath -m "$4")
for tool in Xvfb xdotool import; do
    command -v $tool >/dev/null || { echo "$tool is missing"; exit 77; }
done
work=$(mktemp -d)
cd "$work" || exit 1
mkdir -p "$out"
server= window=
finish() {
    [ -n "$window" ] && kill "$window" 2>/dev/null
    [ -n "$server" ] && kill "$server" 2>/dev/null
    wait
    rm -rf "$work"
}
trap finish EXIT
Xvfb -displayfd 3 -screen 0 1700x1000x24 -nolisten tcp -noreset 3>"$work/display" >/dev/null 2>&1 &
server=$!
for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
[ -s "$work/display" ] || { echo "Xvfb did not start"; exit 1; }
DISPLAY=:$(cat "$work/display")
export DISPLAY XDG_CONFIG_HOME="$work/config"

# Waits until the app stands still at step $1, at a time that begins with $2.
settled() {
    for _ in $(seq 300); do
        if cat "$work/state" 2>/dev/null | tr -d ' \n' | grep -q "\"step\":$1,.*\"time\":$2.*\"moving\":false"; then return 0; fi
        sleep 0.1
    done
    echo "the window did not come to rest at step $1:"
    grep -E '"(step|time|beat|playing|moving|busy)"' "$work/state"
    return 1
}

failed=0
check() { # FILE STEP THEME
    file=$recordings/$1.audit
    rm -rf "$work/state" "$work/config"
    "$program" --state-file "$work/state" "$file" &
    window=$!
    settled 0 0.0 || { failed=1; return; }
    id=$(xdotool search --onlyvisible --name Auditorium | head -1)
    xdotool windowmove "$id" 0 0
    xdotool mousemove 1690 990
    xdotool windowfocus "$id"
    sleep 0.5
    # Each press ends one step, from the first on: nothing happens in the arrival.
    for step in $(seq 1 "$2"); do
        xdotool key Right
        settled "$step" "[0-9.]*[1-9]" || break
    done
    [ "$3" = light ] && xdotool key t
    settled "$2" "" || { failed=1; kill $window; wait $window; window=; return; }
    sleep 0.5
    size=$(xdotool getwindowgeometry "$id" | sed -n 's/.*Geometry: //p')
    name=window-$1-$2-$3
    import -window root -crop "$size+0+0" +repage "PNG24:$out/$name.png"
    kill $window; wait $window 2>/dev/null; window=
    "$program" render "$file" --step "$2" --size "$size" --theme "$3" -o "$out/$name.render.png" || { failed=1; return; }
    said=$("$compare" "$out/$name.png" "$out/$name.render.png" "$out/$name.difference.png")
    echo "$1 step $2 $3 ($size): $said"
    # Where a glyph lies in the text's texture depends on what was shown before, and with it the rounding of a few pixels' last bit.
    pixels=${said#*pixels } pixels=${pixels% most*}
    [ "${said##*most }" -le 2 ] && [ "$pixels" -le 500 ] || failed=1
}
# The compare view: its first pair, as a race; N presses end N rows.
check_pair() { # STEP
    rm -rf "$work/state" "$work/config"
    "$program" --state-file "$work/state" "$recordings/contiguous_warp-max-float-256.audit" &
    window=$!
    settled 0 0.0 || { failed=1; return; }
    id=$(xdotool search --onlyvisible --name Auditorium | head -1)
    xdotool windowmove "$id" 0 0
    xdotool mousemove 1690 990
    xdotool windowfocus "$id"
    sleep 0.5
    xdotool key c
    for _ in $(seq 100); do grep -q '"mode": "race"' "$work/state" && break; sleep 0.1; done
    for step in $(seq 0 $(($1 - 1))); do
        xdotool key Right
        settled "$step" "[0-9.]*[1-9]" || { failed=1; break; }
    done
    sleep 0.5
    size=$(xdotool getwindowgeometry "$id" | sed -n 's/.*Geometry: //p')
    import -window root -crop "$size+0+0" +repage "PNG24:$out/window-pair.png"
    kill $window; wait $window 2>/dev/null; window=
    "$program" render --compare interleaved_divergent contiguous_full --mode race --step "$1" --size "$size" \
        -o "$out/window-pair.render.png" || { failed=1; return; }
    said=$("$compare" "$out/window-pair.png" "$out/window-pair.render.png" "$out/window-pair.difference.png")
    echo "pair step $1 ($size): $said"
    pixels=${said#*pixels } pixels=${pixels% most*}
    [ "${said##*most }" -le 2 ] && [ "$pixels" -le 500 ] || failed=1
}
check_pair 3
check contiguous_warp-max-float-256 3 dark
check interleaved_strided-max-float-256 4 light
check shuffle_first-max-float-1024 2 dark
exit $failed
