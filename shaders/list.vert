// What Dear ImGui's lists hold: text, and the plain triangles of panels. The renderer puts a #version line, precision and
// NOPERSPECTIVE before this text.

layout(location = 0) in vec2 in_at;     // units of Dear ImGui, y down
layout(location = 1) in vec2 in_texel;  // in parts of the texture
layout(location = 2) in vec4 in_color;  // straight alpha

uniform vec2 u_viewport;  // 2 / size of the window in those units

NOPERSPECTIVE out vec2 v_texel;
NOPERSPECTIVE out vec4 v_color;  // premultiplied

void main() {
    v_texel = in_texel;
    v_color = vec4(in_color.rgb * in_color.a, in_color.a);
    gl_Position = vec4(in_at.x * u_viewport.x - 1.0, 1.0 - in_at.y * u_viewport.y, 0.0, 1.0);
}
