#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace minitensor {

/// The text in double quotes, with control characters, quotes and backslashes escaped, cut after `limit` bytes
/// (never inside a UTF-8 sequence): how error messages show input.
std::string quote(std::string_view text, std::size_t limit = 120);

/// A name that anybody may have made, for a message: as it is, or in quotes when it is long or contains what `quote`
/// escapes.
std::string shown(std::string_view name);

/// `items` with `separator` between them.
std::string join(const std::vector<std::string>& items, std::string_view separator);

/// The names, each in quotes, as messages list what there is: `"a", "b"`, or `none`.
std::string list_quoted(const std::vector<std::string>& names);

/// Whether `text` is well-formed UTF-8 (Unicode 15, table 3-7).
bool is_valid_utf8(std::string_view text) noexcept;

}  // namespace minitensor
