#include "app/scene/draw.h"

#include <array>
#include <vector>

namespace auditorium::scene {

void gather_alike(Layer& layer, std::size_t first) {
    constexpr std::size_t groups = 5;
    const auto group_of = [](const Shape& shape) -> std::size_t {
        const bool decorated = shape.hatch != 0 || (shape.dash > 0 && shape.gap > 0);
        switch (shape.kind) {
            case ShapeKind::ribbon:
                return decorated ? 1 : 0;
            case ShapeKind::polygon:
                return 3;
            default:
                return decorated ? 2 : 4;
        }
    };
    std::array<std::size_t, groups + 1> begin{};
    for (std::size_t i = first; i < layer.shapes.size(); ++i)
        ++begin[group_of(layer.shapes[i]) + 1];
    for (std::size_t g = 1; g <= groups; ++g)
        begin[g] += begin[g - 1];
    static thread_local std::vector<Shape> mixed;  // kept, so that a frame allocates nothing
    mixed.assign(layer.shapes.begin() + std::ptrdiff_t(first), layer.shapes.end());
    for (const Shape& shape : mixed)
        layer.shapes[first + begin[group_of(shape)]++] = shape;
}

}  // namespace auditorium::scene
