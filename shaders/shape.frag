// Signed-distance shapes, anti-aliased over one framebuffer pixel. Since the camera only moves and scales, a pixel's size in
// scene pixels is known (v_measure.z) and needs no derivative; for every distance below it is what fwidth would estimate.

NOPERSPECTIVE in vec2 v_p;
flat in vec4 v_fill;
#ifdef OUTLINE
flat in vec4 v_line;
#endif
flat in vec4 v_measure;
#ifdef SHAPE_BOX
flat in vec2 v_half;
#endif
#ifdef SHAPE_RIBBON
flat in vec4 v_p01;
flat in vec2 v_p2;
NOPERSPECTIVE in float v_t;
#endif
#ifdef SHAPE_POLYGON
flat in vec4 v_p01;
flat in vec4 v_p23;
flat in vec4 v_p45;
flat in int v_points;
#endif
#ifdef DECORATED
flat in vec4 v_hatch;
flat in vec4 v_dash;
#endif

layout(location = 0) out vec4 out_color;

// How much of a pixel lies inside, for a distance in scene pixels (negative inside).
float coverage(float distance_) {
    return clamp(0.5 - distance_ * v_measure.z, 0.0, 1.0);
}

#ifdef SHAPE_BOX
float shape_distance() {
    vec2 q = abs(v_p) - v_half + v_measure.y;
    return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - v_measure.y;
}
#ifdef DECORATED
// Angle of a direction in the first quadrant, to 0.004 radians.
float quick_angle(vec2 v) {
    float z = min(v.x, v.y) / max(max(v.x, v.y), 1e-6);
    float a = z * (0.78539816 + 0.273 * (1.0 - z));
    return v.y > v.x ? 1.57079633 - a : a;
}
// Place along the outline, from the middle of the right side, clockwise; y: the whole length.
vec2 along_outline() {
    vec2 straight = v_half - v_measure.y;
    vec2 q = abs(v_p);
    vec2 w = q - straight;
    float bend = 1.57079633 * v_measure.y;
    float quarter = straight.y + bend + straight.x;
    float s;
    if (w.x > 0.0 && w.y > 0.0) {
        s = straight.y + quick_angle(w) * v_measure.y;
    } else if (q.x - v_half.x > q.y - v_half.y) {
        s = q.y;
    } else {
        s = straight.y + bend + straight.x - q.x;
    }
    if (v_p.x < 0.0) s = 2.0 * quarter - s;
    if (v_p.y < 0.0) s = 4.0 * quarter - s;
    return vec2(s, 4.0 * quarter);
}
#endif
#endif

#ifdef SHAPE_RIBBON
float ribbon_t;
// Distance to a quadratic Bezier: Newton's method on the distance's slope, from the place along the strip.
float shape_distance() {
    vec2 A = v_p01.xy, b = A - 2.0 * v_p01.zw + v_p2, c = 2.0 * (v_p01.zw - A), d = A - v_p;
    ribbon_t = v_t;
    for (int i = 0; i < 2; ++i) {
        vec2 at = d + (c + b * ribbon_t) * ribbon_t, slope = c + 2.0 * b * ribbon_t;
        float curvature = dot(slope, slope) + 2.0 * dot(at, b);
        ribbon_t = clamp(ribbon_t - dot(at, slope) / max(curvature, 0.25 * dot(slope, slope) + 1e-6), 0.0, 1.0);
    }
    return length(d + (c + b * ribbon_t) * ribbon_t) - v_measure.y;
}
#ifdef DECORATED
float speed(float t) {
    return length((v_p01.zw - v_p01.xy) + (v_p01.xy - 2.0 * v_p01.zw + v_p2) * t) * 2.0;
}
// Length of the curve from its start to t, by Gauss and Legendre's rule of five points.
float length_to(float t) {
    float h = 0.5 * t;
    return h * (0.5688889 * speed(h) + 0.4786287 * (speed(h * 0.4615307) + speed(h * 1.5384693)) +
                0.2369269 * (speed(h * 0.0938202) + speed(h * 1.9061798)));
}
#endif
#endif

#ifdef SHAPE_POLYGON
float polygon_s, polygon_length;
// Distance to a closed polygon, and the place of the nearest point along it.
float shape_distance() {
    vec2 p[6] = vec2[6](v_p01.xy, v_p01.zw, v_p23.xy, v_p23.zw, v_p45.xy, v_p45.zw);
    vec2 last = p[0];
    for (int i = 1; i < 6; ++i) {
        if (i < v_points) last = p[i];
    }
    float least = 1e20;
    float inside = 1.0;
    float walked = 0.0;
    polygon_s = 0.0;
    for (int i = 0; i < 6; ++i) {
        if (i < v_points) {
            vec2 e = p[i] - last, w = v_p - last;
            float ee = max(dot(e, e), 1e-12);
            float k = clamp(dot(w, e) / ee, 0.0, 1.0);
            vec2 r = w - e * k;
            float rr = dot(r, r);
#ifdef DECORATED
            if (rr < least) polygon_s = walked + k * sqrt(ee);
            walked += sqrt(ee);
#endif
            least = min(least, rr);
            bvec3 side = bvec3(v_p.y >= last.y, v_p.y < p[i].y, e.x * w.y > e.y * w.x);
            if (all(side) || all(not(side))) inside = -inside;
            last = p[i];
        }
    }
    polygon_length = walked;
    return inside * sqrt(least) - v_measure.y;
}
#endif

#ifdef DECORATED
// Coverage of the dash pattern at place s (x) along a line of length y. On a closed line the pattern is stretched a little, so that it closes.
float dashes(vec2 s, bool closed) {
    if (v_dash.x <= 0.0 || v_dash.y <= 0.0) return 1.0;
    float period = v_dash.x + v_dash.y;
    float stretch = 1.0;
    if (closed) {
        float n = max(1.0, floor(s.y / period + 0.5));
        stretch = s.y / (n * period);
    }
    period *= stretch;
    float dash = v_dash.x * stretch;
    float x = abs(mod(s.x + v_dash.z - 0.5 * dash + 0.5 * period, period) - 0.5 * period) - 0.5 * dash;
    return coverage(x);
}
#endif

void main() {
    float d = shape_distance();
    float body = coverage(d);
#ifdef OUTLINE
    float outline = coverage(abs(d) - v_measure.x);
#endif
    vec4 fill = v_fill;
#ifdef DECORATED
#ifdef SHAPE_BOX
    vec2 from_centre = v_p;
    if (v_dash.w > 0.0) {
        body *= dashes(vec2(v_p.x + v_half.x - v_measure.y, 0.0), false);
    } else {
        outline *= dashes(along_outline(), true);
    }
#endif
#ifdef SHAPE_RIBBON
    vec2 from_centre = v_p - v_p01.xy;
    float cut = dashes(vec2(length_to(ribbon_t), 0.0), false);
    body *= cut;
    outline *= cut;
#endif
#ifdef SHAPE_POLYGON
    vec2 from_centre = v_p - v_p01.xy;
    outline *= dashes(vec2(polygon_s, polygon_length), true);
#endif
    // 45-degree hatch, pitch 5.
    float h = (from_centre.x + from_centre.y) * 0.70710678;
    float stripe = v_hatch.a > 0.0 ? coverage(abs(mod(h, 5.0) - 2.5) - v_measure.w) : 0.0;
    fill = v_hatch * stripe + fill * (1.0 - v_hatch.a * stripe);
#endif
#ifdef OUTLINE
    vec4 line = v_line * outline;
    out_color = line + fill * body * (1.0 - line.a);
#else
    out_color = fill * body;
#endif
}
