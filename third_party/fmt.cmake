# auditorium_fmt: {fmt}, compiled once into a static library. Debian has no static libfmt; its header-only form costs
# three seconds in every file that includes it. The instantiations are those of version 9; elsewhere it stays
# header-only.
find_package(fmt REQUIRED)
if(fmt_VERSION VERSION_GREATER_EQUAL 9 AND fmt_VERSION VERSION_LESS 10)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/third_party/fmt/fmt.cpp CONTENT [=[
#include <fmt/format-inl.h>
FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template FMT_API locale_ref::locale_ref(const std::locale&);
template FMT_API auto locale_ref::get<std::locale>() const -> std::locale;
template FMT_API auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
template FMT_API void buffer<char>::append(const char*, const char*);
template FMT_API void vformat_to(buffer<char>&, string_view, basic_format_args<buffer_context<char>>, locale_ref);
}  // namespace detail
FMT_END_NAMESPACE
]=] @ONLY)
  get_target_property(fmt_include fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  add_library(auditorium_fmt STATIC ${PROJECT_BINARY_DIR}/third_party/fmt/fmt.cpp)
  target_include_directories(auditorium_fmt SYSTEM PUBLIC ${fmt_include})
else()
  add_library(auditorium_fmt INTERFACE)
  target_link_libraries(auditorium_fmt INTERFACE fmt::fmt-header-only)
endif()
