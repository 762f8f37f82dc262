# auditorium_embed(<target> <symbol> <file>): puts the bytes of <file> into <target>, followed by a zero byte.
# C++ sees  extern "C" const unsigned char <symbol>[], <symbol>_end[];  the file is read by the assembler, so that megabytes cost no build time.
function(auditorium_embed target symbol file)
  get_filename_component(file "${file}" ABSOLUTE)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/embedded/${symbol}.cpp")
  string(CONFIGURE [=[
// Bytes of a file, put in by the assembler.
asm(".section .rodata\n"
    ".balign 16\n"
    ".global @symbol@\n"
    "@symbol@:\n"
    ".incbin \"@file@\"\n"
    ".global @symbol@_end\n"
    "@symbol@_end:\n"
    ".byte 0\n"
    ".text\n");
]=] text @ONLY)
  file(CONFIGURE OUTPUT "${out}" CONTENT "${text}" @ONLY)
  set_property(SOURCE "${out}" APPEND PROPERTY OBJECT_DEPENDS "${file}")
  target_sources(${target} PRIVATE "${out}")
endfunction()
