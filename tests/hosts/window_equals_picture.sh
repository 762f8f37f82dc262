#!/bin/sh
# window_equals_picture.sh AUDITORIUM COMPARE RECORDINGS OUT: a screenshot of the window, with the pointer outside, and the picture
# that `render` draws of the same moment are equal, pixel for pixel: several kernels, both views, sizes and themes, ends of steps that
# are reached by keys and moments in the middle of one that are reached on the time line.
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

state() { cat "$work/state" 2>/dev/null | tr -d ' \n'; }
# The value of a key that has a number or a text.
value() { state | sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"; }

# Waits until the app stands still and its state holds $1.
settled() {
    for _ in $(seq 300); do
        if state | grep -q "\"moving\":false" && state | grep -q "$1"; then return 0; fi
        sleep 0.1
    done
    echo "the window did not come to rest with $1:"
    grep -E '"(step|time|beat|playing|moving|busy|theme|presenter|width|height)"' "$work/state"
    return 1
}

# Brings the window there: WIDTH HEIGHT THEME VIEW MOMENT
bring() {
    xdotool windowsize "$id" "$1" "$2"
    settled "\"height\":$2,.*\"width\":$1" || return 1
    if [ "$4" = presenter ]; then
        xdotool key p
        settled '"presenter":true' || return 1
    fi
    if [ "$(value theme)" != "$3" ]; then
        xdotool key t
        settled "\"theme\":\"$3\"" || return 1
    fi
    case $5 in
    step*)
        # Each press ends one step, from the first on: nothing happens in the arrival.
        for step in $(seq 1 "${5#step}"); do
            xdotool key Right
            settled "\"step\":$step,.*\"time\":[0-9.]*[1-9]" || return 1
        done
        ;;
    part*)
        # A press on the time line, at so many hundredths of its length.
        place=$(state | sed -n 's/.*"timeline":\[\([^]]*\)\].*/\1/p')
        xdotool mousemove $(echo "$place" | awk -F, -v part="${5#part}" '{ printf "%d %d", $1 + $3 * part / 100, $2 + 6 }') click 1
        settled '"time":[0-9.]*[1-9]' || return 1
        xdotool mousemove 1690 990
        sleep 0.5
        settled '"playing":false' || return 1
        ;;
    esac
}

failed=0
check() { # FILE SIZE THEME VIEW MOMENT
    file=$recordings/$1.audit name=window-$1-$2-$3-$4-$5
    rm -rf "$work/state" "$work/config"
    "$program" --state-file "$work/state" "$file" &
    window=$!
    settled '"step":0,.*"time":0.0' || { failed=1; return; }
    id=$(xdotool search --onlyvisible --name Auditorium | head -1)
    xdotool windowmove "$id" 0 0
    xdotool mousemove 1690 990
    xdotool windowfocus "$id"
    sleep 0.5
    if bring "${2%x*}" "${2#*x}" "$3" "$4" "$5"; then
        sleep 0.5
        at=$(value at)
        import -window root -crop "$2+0+0" +repage "PNG24:$out/$name.png"
    else
        failed=1
    fi
    kill $window; wait $window 2>/dev/null; window=
    [ -e "$out/$name.png" ] || return
    case $5 in step*) moment="--step ${5#step}" ;; *) moment="--at $at" ;; esac
    "$program" render "$file" $moment --size "$2" --theme "$3" --view "$4" -o "$out/$name.render.png" || { failed=1; return; }
    said=$("$compare" "$out/$name.png" "$out/$name.render.png" "$out/$name.difference.png")
    echo "$1 $2 $3 $4 $moment: $said"
    [ "${said#*pixels }" = "0 most 0" ] || failed=1
}
# The compare view: its first pair, as a race; N presses end N rows.
check_pair() { # STEP
    rm -rf "$work/state" "$work/config"
    "$program" --state-file "$work/state" "$recordings/contiguous_warp-max-float-256.audit" &
    window=$!
    settled '"step":0,.*"time":0.0' || { failed=1; return; }
    id=$(xdotool search --onlyvisible --name Auditorium | head -1)
    xdotool windowmove "$id" 0 0
    xdotool mousemove 1690 990
    xdotool windowfocus "$id"
    sleep 0.5
    xdotool key c
    for _ in $(seq 100); do grep -q '"mode": "race"' "$work/state" && break; sleep 0.1; done
    for step in $(seq 0 $(($1 - 1))); do
        xdotool key Right
        settled "\"step\":$step,.*\"time\":[0-9.]*[1-9]" || { failed=1; break; }
    done
    sleep 0.5
    size=$(xdotool getwindowgeometry "$id" | sed -n 's/.*Geometry: //p')
    import -window root -crop "$size+0+0" +repage "PNG24:$out/window-pair.png"
    kill $window; wait $window 2>/dev/null; window=
    "$program" render --compare interleaved_divergent contiguous_full --mode race --step "$1" --size "$size" \
        -o "$out/window-pair.render.png" || { failed=1; return; }
    said=$("$compare" "$out/window-pair.png" "$out/window-pair.render.png" "$out/window-pair.difference.png")
    echo "pair step $1 ($size): $said"
    [ "${said#*pixels }" = "0 most 0" ] || failed=1
}
rm -f "$out"/window-*
check contiguous_warp-max-float-256 1600x900 dark full step3
check interleaved_strided-max-float-256 1280x720 light full step4
check shuffle_first-max-float-1024 1600x900 light full step2
check contiguous_warp-max-float-256 1280x720 dark full part37
check contiguous_full-max-float-1024 1600x900 light full part52
check contiguous_warp-max-float-256 1600x900 light presenter part61
check interleaved_divergent-max-float-256 1280x720 dark presenter part18
check_pair 3
exit $failed
