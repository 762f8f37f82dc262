#include "simt/lexer.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <string>

namespace auditorium::simt {
namespace {

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

// Longest first, so that the first one that fits is the right one. `>>` and `>>=` are kept whole; the parser
// splits them where a template argument list ends.
constexpr std::array<std::string_view, 49> punctuators = {
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=",
    "/=",  "%=",  "&=",  "|=", "^=", "::", "(",  ")",  "{",  "}",  "[",  "]",  ";",  ",",  "<",  ">",  "+",
    "-",   "*",   "/",   "%",  "&",  "|",  "^",  "!",  "~",  "=",  "?",  ":",  ".",  "#",  "@"};

class Lexer {
  public:
    explicit Lexer(std::string_view source) : source_(source) {}

    Parsed<std::vector<Token>> run() {
        if (source_.size() > max_source_bytes)
            return error(
                fmt::format("The text has {} bytes; at most {} are read.", source_.size(), max_source_bytes));
        std::vector<Token> tokens;
        tokens.reserve(source_.size() / 4 + 8);
        while (true) {
            const std::size_t before = at_;
            if (!skip_blank())
                return tl::unexpected(error_);
            Token token;
            token.joined = at_ == before && at_ != 0;
            token.range = here();
            if (at_ == source_.size()) {
                tokens.push_back(token);
                return tokens;
            }
            if (line_ > max_source_lines)
                return error(fmt::format("The text has more than {} lines.", max_source_lines));
            const char c = source_[at_];
            bool good = true;
            if (is_letter(c))
                name(token);
            else if (is_digit(c) || (c == '.' && at_ + 1 < source_.size() && is_digit(source_[at_ + 1])))
                good = number(token);
            else
                good = punctuator(token);
            if (!good)
                return tl::unexpected(error_);
            token.range.end = static_cast<std::uint32_t>(at_);
            token.text = source_.substr(token.range.begin, token.range.end - token.range.begin);
            tokens.push_back(token);
        }
    }

  private:
    Range here() const {
        const auto at = static_cast<std::uint32_t>(at_);
        return Range{at, at, line_, static_cast<std::uint32_t>(at_ - line_begin_ + 1)};
    }

    tl::unexpected<SourceError> error(std::string sentence) {
        error_ = SourceError{here(), std::move(sentence)};
        return tl::unexpected(error_);
    }
    bool bad(std::string sentence) {
        error(std::move(sentence));
        return false;
    }

    void advance() {
        if (source_[at_] == '\n') {
            ++line_;
            line_begin_ = at_ + 1;
        }
        ++at_;
    }

    bool starts_with(std::string_view text) const { return source_.substr(at_, text.size()) == text; }

    // Is everything before at_ on its line white space?
    bool first_on_line() const {
        for (std::size_t i = line_begin_; i < at_; ++i)
            if (!is_space(source_[i]))
                return false;
        return true;
    }

    bool skip_blank() {
        while (at_ < source_.size()) {
            if (is_space(source_[at_])) {
                advance();
            } else if (starts_with("//")) {
                while (at_ < source_.size() && source_[at_] != '\n')
                    ++at_;
            } else if (starts_with("/*")) {
                const Range begin = here();
                at_ += 2;
                while (at_ < source_.size() && !starts_with("*/"))
                    advance();
                if (at_ == source_.size()) {
                    error_ = SourceError{begin, "This comment is not closed with */."};
                    return false;
                }
                at_ += 2;
            } else if (source_[at_] == '#' && first_on_line()) {
                const Range begin = here();
                std::size_t end = at_;
                while (end < source_.size() && source_[end] != '\n')
                    ++end;
                std::string_view line = source_.substr(at_ + 1, end - at_ - 1);
                while (!line.empty() && is_space(line.front()))
                    line.remove_prefix(1);
                if (line.substr(0, 6) != "pragma") {
                    error_ =
                        SourceError{begin, "Of the preprocessor's lines only #pragma is understood here."};
                    return false;
                }
                at_ = end;
            } else {
                break;
            }
        }
        return true;
    }

    void name(Token& token) {
        token.kind = TokenKind::name;
        while (at_ < source_.size() && (is_letter(source_[at_]) || is_digit(source_[at_])))
            ++at_;
    }

    bool number(Token& token) {
        const std::size_t begin = at_;
        const bool hexadecimal = starts_with("0x") || starts_with("0X");
        const bool binary = starts_with("0b") || starts_with("0B");
        std::string digits;  // without the separators '
        bool real = false;
        if (hexadecimal || binary)
            at_ += 2;
        while (at_ < source_.size()) {
            const char c = source_[at_];
            const bool hex_digit = is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
            if (c == '\'' && !digits.empty()) {
                ++at_;
                continue;
            }
            if (hexadecimal ? hex_digit : is_digit(c)) {
                digits += c;
            } else if (!hexadecimal && !binary && c == '.') {
                real = true;
                digits += c;
            } else if (!hexadecimal && !binary && (c == 'e' || c == 'E')) {
                real = true;
                digits += c;
                if (at_ + 1 < source_.size() && (source_[at_ + 1] == '+' || source_[at_ + 1] == '-'))
                    digits += source_[++at_];
            } else {
                break;
            }
            ++at_;
        }
        std::string suffix;
        while (at_ < source_.size() &&
               (is_letter(source_[at_]) || is_digit(source_[at_]) || source_[at_] == '.'))
            suffix += source_[at_++];
        const std::string_view text = source_.substr(begin, at_ - begin);
        const auto wrong = [&](std::string_view why) {
            at_ = begin;
            return bad(fmt::format("{} is no number that is understood here: {}.", text, why));
        };
        const char* first = digits.data();
        const char* last = digits.data() + digits.size();
        if (real) {
            token.kind = TokenKind::real;
            if (!suffix.empty() && suffix != "f" && suffix != "F")
                return wrong("only f may follow it");
            token.is_float = !suffix.empty();
            std::from_chars_result result{};
            if (token.is_float) {
                float value = 0;
                result = std::from_chars(first, last, value);
                token.real = value;
            } else {
                result = std::from_chars(first, last, token.real);
            }
            if (result.ec == std::errc::result_out_of_range)
                return wrong("it does not fit");
            if (result.ec != std::errc() || result.ptr != last)
                return wrong("its digits are not in order");
            return true;
        }
        token.kind = TokenKind::integer;
        int base = hexadecimal ? 16 : binary ? 2 : 10;
        if (base == 10 && digits.size() > 1 && digits[0] == '0')
            base = 8;
        const auto result = std::from_chars(first, last, token.integer, base);
        if (result.ec == std::errc::result_out_of_range ||
            (result.ec == std::errc() && token.integer > std::numeric_limits<std::uint32_t>::max()))
            return wrong("it does not fit 32 bits");
        if (result.ec != std::errc() || result.ptr != last)
            return wrong("its digits are not in order");
        if (!suffix.empty() && suffix != "u" && suffix != "U")
            return wrong("only u may follow it");
        const bool fits_int = token.integer <= std::uint64_t(std::numeric_limits<std::int32_t>::max());
        if (suffix.empty() && !fits_int && base == 10)
            return wrong("it does not fit an int; write u behind it for an unsigned");
        token.is_unsigned = !suffix.empty() || !fits_int;
        return true;
    }

    bool punctuator(Token& token) {
        token.kind = TokenKind::punctuator;
        for (const std::string_view text : punctuators)
            if (starts_with(text)) {
                at_ += text.size();
                return true;
            }
        const auto byte = static_cast<unsigned char>(source_[at_]);
        if (byte >= 0x20 && byte < 0x7f)
            return bad(fmt::format("The character {} means nothing here.", source_[at_]));
        return bad(fmt::format("The byte 0x{:02x} means nothing here.", byte));
    }

    std::string_view source_;
    std::size_t at_ = 0;
    std::size_t line_begin_ = 0;
    std::uint32_t line_ = 1;
    SourceError error_;
};

}  // namespace

Parsed<std::vector<Token>> tokenize(std::string_view source) {
    return Lexer(source).run();
}

}  // namespace auditorium::simt
