# find_package(MiniTensor) gives minitensor::core, the engine for C++ programs. Plugins need MiniTensorSDK instead.
include("${CMAKE_CURRENT_LIST_DIR}/MiniTensorTargets.cmake")
