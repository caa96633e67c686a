# Compile options of the project's own C++ targets. Not installed: they are no business of those who link minitensor.
add_library(minitensor_options INTERFACE)
target_compile_features(minitensor_options INTERFACE cxx_std_20 c_std_11)
target_compile_options(minitensor_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
# GCC 12 sees an overlap in its own std::string when it optimises (its bug 105651).
target_compile_options(minitensor_options INTERFACE "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-restrict>")
if(EMSCRIPTEN)
  # WebAssembly's own exceptions: small, fast, and no JavaScript in the throwing path.
  target_compile_options(minitensor_options INTERFACE -fwasm-exceptions)
  target_link_options(minitensor_options INTERFACE -fwasm-exceptions)
  # A published build is downloaded: only kernels are worth more bytes (minitensor_optimize_for_speed).
  target_compile_options(minitensor_options INTERFACE "$<$<CONFIG:Release>:-Oz>")
  # Nothing asks an object for its class, and the names of all classes are 3 KB, gzipped.
  target_compile_options(minitensor_options INTERFACE "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-fno-rtti>")
  # 6 % smaller, gzipped. Each function keeps the options that its file was compiled with.
  target_compile_options(minitensor_options INTERFACE "$<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<CONFIG:Release>>:-flto>")
  target_link_options(minitensor_options INTERFACE "$<$<CONFIG:Release>:-flto>")
endif()

# Compiles the given sources of the current target for speed, where others are compiled for size.
function(minitensor_optimize_for_speed)
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS
    "$<$<CONFIG:Release>:-O3>"
    # Nothing reads errno or the exception flags; loops that may set them would stay scalar.
    -fno-math-errno
    -fno-trapping-math
    # A product and a sum are rounded one by one, so that all machines compute the same bits.
    -ffp-contract=off
  )
  if(EMSCRIPTEN)
    # Every Node from 20 on and every current browser has it.
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -msimd128)
  endif()
endfunction()
