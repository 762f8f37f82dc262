# cmake -DOUT=FILE -DFILES=a.cuh;b.cuh -P embed.cmake: the kernel files as string literals, byte for byte.
set(text "// Made from kernels/*.cuh by kernels/embed.cmake.\n#include \"kernels/texts.h\"\n\nnamespace auditorium::kernels::texts {\n")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} body)
  string(APPEND text "const std::string_view ${name} = R\"kernel(${body})kernel\";\n")
endforeach()
string(APPEND text "}  // namespace auditorium::kernels::texts\n")
file(WRITE ${OUT} "${text}")
