#pragma once

/// In WebAssembly, ends in an exception of the engine (a RangeError) unless some 80 KB of the stack are free on which
/// the engine runs compiled code and JavaScript. So it comes before the core is entered, and not halfway, with its
/// structures half changed. The core needs less than half; V8 throws when it has to compile a callback with less than
/// 40 KB left.
extern "C" void mt_require_engine_stack();
