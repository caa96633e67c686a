#include "fuzz/seeds.h"

#include "loader/elf_builder.h"
#include "loader/metadata_text.h"

namespace minitensor::test {

namespace {

// With something in every section that is read.
ByteVector wasm_plugin() {
  WasmBytes dylink;
  dylink.byte(1).sized(WasmBytes().leb(32).leb(4).leb(4).leb(0));
  dylink.byte(2).sized(WasmBytes().leb(1).name("libother.so"));
  dylink.byte(3).sized(WasmBytes().leb(2).name("plain").leb(1).name("per_thread").leb(0x100));
  const std::vector<WasmBytes> imports = {
      function_import("env", "malloc"),
      function_import("env", "_ZNSt3__26vectorIiNS_9allocatorIiEEE9push_backEOi"),
      function_import("wasi_snapshot_preview1", "fd_write"),
      table_import("__indirect_function_table"),
      memory_import("memory", 3),
      global_import("env", "__memory_base", false),
      global_import("env", "__table_base", false),
      global_import("GOT.mem", "state"),
      tag_import("__cpp_exception"),
  };
  WasmBuilder builder;
  builder.custom("dylink.0", dylink).imports(imports).exports({"create_plugin", "asyncify_start_unwind", "__em_js__f"});
  builder.elements({element_segment(global_get(1), {0, 1}),
                    WasmBytes().byte(5).byte(0x70).leb(2).raw("\xD0\x70\x0B\xD2").leb(1).byte(0x0B)});
  builder.section(12, WasmBytes().leb(2)).section(10, WasmBytes().leb(1).sized(WasmBytes().leb(0).byte(0x0B)));
  builder.data({data_segment(WasmBytes().append(global_get(0)).byte(0x41).leb(8).byte(0x6A), "the first"),
                WasmBytes().byte(1).name("passive")});
  return builder.metadata(MetadataText().section()).bytes();
}

ByteVector elf_plugin() {
  const std::string names("\0malloc\0create_plugin\0_ZSt9terminatev\0libc.so.6\0", 48);
  const std::string symbols = elf_symbol(0, 0, 0, 0) + elf_symbol(1, 1, 2, 0) + elf_symbol(8, 1, 2, 5) +
                              elf_symbol(22, 1, 2, 0) + elf_symbol(22, 2, 1, 0);
  const std::string versions("\0\0\2\0\1\0\0\0\0\0", 10);
  return build_elf(
      {{.name = ""},
       {.name = ".dynstr", .type = kStringTable, .content = names},
       {.name = ".dynsym", .type = kDynamicSymbolTable, .content = symbols, .link = 1},
       {.name = ".gnu.version", .type = kSymbolVersions, .content = versions, .link = 2},
       {.name = ".dynamic", .type = kDynamicSection, .content = elf_dynamic(1, 38) + elf_dynamic(0, 0), .link = 1},
       {.name = "minitensor.plugin", .content = MetadataText().section()},
       {.name = ".bss", .type = kNoBits, .offset = ~std::uint64_t{0}, .size = ~std::uint64_t{0}}},
      {.programs = {elf_loaded(5, 0, 64, 64), elf_loaded(6, 64, 32, 4096), elf_loaded(0, 0, 0, 0, 2)}});
}

ByteVector wasm_with_metadata(const MetadataText& metadata) {
  return WasmBuilder().dylink().exports({"create_plugin"}).metadata(metadata.section()).bytes();
}

}  // namespace

std::vector<std::pair<std::string, ByteVector>> seeds() {
  const WasmBytes huge = WasmBytes().leb(0xFFFFFFFFU).name("env").name("a").byte(0).leb(0);
  std::string deep = "_ZN1aI";
  for (int i = 0; i < 100; ++i) deep += "N1bI";
  return {
      {"wasm_plugin", wasm_plugin()},
      {"wasm_small", wasm_with_metadata({})},
      {"wasm_newer_abi", wasm_with_metadata(MetadataText().set("abi", "4294967295").set("new_key", "x"))},
      {"wasm_newer_form", wasm_with_metadata(MetadataText().set("abi", "2").remove("ops"))},
      {"wasm_component", bytes_of(std::string_view("\0asm\x0d\0\1\0", 8))},
      {"wasm_huge_count", WasmBuilder().section(2, huge).bytes()},
      {"wasm_huge_memory", WasmBuilder().dylink(0xFFFFFFFF, 16, 0xFFFFFFFF).metadata(MetadataText().section()).bytes()},
      {"elf_plugin", elf_plugin()},
      {"elf_of_another_processor", build_elf({}, {.machine = 8})},
      {"metadata", bytes_of(MetadataText().section())},
      {"metadata_bad", bytes_of(MetadataText().set("description", "\x1B[31m").section())},
      {"name", bytes_of("_ZNSt3__212basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE9push_backB8ne210108Ec")},
      {"name_local", bytes_of("_ZGVZN3foo3barILi3EXadL_Z3bazvEEEEvvE1x")},
      {"name_deep", bytes_of(deep)},
      {"html", bytes_of("<!doctype html>\n<title>Not found</title>")},
      {"gzip", bytes_of("\x1F\x8B\x08")},
  };
}

}  // namespace minitensor::test
