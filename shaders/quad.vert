// One corner of a shape's quad, worked out by app/renderer/quads.cpp. Units: framebuffer pixels.
// The renderer puts a #version line, precision, NOPERSPECTIVE and one of SOLID, STROKE, BODY, OUTLINED before this text.

layout(location = 0) in vec2 in_at;     // on the framebuffer, y down
layout(location = 1) in vec2 in_p;      // in the shape's own frame: from its centre, along its axes
layout(location = 2) in vec4 in_shape;  // half size, corner radius, half width of the outline
layout(location = 3) in vec4 in_fill;   // straight alpha
layout(location = 4) in vec4 in_line;

uniform vec2 u_viewport;  // 2 / framebuffer size

NOPERSPECTIVE out vec2 v_p;
flat out vec4 v_shape;
flat out vec4 v_fill;  // premultiplied
#ifdef OUTLINED
flat out vec4 v_line;
#endif

void main() {
    v_p = in_p;
    v_shape = in_shape;
    v_fill = vec4(in_fill.rgb * in_fill.a, in_fill.a);
#ifdef OUTLINED
    v_line = vec4(in_line.rgb * in_line.a, in_line.a);
#endif
    gl_Position = vec4(in_at.x * u_viewport.x - 1.0, 1.0 - in_at.y * u_viewport.y, 0.0, 1.0);
}
