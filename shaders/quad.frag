// Boxes, discs and strokes, anti-aliased over one framebuffer pixel. Four programs, so that a fragment pays for no more than its
// shape has: SOLID, the inside of something opaque; STROKE, edges without round corners; BODY, round corners; OUTLINED, an outline too.

NOPERSPECTIVE in vec2 v_p;
flat in vec4 v_shape;
flat in vec4 v_fill;
#ifdef OUTLINED
flat in vec4 v_line;
#endif

layout(location = 0) out vec4 out_color;

void main() {
#if defined(SOLID)
    out_color = v_fill;
#elif defined(STROKE)
    vec2 inside = clamp(v_shape.xy + 0.5 - abs(v_p), 0.0, 1.0);
    out_color = v_fill * (inside.x * inside.y);
#else
    vec2 q = abs(v_p) - v_shape.xy + v_shape.z;
    float d = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - v_shape.z;
    float body = clamp(0.5 - d, 0.0, 1.0);
#ifdef OUTLINED
    vec4 line = v_line * clamp(0.5 + v_shape.w - abs(d), 0.0, 1.0);
    out_color = line + v_fill * (body * (1.0 - line.a));
#else
    out_color = v_fill * body;
#endif
#endif
}
