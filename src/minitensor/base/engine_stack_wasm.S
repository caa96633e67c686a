# What engine_stack.h declares. An engine looks at the end of its stack where a function begins, and then for as much as
# the whole function may need. So a function whose branch never taken holds 1,000 vectors at once, across calls that keep
# the engine from computing them later, costs nothing but 16,000 bytes that must be free. This cannot be said in C++:
# a compiler knows other ways to compute a sum.

	.functype mt_engine_frames (i32) -> (v128)

	.section .text.mt_engine_frames,"",@
	.hidden mt_engine_frames
	.globl mt_engine_frames
	.type mt_engine_frames,@function
mt_engine_frames:
	.functype mt_engine_frames (i32) -> (v128)
	local.get 0
	i32.const 0
	i32.lt_s
	if v128
	.rept 1000
	local.get 0
	call mt_engine_frames
	.endr
	.rept 999
	v128.xor
	.endr
	else
	local.get 0
	if v128
	local.get 0
	i32.const 1
	i32.sub
	call mt_engine_frames
	else
	v128.const 0, 0
	end_if
	end_if
	end_function

	.section .text.mt_require_engine_stack,"",@
	.globl mt_require_engine_stack
	.type mt_require_engine_stack,@function
mt_require_engine_stack:
	.functype mt_require_engine_stack () -> ()
	i32.const 4
	call mt_engine_frames
	drop
	end_function
