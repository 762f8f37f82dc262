#include "trace/json.h"

#include <gtest/gtest.h>

#include <limits>

namespace auditorium::trace {
namespace {

TEST(Json, PrintsMembersInTheirOrder) {
    const Json json{{"z", 1}, {"a", {{"inner", true}, {"none", nullptr}}}, {"list", std::vector<int>{3, 1}}};
    EXPECT_EQ(json.dump(), R"({"z":1,"a":{"inner":true,"none":null},"list":[3,1]})");
}

TEST(Json, PrintsNumbersSoThatTheyReadBack) {
    EXPECT_EQ(Json::array({0.1, -0.0, 1e300, 5u, 18446744073709551615ul, -7L}).dump(),
              "[0.1,-0.0,1e+300,5,18446744073709551615,-7]");
    EXPECT_EQ(Json::array({std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
                  .dump(),
              "[null,null]");
}

TEST(Json, QuotesAndMendsText) {
    EXPECT_EQ(Json("a \"b\"\n\xff").dump(), "\"a \\\"b\\\"\\n\xef\xbf\xbd\"");
}

TEST(Json, AssignsAndAppends) {
    Json json;
    json["a"] = 1;
    json["a"] = "two";
    json["b"].push_back(Json{{"c", 3}});
    const Json copy = json;
    json["a"] = nullptr;
    EXPECT_EQ(copy.dump(), R"({"a":"two","b":[{"c":3}]})");
    EXPECT_EQ(json.dump(), R"({"a":null,"b":[{"c":3}]})");
    EXPECT_EQ(Json::object().dump() + Json::array().dump() + Json().dump(), "{}[]null");
    EXPECT_EQ(Json(Json{{"a", 1}}).dump(2), "{\n  \"a\": 1\n}");
}

TEST(Json, MembersAndItemsReplaceWhatIsNeither) {
    Json json(5);
    json["a"] = 1;
    EXPECT_EQ(json.dump(), R"({"a":1})");
    json.push_back(2);
    EXPECT_EQ(json.dump(), "[2]");
}

TEST(Json, IsNotReadDeeperThanItCanBeWalked) {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + "\"]]\\\"[[\"" + std::string(depth, ']');
    };
    EXPECT_TRUE(Json::parse(nested(Json::deepest)));
    EXPECT_FALSE(Json::parse(nested(Json::deepest + 1)));
    EXPECT_FALSE(Json::parse(nested(1000000)));
}

TEST(Json, ReadsWhatIsThereAndOfThatType) {
    const auto json =
        Json::parse(R"({"yes": true, "half": 0.5, "word": "w", "word": "x", "list": [1, {"a": null}]})");
    ASSERT_TRUE(json && json->is_object());
    EXPECT_EQ(json->find("yes")->boolean(), true);
    EXPECT_EQ(json->find("yes")->number(), std::nullopt);
    EXPECT_EQ(json->find("half")->number(), 0.5);
    EXPECT_EQ(json->find("word")->text(), "x");
    EXPECT_EQ(json->find("list")->dump(), R"([1,{"a":null}])");
    EXPECT_EQ(json->find("list")->text(), std::nullopt);
    EXPECT_EQ(json->find("absent"), nullptr);
    EXPECT_EQ(json->find("list")->find("a"), nullptr);
    EXPECT_FALSE(Json::parse("{\"cut\": "));
    EXPECT_FALSE(Json::parse(""));
}

}  // namespace
}  // namespace auditorium::trace
