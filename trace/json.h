// A JSON value: what the commands print, what the window writes of itself, its settings. nlohmann/json reads
// and prints it. That header is read in json.cpp alone: where each value is one of its own templates, a table
// of twenty fields costs the compiler two seconds.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace auditorium::trace {

class Json {
  public:
    struct Member;

    Json(std::nullptr_t = nullptr);
    Json(bool value);
    Json(int value);
    Json(long value);
    Json(unsigned value);
    Json(unsigned long value);
    Json(double value);  // null where it is no number or infinite
    Json(const char* text);
    Json(std::string_view text);
    Json(const std::string& text);
    Json(const std::vector<int>& items);
    Json(const std::vector<std::string>& items);
    Json(std::initializer_list<Member> members);  // an object: {{"name", value}, ...}, in this order
    static Json array(std::initializer_list<Json> items = {});
    static Json object();

    Json(const Json& other);
    Json(Json&& other) noexcept;
    Json& operator=(Json other) noexcept;
    ~Json();

    // The member of an object, made where it is new; anything else becomes an object.
    Json& operator[](std::string_view name);
    void push_back(Json item);  // anything but an array becomes one

    // Nothing where the text is not JSON, or nested deeper than `deepest`. Of two members of one name the
    // last counts.
    static constexpr int deepest = 64;
    static std::optional<Json> parse(std::string_view text);
    bool is_object() const;
    const Json* find(std::string_view name) const;  // nullptr: no object, or none of that name
    std::optional<bool> boolean() const;            // these three: nothing where it is something else
    std::optional<double> number() const;
    std::optional<std::string> text() const;

    // On one line, or with `indent` spaces a level. Bytes that are no UTF-8 become U+FFFD.
    std::string dump(int indent = -1) const;

  private:
    struct Node;
    std::unique_ptr<Node> node_;  // nullptr: null
};

struct Json::Member {
    std::string name;
    Json value;
};

}  // namespace auditorium::trace
