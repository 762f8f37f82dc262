#include "trace/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace auditorium::trace {

struct Json::Node {
    enum class Kind { scalar, array, object } kind = Kind::scalar;
    nlohmann::ordered_json scalar;
    std::vector<Json> items;
    std::vector<Member> members;

    nlohmann::ordered_json value() const {
        if (kind == Kind::scalar)
            return scalar;
        nlohmann::ordered_json all =
            kind == Kind::array ? nlohmann::ordered_json::array() : nlohmann::ordered_json::object();
        for (const Json& item : items)
            all.push_back(item.node_ ? item.node_->value() : nlohmann::ordered_json());
        for (const Member& member : members)
            all[member.name] = member.value.node_ ? member.value.node_->value() : nlohmann::ordered_json();
        return all;
    }

    static Json from(const nlohmann::ordered_json& value) {
        Json json;
        if (value.is_object()) {
            json = object();
            for (const auto& [name, member] : value.items())
                json[name] = from(member);
        } else if (value.is_array()) {
            json = array();
            for (const auto& item : value)
                json.push_back(from(item));
        } else if (!value.is_null()) {
            json.node_ = of(value);
        }
        return json;
    }

    static std::unique_ptr<Node> of(nlohmann::ordered_json scalar) {
        auto node = std::make_unique<Node>();
        node->scalar = std::move(scalar);
        return node;
    }
};

Json::Json(std::nullptr_t) {}
Json::Json(bool value) : node_(Node::of(value)) {}
Json::Json(int value) : node_(Node::of(value)) {}
Json::Json(long value) : node_(Node::of(value)) {}
Json::Json(unsigned value) : node_(Node::of(value)) {}
Json::Json(unsigned long value) : node_(Node::of(value)) {}
Json::Json(double value) : node_(Node::of(value)) {}
Json::Json(const char* text) : node_(Node::of(text)) {}
Json::Json(std::string_view text) : node_(Node::of(std::string(text))) {}
Json::Json(const std::string& text) : node_(Node::of(text)) {}
Json::Json(const std::vector<int>& items) : node_(Node::of(items)) {}
Json::Json(const std::vector<std::string>& items) : node_(Node::of(items)) {}

Json::Json(std::initializer_list<Member> members) : Json(object()) {
    node_->members = members;
}

Json Json::array(std::initializer_list<Json> items) {
    Json json;
    json.node_ = std::make_unique<Node>();
    json.node_->kind = Node::Kind::array;
    json.node_->items = items;
    return json;
}

Json Json::object() {
    Json json;
    json.node_ = std::make_unique<Node>();
    json.node_->kind = Node::Kind::object;
    return json;
}

Json::Json(const Json& other) : node_(other.node_ ? std::make_unique<Node>(*other.node_) : nullptr) {}
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(Json other) noexcept {
    node_ = std::move(other.node_);
    return *this;
}
Json::~Json() = default;

Json& Json::operator[](std::string_view name) {
    if (!is_object())
        *this = object();
    for (Member& member : node_->members)
        if (member.name == name)
            return member.value;
    node_->members.push_back({std::string(name), nullptr});
    return node_->members.back().value;
}

void Json::push_back(Json item) {
    if (!node_ || node_->kind != Node::Kind::array)
        *this = array();
    node_->items.push_back(std::move(item));
}

// The brackets that are open at once, at most; a value is walked by functions that call themselves.
static int depth_of(std::string_view text) {
    int depth = 0, most = 0;
    bool in_text = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (in_text) {
            if (text[i] == '\\')
                ++i;
            else if (text[i] == '"')
                in_text = false;
        } else if (text[i] == '"') {
            in_text = true;
        } else if (text[i] == '[' || text[i] == '{') {
            most = std::max(most, ++depth);
        } else if (text[i] == ']' || text[i] == '}') {
            --depth;
        }
    }
    return most;
}

std::optional<Json> Json::parse(std::string_view text) {
    if (depth_of(text) > deepest)
        return {};
    const auto value = nlohmann::ordered_json::parse(text, nullptr, false);
    if (value.is_discarded())
        return {};
    return Node::from(value);
}

bool Json::is_object() const {
    return node_ && node_->kind == Node::Kind::object;
}

const Json* Json::find(std::string_view name) const {
    if (is_object())
        for (const Member& member : node_->members)
            if (member.name == name)
                return &member.value;
    return nullptr;
}

std::optional<bool> Json::boolean() const {
    if (!node_ || !node_->scalar.is_boolean())
        return {};
    return node_->scalar.get<bool>();
}

std::optional<double> Json::number() const {
    if (!node_ || !node_->scalar.is_number())
        return {};
    return node_->scalar.get<double>();
}

std::optional<std::string> Json::text() const {
    if (!node_ || !node_->scalar.is_string())
        return {};
    return node_->scalar.get<std::string>();
}

std::string Json::dump(int indent) const {
    const nlohmann::ordered_json all = node_ ? node_->value() : nlohmann::ordered_json();
    return all.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace auditorium::trace
