// One instance of a shape (app/scene/shape.h) becomes one quad, as tight around it as its outline and half a pixel allow; a ribbon
// becomes a strip of quads along its curve.
// The renderer puts a #version line, precision, and one of SHAPE_BOX, SHAPE_RIBBON, SHAPE_POLYGON before this text, and
// DECORATED where the shape has dashes or a hatch; so no fragment pays for what its shape does not have.
// Units: scene pixels, y down, until the last lines.

layout(location = 0) in uvec4 in_kind;    // kind, points, hatch, screen_width
layout(location = 1) in vec4 in_p01;      // p[0], p[1]
layout(location = 2) in vec4 in_p23;
layout(location = 3) in vec4 in_p45;
layout(location = 4) in vec3 in_size;     // radius, rotation, line_width
layout(location = 5) in vec3 in_dash;     // dash, gap, dash_phase
layout(location = 6) in uvec3 in_colors;  // fill, line, hatch_color

uniform vec4 u_transform;  // framebuffer pixels = scene * x + (y, z); w = the camera's zoom
uniform vec2 u_viewport;   // 2 / framebuffer size

NOPERSPECTIVE out vec2 v_p;               // fragment: in the shape's own frame, or the scene's for a ribbon and a polygon
flat out vec4 v_fill;       // premultiplied
#ifdef OUTLINE
flat out vec4 v_line;
#endif
flat out vec4 v_measure;    // x: half outline width, y: radius, z: framebuffer pixels per scene pixel, w: half size of a hatch line
#ifdef SHAPE_BOX
flat out vec2 v_half;
#endif
#ifdef SHAPE_RIBBON
flat out vec4 v_p01;
flat out vec2 v_p2;
NOPERSPECTIVE out float v_t;              // near enough to the curve's nearest point
#endif
#ifdef SHAPE_POLYGON
flat out vec4 v_p01;
flat out vec4 v_p23;
flat out vec4 v_p45;
flat out int v_points;
#endif
#ifdef DECORATED
flat out vec4 v_hatch;
flat out vec4 v_dash;       // dash, gap, phase, 1: the dashes cut the body and not the outline
#endif

const uint kind_round_box = 0u;
const uint kind_disc = 1u;
const uint kind_capsule = 2u;

vec4 premultiplied(uint color) {
    vec4 c = vec4(float(color & 255u), float((color >> 8) & 255u), float((color >> 16) & 255u), float(color >> 24)) / 255.0;
    return vec4(c.rgb * c.a, c.a);
}

// The quad's corner: (-1,-1), (1,-1), (-1,1), (1,1).
vec2 corner() {
    return vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
}

void main() {
    float px = 1.0 / u_transform.x;
    float unzoomed = in_kind.w != 0u ? 1.0 / u_transform.w : 1.0;
    float radius = in_size.x;
    float half_line = 0.5 * in_size.z * unzoomed;
    v_fill = premultiplied(in_colors.x);
    float pad = 0.5 * px;
#ifdef OUTLINE
    v_line = half_line > 0.0 ? premultiplied(in_colors.y) : vec4(0.0);
    if (v_line.a > 0.0) pad += half_line;
#endif

    vec2 at;
#ifdef SHAPE_BOX
    vec2 centre = in_p01.xy;
    vec2 size = in_p01.zw;
    vec2 axis = vec2(cos(in_size.y), sin(in_size.y));
    if (in_kind.x == kind_disc) {
        size = in_p01.zz;
        radius = size.x;
        axis = vec2(1.0, 0.0);
    } else if (in_kind.x == kind_capsule) {
        vec2 d = in_p01.zw - in_p01.xy;
        float len = length(d);
        radius *= unzoomed;
        centre = 0.5 * (in_p01.xy + in_p01.zw);
        size = vec2(0.5 * len + radius, radius);
        axis = len > 0.0 ? d / len : vec2(1.0, 0.0);
    }
    radius = min(radius, min(size.x, size.y));
    v_half = size;
    v_p = corner() * (size + pad);
    at = centre + vec2(axis.x * v_p.x - axis.y * v_p.y, axis.y * v_p.x + axis.x * v_p.y);
#endif
#ifdef SHAPE_RIBBON
    radius *= unzoomed;
    vec2 a = in_p01.xy, b = in_p01.zw, c = in_p23.xy;
    vec2 bend = a - 2.0 * b + c;
    // A strip of chords stays inside the curve by an eighth of its second derivative times the step's square, and a little more in a bend.
    float t = float(gl_VertexID >> 1) / RIBBON_SEGMENTS;
    vec2 tangent = mix(b - a, c - b, t);
    if (dot(tangent, tangent) < 1e-6) tangent = c - a;
    tangent = dot(tangent, tangent) > 0.0 ? normalize(tangent) : vec2(1.0, 0.0);
    float reach = 1.1 * (radius + pad) + length(bend) * 0.25 / (RIBBON_SEGMENTS * RIBBON_SEGMENTS);
    float side = float(gl_VertexID & 1) * 2.0 - 1.0;
    float past_end = t <= 0.0 ? -1.0 : t >= 1.0 ? 1.0 : 0.0;
    at = mix(mix(a, b, t), mix(b, c, t), t) + vec2(-tangent.y, tangent.x) * side * reach + tangent * past_end * (radius + pad);
    v_t = t;
    v_p = at;
    v_p01 = vec4(a, b);
    v_p2 = c;
#endif
#ifdef SHAPE_POLYGON
    vec2 p[6] = vec2[6](in_p01.xy, in_p01.zw, in_p23.xy, in_p23.zw, in_p45.xy, in_p45.zw);
    vec2 lo = p[0], hi = p[0];
    v_points = int(min(in_kind.y, 6u));
    for (int i = 1; i < 6; ++i) {
        if (i < v_points) {
            lo = min(lo, p[i]);
            hi = max(hi, p[i]);
        }
    }
    at = mix(lo - radius - pad, hi + radius + pad, 0.5 * corner() + 0.5);
    v_p = at;
    v_p01 = in_p01;
    v_p23 = in_p23;
    v_p45 = in_p45;
#endif
    v_measure = vec4(half_line, radius, u_transform.x, 0.0);
#ifdef DECORATED
    v_hatch = in_kind.z != 0u ? premultiplied(in_colors.z) : vec4(0.0);
    v_measure.w = in_kind.z == 2u ? 1.6 : 0.75;
    v_dash = vec4(in_dash * unzoomed, in_kind.x == kind_capsule ? 1.0 : 0.0);
#endif
    vec2 pixel = at * u_transform.x + u_transform.yz;
    gl_Position = vec4(pixel.x * u_viewport.x - 1.0, 1.0 - pixel.y * u_viewport.y, 0.0, 1.0);
}
