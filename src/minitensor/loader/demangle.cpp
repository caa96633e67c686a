#include "minitensor/loader/demangle.h"

#include <algorithm>
#include <array>
#include <utility>

namespace minitensor {

namespace {

using Text = std::string_view;
using Pair = std::pair<Text, Text>;

constexpr std::array kSpecial = {
    Pair{"TV", "vtable for "}, Pair{"TI", "typeinfo for "},       Pair{"TS", "typeinfo name for "},
    Pair{"TT", "VTT for "},    Pair{"GV", "guard variable for "},
};

constexpr std::array kStandard = {
    Pair{"St", "std"},           Pair{"Sa", "std::allocator"}, Pair{"Sb", "std::basic_string"},
    Pair{"Ss", "std::string"},   Pair{"Si", "std::istream"},   Pair{"So", "std::ostream"},
    Pair{"Sd", "std::iostream"},
};

constexpr std::array kOperators = {
    Pair{"nw", " new"}, Pair{"na", " new[]"}, Pair{"dl", " delete"}, Pair{"da", " delete[]"}, Pair{"pl", "+"},
    Pair{"mi", "-"},    Pair{"ml", "*"},      Pair{"dv", "/"},       Pair{"rm", "%"},         Pair{"eq", "=="},
    Pair{"ne", "!="},   Pair{"lt", "<"},      Pair{"gt", ">"},       Pair{"le", "<="},        Pair{"ge", ">="},
    Pair{"ss", "<=>"},  Pair{"ls", "<<"},     Pair{"rs", ">>"},      Pair{"aS", "="},         Pair{"pL", "+="},
    Pair{"mI", "-="},   Pair{"cl", "()"},     Pair{"ix", "[]"},      Pair{"pt", "->"},        Pair{"de", "*"},
    Pair{"pp", "++"},   Pair{"mm", "--"},     Pair{"nt", "!"},       Pair{"ad", "&"},         Pair{"aN", "&="},
    Pair{"oR", "|="},   Pair{"an", "&"},      Pair{"or", "|"},       Pair{"eo", "^"},         Pair{"co", "~"},
};

constexpr std::array kTypes = {
    Pair{"v", "void"},         Pair{"b", "bool"},   Pair{"c", "char"},          Pair{"i", "int"},
    Pair{"j", "unsigned int"}, Pair{"l", "long"},   Pair{"m", "unsigned long"}, Pair{"x", "long long"},
    Pair{"f", "float"},        Pair{"d", "double"},
};

constexpr unsigned kMaxDepth = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Demangler {
 public:
  explicit Demangler(Text symbol) : rest_(symbol) {}

  std::string read() {
    if (!take("_Z")) return {};
    std::string result(look_up(kSpecial));
    if (result.empty()) {
      result = read_name();
      if (!rest_.empty() && rest_[0] != '.') result += rest_ == "v" ? "()" : "(…)";
    } else {
      const Text type = look_up(kTypes);
      result += type.empty() ? read_name() : std::string(type);
    }
    return failed_ ? std::string() : result;
  }

 private:
  char next() const { return rest_.empty() ? '\0' : rest_[0]; }

  bool take(Text prefix) {
    if (!rest_.starts_with(prefix)) return false;
    rest_.remove_prefix(prefix.size());
    return true;
  }

  void fail() {
    failed_ = true;
    rest_ = {};
  }

  void skip(std::size_t count) {
    if (failed_ || count > rest_.size()) return fail();
    rest_.remove_prefix(count);
  }

  template <std::size_t size>
  Text look_up(const std::array<Pair, size>& table) {
    for (const auto& [code, text] : table) {
      if (take(code)) return text;
    }
    return {};
  }

  // A length and that many characters.
  Text read_source_name() {
    std::size_t length = 0;
    while (is_digit(next()) && length <= rest_.size()) {
      length = length * 10 + static_cast<std::size_t>(next() - '0');
      skip(1);
    }
    if (length == 0 || length > rest_.size()) {
      fail();
      return {};
    }
    const Text name = rest_.substr(0, length);
    skip(length);
    return name.starts_with("_GLOBAL__N") ? "(anonymous namespace)" : name;
  }

  // One part of a name; `scope`: what it is in, the name of which constructors and destructors repeat.
  std::string read_part(Text scope) {
    take("L");
    if (is_digit(next())) return std::string(read_source_name());
    if (next() == 'C' || next() == 'D') {
      const std::string prefix = next() == 'D' ? "~" : "";
      skip(1);
      if (!is_digit(next()) || scope.empty()) fail();
      skip(1);
      return prefix + std::string(scope);
    }
    const Text name = look_up(kOperators);
    if (name.empty()) fail();
    return "operator" + std::string(name);
  }

  // What may follow a part: tags of the library's version, and the arguments of a template.
  void read_suffixes(std::string& name) {
    while (take("B")) read_source_name();
    if (!take("I")) return;
    skip_list();
    name += "<…>";
  }

  std::string read_name() {
    if (take("N")) return read_nested_name();
    if (take("Z")) return read_local_name();
    std::string name(look_up(kStandard));
    if (name == "std") {
      name += "::" + read_part({});
    } else if (name.empty()) {
      name = read_part({});
    }
    read_suffixes(name);
    return name;
  }

  std::string read_nested_name() {
    while (take("r") || take("V") || take("K")) continue;
    if (!take("R")) take("O");
    std::string name(look_up(kStandard));
    std::string scope = name.substr(name.rfind(':') + 1);
    if (!name.empty()) read_suffixes(name);
    while (!failed_ && !take("E")) {
      if (!name.empty()) name += "::";
      scope = read_part(scope);
      name += scope;
      read_suffixes(name);
    }
    return name;
  }

  // Something inside a function.
  std::string read_local_name() {
    if (++depth_ > kMaxDepth) fail();
    std::string function = read_name();
    function += next() == 'v' ? "()::" : "(…)::";
    skip_list();
    if (take("s")) return function + "string literal";
    std::string name = function + read_name();
    --depth_;
    // Which of several of that name.
    if (take("_")) rest_ = {};
    return name;
  }

  // Types and other arguments, to the E that ends them.
  void skip_list() {
    if (++depth_ > kMaxDepth) fail();
    while (!failed_ && !take("E")) skip_argument();
    --depth_;
  }

  void skip_argument() {
    const char c = next();
    if (is_digit(c)) {
      read_source_name();
      return;
    }
    skip(1);
    switch (c) {
      case 'I':  // arguments of a template
      case 'J':  // a pack of them
      case 'N':  // a nested name
      case 'F':  // a function type
        return skip_list();
      case 'S':
        return skip_substitution();
      case 'T':  // a parameter of a template
      case 'A':  // an array
        return skip_number_to_underscore();
      case 'L':
        return skip_literal();
      case 'D':
        if (next() == 't' || next() == 'T') return fail();  // decltype
        return skip(1);
      case 'M':
      case 'P':
      case 'R':
      case 'O':
      case 'K':
      case 'V':
      case 'C':
      case 'G':
      case 'B':
        return;  // before a type or a name
      default:
        if (c < 'a' || c > 'z') fail();  // else a built-in type
    }
  }

  void skip_substitution() {
    if (Text("tabsiod").find(next()) != Text::npos) return skip(1);
    while (is_digit(next()) || (next() >= 'A' && next() <= 'Z')) skip(1);
    if (!take("_")) fail();
  }

  void skip_number_to_underscore() {
    while (is_digit(next())) skip(1);
    if (!take("_")) fail();
  }

  // A type and a value, or a name.
  void skip_literal() {
    if (take("_Z")) return skip_list();
    skip_argument();
    const std::size_t end = rest_.find('E');
    if (end == Text::npos) return fail();
    skip(end + 1);
  }

  Text rest_;
  bool failed_ = false;
  unsigned depth_ = 0;
};

}  // namespace

std::string demangle(std::string_view symbol) { return Demangler(symbol).read(); }

}  // namespace minitensor
