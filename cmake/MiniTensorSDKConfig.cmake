# find_package(MiniTensorSDK) gives an author of plugins
#   minitensor::sdk              the include directory: "minitensor/sdk/plugin_api.h" and "minitensor/sdk/plugin.hpp"
#   minitensor_add_plugin(...)   see MiniTensorAddPlugin.cmake
# The SDK can be moved: everything is found from the place of this file. When cross-compiling, say where that is by
# -DMiniTensorSDK_DIR=<this folder>; Emscripten's toolchain file does not let CMake search outside its own sysroot.
cmake_minimum_required(VERSION 3.25)

include("${CMAKE_CURRENT_LIST_DIR}/MiniTensorToolchain.cmake")
_minitensor_check_toolchain(minitensor_problem)
if(minitensor_problem)
  set(MiniTensorSDK_FOUND FALSE)
  set(MiniTensorSDK_NOT_FOUND_MESSAGE "${minitensor_problem}")
  unset(minitensor_problem)
  return()
endif()

if(NOT TARGET minitensor::sdk)
  cmake_path(SET minitensor_sdk_prefix NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../..")
  add_library(minitensor::sdk INTERFACE IMPORTED)
  target_include_directories(minitensor::sdk INTERFACE "${minitensor_sdk_prefix}/include")
  unset(minitensor_sdk_prefix)
endif()

_minitensor_find_simd_options(MiniTensorSDK_SIMD_OPTIONS)
_minitensor_find_ipo(MiniTensorSDK_IPO)
if(NOT DEFINED MiniTensorSDK_CHECK)
  _minitensor_find_check(MiniTensorSDK_CHECK)
endif()

include("${CMAKE_CURRENT_LIST_DIR}/MiniTensorAddPlugin.cmake")
