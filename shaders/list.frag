// The texture is white; its alpha is how much of a pixel a letter covers. It is not interpolated: letters stand where a pixel's
// middle is a texel's (app/renderer/fonts.cpp), so that their pixels do not depend on their place in the texture.

NOPERSPECTIVE in vec2 v_texel;
NOPERSPECTIVE in vec4 v_color;

uniform sampler2D u_texture;

layout(location = 0) out vec4 out_color;

void main() {
    out_color = v_color * texture(u_texture, v_texel).a;
}
