// Recursive descent over the tokens; one function per rule of the grammar. Nesting is bounded by max_nesting,
// and so is the depth of every tree, so that nobody who walks one later can run out of stack.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "simt/ast.h"
#include "simt/lexer.h"

namespace auditorium::simt {

const char* spelling(BinaryOp op) {
    constexpr std::array<const char*, 19> names = {"+", "-",  "*", "/",  "%",  "<<", ">>", "&",  "|", "^",
                                                   "<", "<=", ">", ">=", "==", "!=", "&&", "||", ","};
    return names[static_cast<std::size_t>(op)];
}

namespace {

struct OperatorRule {
    std::string_view text;
    BinaryOp op;
    int precedence;  // higher binds tighter
};
constexpr std::array<OperatorRule, 18> binary_rules = {{
    {"||", BinaryOp::logical_or, 1},
    {"&&", BinaryOp::logical_and, 2},
    {"|", BinaryOp::bit_or, 3},
    {"^", BinaryOp::bit_xor, 4},
    {"&", BinaryOp::bit_and, 5},
    {"==", BinaryOp::equal, 6},
    {"!=", BinaryOp::not_equal, 6},
    {"<", BinaryOp::less, 7},
    {"<=", BinaryOp::less_equal, 7},
    {">", BinaryOp::greater, 7},
    {">=", BinaryOp::greater_equal, 7},
    {"<<", BinaryOp::shl, 8},
    {">>", BinaryOp::shr, 8},
    {"+", BinaryOp::add, 9},
    {"-", BinaryOp::sub, 9},
    {"*", BinaryOp::mul, 10},
    {"/", BinaryOp::div, 10},
    {"%", BinaryOp::rem, 10},
}};
constexpr std::array<OperatorRule, 10> compound_rules = {{
    {"+=", BinaryOp::add, 0},
    {"-=", BinaryOp::sub, 0},
    {"*=", BinaryOp::mul, 0},
    {"/=", BinaryOp::div, 0},
    {"%=", BinaryOp::rem, 0},
    {"<<=", BinaryOp::shl, 0},
    {">>=", BinaryOp::shr, 0},
    {"&=", BinaryOp::bit_and, 0},
    {"|=", BinaryOp::bit_or, 0},
    {"^=", BinaryOp::bit_xor, 0},
}};

constexpr std::array<std::string_view, 10> type_words = {"void",  "bool", "int", "unsigned", "signed",
                                                         "float", "auto", "T",   "Shared",   "uint32_t"};
// Types that CUDA has and the interpreter does not, and words of statements that it does not know: each gets
// a sentence of its own.
constexpr std::array<std::string_view, 7> other_types = {"double", "long",    "short",   "char",
                                                         "size_t", "int64_t", "uint64_t"};
constexpr std::array<std::string_view, 24> other_words = {
    "goto",     "switch",    "case",          "default",          "try",        "catch",
    "throw",    "new",       "delete",        "struct",           "class",      "union",
    "enum",     "namespace", "using",         "typedef",          "asm",        "sizeof",
    "operator", "this",      "static_assert", "reinterpret_cast", "const_cast", "extern"};
constexpr std::array<std::string_view, 15> statement_words = {
    "if",   "else",  "for",   "while",     "do",       "return",   "break",   "continue",
    "true", "false", "const", "constexpr", "volatile", "template", "typename"};

template <typename Range_, typename Value>
bool contains(const Range_& range, const Value& value) {
    return std::find(range.begin(), range.end(), value) != range.end();
}

class Parser {
  public:
    explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

    Parsed<Program> run() {
        while (peek().kind != TokenKind::end && !failed_)
            top_level();
        if (failed_)
            return tl::unexpected(std::move(error_));
        return std::move(program_);
    }

  private:
    // ---- tokens

    const Token& peek(std::size_t ahead = 0) const {
        return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
    }
    Token take() {
        const Token token = peek();
        if (at_ + 1 < tokens_.size())
            ++at_;
        last_ = token.range;
        return token;
    }
    bool is(std::string_view text, std::size_t ahead = 0) const {
        const Token& token = peek(ahead);
        return token.text == text && (token.kind == TokenKind::punctuator || token.kind == TokenKind::name);
    }
    bool accept(std::string_view text) {
        if (!is(text))
            return false;
        take();
        return true;
    }
    bool expect(std::string_view text, std::string_view where) {
        if (accept(text))
            return true;
        if (last_.end != 0 && text == ";")
            error(Range{last_.end, last_.end, last_.line, last_.column + (last_.end - last_.begin)},
                  fmt::format("A ; is missing here, {}.", where));
        else
            error(peek().range, fmt::format("{} was expected {}, but here is {}.", text, where, found()));
        return false;
    }
    std::string found() const {
        if (peek().kind == TokenKind::end)
            return "the end of the text";
        return std::string(peek().text.substr(0, 40));
    }

    // The first error counts; after it every rule returns at once, since the token stream stands at its end.
    void error(const Range& range, std::string sentence) {
        if (failed_)
            return;
        failed_ = true;
        error_ = SourceError{range, std::move(sentence)};
        at_ = tokens_.size() - 1;
    }

    struct Nested {
        explicit Nested(Parser& parser) : parser_(parser) {
            if (++parser_.nesting_ > max_nesting)
                parser_.error(parser_.peek().range,
                              fmt::format("This is nested more than {} deep.", max_nesting));
        }
        ~Nested() { --parser_.nesting_; }
        Nested(const Nested&) = delete;
        Nested& operator=(const Nested&) = delete;
        Parser& parser_;
    };

    // ---- nodes

    Expr* make(Expr::Kind kind, const Range& range) {
        Expr& expr = program_.expressions.emplace_back();
        expr.kind = kind;
        expr.range = range;
        return &expr;
    }
    Statement* make(Statement::Kind kind, const Range& range) {
        Statement& statement = program_.statements.emplace_back();
        statement.kind = kind;
        statement.range = range;
        return &statement;
    }
    Expr* finish(Expr* expr) {
        expr->range.end = last_.end;
        int depth = 0;
        for (const Expr* child : {expr->left, expr->right, expr->third})
            if (child)
                depth = std::max<int>(depth, child->depth);
        for (const Expr* child : expr->arguments)
            depth = std::max<int>(depth, child->depth);
        if (depth >= max_nesting)
            error(expr->range, fmt::format("This expression is more than {} deep.", max_nesting));
        expr->depth = static_cast<std::uint16_t>(depth + 1);
        return expr;
    }
    Statement* finish(Statement* statement) {
        statement->range.end = last_.end;
        return statement;
    }
    // Stands for what could not be parsed, so that nobody has to look for null.
    Expr* nothing() { return make(Expr::Kind::integer, peek().range); }

    // ---- types

    bool is_type_word(const Token& token) const {
        if (token.kind != TokenKind::name)
            return false;
        return contains(type_words, token.text) || token.text == "int32_t" ||
               contains(template_parameters_, token.text);
    }
    bool starts_type(std::size_t ahead = 0) const {
        const Token& token = peek(ahead);
        return is_type_word(token) || is("const", ahead) || is("volatile", ahead) || is("constexpr", ahead) ||
               is("__restrict__", ahead) ||
               (token.kind == TokenKind::name && contains(other_types, token.text));
    }
    bool accept_qualifier(TypeName& type) {
        if (accept("const") || accept("constexpr"))
            type.is_const = true;
        else if (accept("volatile"))
            type.is_volatile = true;
        else if (!accept("__restrict__"))
            return false;
        return true;
    }

    TypeName type_name() {
        TypeName type;
        type.range = peek().range;
        while (accept_qualifier(type)) {
        }
        const Token& token = peek();
        if (token.kind == TokenKind::name && contains(other_types, token.text)) {
            error(token.range,
                  fmt::format("The type {} is not part of the subset that is interpreted: use T, "
                              "int, unsigned, bool or float.",
                              token.text));
            return type;
        }
        if (!is_type_word(token)) {
            error(token.range, fmt::format("A type was expected, but here is {}.", found()));
            return type;
        }
        type.name = take().text;
        if (type.name == "unsigned" || type.name == "signed") {
            accept("int");
            if (type.name == "signed")
                type.name = "int";
        } else if (type.name == "int32_t") {
            type.name = "int";
        } else if (type.name == "uint32_t") {
            type.name = "unsigned";
        }
        while (true) {
            if (accept_qualifier(type))
                continue;
            if (is("*") && !type.is_pointer && !type.is_reference) {
                take();
                type.is_pointer = true;
            } else if (is("&") && !type.is_reference) {
                take();
                type.is_reference = true;
            } else {
                break;
            }
        }
        type.range.end = last_.end;
        return type;
    }

    // ---- the file

    void top_level() {
        if (accept(";"))
            return;
        const Range begin = peek().range;
        template_parameters_.clear();
        if (accept("template"))
            template_header();
        while (true) {
            if (is("__global__"))
                return error(
                    peek().range,
                    "Only __device__ functions are interpreted; the launch itself is made around them.");
            if (!accept("__device__") && !accept("inline") && !accept("static") &&
                !accept("__forceinline__") && !accept("__noinline__") && !accept("__host__"))
                break;
        }
        if (peek().kind == TokenKind::name && contains(other_words, peek().text))
            return unknown_word();
        const TypeName type = type_name();
        if (failed_)
            return;
        if (peek().kind != TokenKind::name || reserved(peek().text))
            return error(peek().range, fmt::format("A name was expected, but here is {}.", found()));
        if (is("(", 1))
            return function(begin, type);
        if (!type.is_const)
            return error(begin, "A variable outside a function must be const.");
        program_.constants.push_back(declaration(type, begin));
    }

    void template_header() {
        if (!expect("<", "after template"))
            return;
        do {
            if (!accept("typename") && !accept("class"))
                return error(peek().range,
                             fmt::format("typename was expected, but here is {}: only types are "
                                         "template parameters here.",
                                         found()));
            if (peek().kind != TokenKind::name || reserved(peek().text))
                return error(
                    peek().range,
                    fmt::format("A template parameter's name was expected, but here is {}.", found()));
            if (contains(template_parameters_, peek().text))
                return error(peek().range,
                             fmt::format("There is already a template parameter {}.", peek().text));
            template_parameters_.push_back(take().text);
        } while (accept(","));
        expect(">", "after the template parameters");
    }

    void function(const Range& begin, const TypeName& result) {
        Function function;
        function.range = begin;
        function.result = result;
        function.name_range = peek().range;
        function.name = take().text;
        function.template_parameters = template_parameters_;
        take();  // (
        if (is("void") && is(")", 1))
            take();
        if (!is(")")) {
            do {
                Parameter parameter;
                parameter.range = peek().range;
                parameter.type = type_name();
                if (failed_)
                    return;
                if (peek().kind == TokenKind::name && !reserved(peek().text))
                    parameter.name = take().text;
                if (is("["))
                    return error(peek().range, "Arrays are not part of the subset that is interpreted.");
                parameter.range.end = last_.end;
                if (!parameter.name.empty())
                    for (const Parameter& other : function.parameters)
                        if (other.name == parameter.name)
                            return error(parameter.range,
                                         fmt::format("There is already a parameter {}.", parameter.name));
                function.parameters.push_back(parameter);
                if (function.parameters.size() > 64)
                    return error(parameter.range, "A function has at most 64 parameters here.");
            } while (accept(","));
        }
        if (!expect(")", "after the parameters"))
            return;
        if (accept(";"))
            return;  // a declaration; the definition says everything
        if (!is("{"))
            return error(peek().range,
                         fmt::format("The function's body was expected, but here is {}.", found()));
        function.body = statement();
        function.range.end = last_.end;
        program_.functions.push_back(std::move(function));
    }

    static bool reserved(std::string_view name) {
        return contains(type_words, name) || contains(other_types, name) || contains(other_words, name) ||
               contains(statement_words, name);
    }
    void unknown_word() {
        error(peek().range,
              fmt::format("The word {} is not part of the subset that is interpreted.", peek().text));
    }

    // ---- statements

    Statement* statement() {
        const Nested nested(*this);
        const Range begin = peek().range;
        if (failed_)
            return make(Statement::Kind::empty, begin);
        if (accept("{")) {
            Statement* block = make(Statement::Kind::block, begin);
            while (!failed_ && !is("}")) {
                if (peek().kind == TokenKind::end) {
                    error(begin, "This { is not closed.");
                    break;
                }
                block->body.push_back(statement());
            }
            accept("}");
            return finish(block);
        }
        if (accept(";"))
            return finish(make(Statement::Kind::empty, begin));
        if (is("if"))
            return if_statement();
        if (is("for"))
            return for_statement();
        if (accept("while")) {
            Statement* loop = make(Statement::Kind::loop, begin);
            expect("(", "after while");
            loop->condition = expression();
            expect(")", "after the condition");
            loop->body.push_back(statement());
            return finish(loop);
        }
        if (accept("do")) {
            Statement* loop = make(Statement::Kind::do_while, begin);
            loop->body.push_back(statement());
            expect("while", "after the body of do");
            expect("(", "after while");
            loop->condition = expression();
            expect(")", "after the condition");
            expect(";", "after do ... while (...)");
            return finish(loop);
        }
        if (accept("return")) {
            Statement* result = make(Statement::Kind::return_, begin);
            if (!is(";"))
                result->condition = expression();
            expect(";", "after return");
            return finish(result);
        }
        if (accept("break")) {
            expect(";", "after break");
            return finish(make(Statement::Kind::break_, begin));
        }
        if (accept("continue")) {
            expect(";", "after continue");
            return finish(make(Statement::Kind::continue_, begin));
        }
        if (is("__shared__"))
            error(begin, "The shared buffer is a parameter (Shared) here; __shared__ is not interpreted.");
        if (is("static"))
            error(begin, "static variables are not part of the subset that is interpreted.");
        if (is("else"))
            error(begin, "This else has no if.");
        if (peek().kind == TokenKind::name && contains(other_words, peek().text))
            unknown_word();
        if (starts_declaration())
            return declaration(type_name(), begin);
        Statement* result = make(Statement::Kind::expression, begin);
        result->condition = expression();
        expect(";", "after the statement");
        return finish(result);
    }

    // T x, const T x, T& x, auto x; not T(x), which is an expression.
    bool starts_declaration() const {
        if (!starts_type())
            return false;
        return !(is_type_word(peek()) && (is("(", 1) || is("{", 1)));
    }

    Statement* if_statement() {
        const Range begin = take().range;
        Statement* result = make(Statement::Kind::if_else, begin);
        accept("constexpr");
        expect("(", "after if");
        result->condition = expression();
        expect(")", "after the condition");
        result->body.push_back(statement());
        if (accept("else"))
            result->body.push_back(statement());
        return finish(result);
    }

    Statement* for_statement() {
        const Range begin = take().range;
        Statement* loop = make(Statement::Kind::loop, begin);
        expect("(", "after for");
        if (!accept(";")) {
            const Range init = peek().range;
            if (starts_declaration()) {
                loop->init = declaration(type_name(), init);
            } else {
                loop->init = make(Statement::Kind::expression, init);
                loop->init->condition = expression();
                expect(";", "after the first part of for");
                finish(loop->init);
            }
        }
        if (!is(";"))
            loop->condition = expression();
        expect(";", "after the condition of for");
        if (!is(")"))
            loop->step = expression();
        expect(")", "after the parts of for");
        loop->body.push_back(statement());
        return finish(loop);
    }

    Statement* declaration(const TypeName& type, const Range& begin) {
        Statement* result = make(Statement::Kind::declaration, begin);
        result->type = type;
        while (!failed_) {
            Declarator declarator;
            declarator.range = peek().range;
            if (peek().kind != TokenKind::name || reserved(peek().text)) {
                error(peek().range, fmt::format("A variable's name was expected, but here is {}.", found()));
                break;
            }
            declarator.name = take().text;
            if (is("["))
                error(peek().range, "Arrays are not part of the subset that is interpreted.");
            if (accept("=")) {
                declarator.initial = assignment();
            } else if (accept("(")) {
                declarator.initial = assignment();
                expect(")", "after the initial value");
            } else if (is("{")) {
                take();
                declarator.initial = is("}") ? zero() : assignment();
                expect("}", "after the initial value");
            }
            result->declarators.push_back(declarator);
            if (!accept(","))
                break;
            if (is("*") || is("&"))
                error(peek().range, "Declare references and pointers one at a time.");
        }
        expect(";", "after the declaration");
        return finish(result);
    }
    Expr* zero() { return finish(make(Expr::Kind::integer, peek().range)); }

    // ---- expressions

    Expr* expression() {
        Expr* left = assignment();
        while (is(",") && !failed_) {
            take();
            Expr* comma = make(Expr::Kind::binary, left->range);
            comma->binary = BinaryOp::comma;
            comma->left = left;
            comma->right = assignment();
            left = finish(comma);
        }
        return left;
    }

    Expr* assignment() {
        const Nested nested(*this);
        if (failed_)
            return nothing();
        Expr* left = ternary();
        const bool plain = is("=");
        const OperatorRule* rule = nullptr;
        if (peek().kind == TokenKind::punctuator)
            for (const OperatorRule& candidate : compound_rules)
                if (is(candidate.text))
                    rule = &candidate;
        if (!plain && !rule)
            return left;
        take();
        Expr* assign = make(Expr::Kind::assign, left->range);
        assign->left = left;
        assign->compound = !plain;
        if (rule)
            assign->binary = rule->op;
        assign->right = assignment();
        return finish(assign);
    }

    Expr* ternary() {
        Expr* condition = binary(1);
        if (!accept("?"))
            return condition;
        Expr* result = make(Expr::Kind::ternary, condition->range);
        result->left = condition;
        result->right = expression();
        expect(":", "in condition ? one : other");
        result->third = assignment();
        return finish(result);
    }

    const OperatorRule* binary_rule() const {
        if (peek().kind != TokenKind::punctuator)
            return nullptr;
        for (const OperatorRule& rule : binary_rules)
            if (peek().text == rule.text)
                return &rule;
        return nullptr;
    }

    Expr* binary(int least) {
        Expr* left = unary();
        while (!failed_) {
            const OperatorRule* rule = binary_rule();
            if (!rule || rule->precedence < least)
                return left;
            take();
            Expr* node = make(Expr::Kind::binary, left->range);
            node->binary = rule->op;
            node->left = left;
            node->right = binary(rule->precedence + 1);
            left = finish(node);
        }
        return left;
    }

    Expr* unary() {
        const Nested nested(*this);
        if (failed_)
            return nothing();
        const Range begin = peek().range;
        const auto prefix = [&](UnaryOp op) {
            take();
            Expr* node = make(Expr::Kind::unary, begin);
            node->unary = op;
            node->left = unary();
            return finish(node);
        };
        if (is("+"))
            return prefix(UnaryOp::plus);
        if (is("-"))
            return prefix(UnaryOp::minus);
        if (is("!"))
            return prefix(UnaryOp::logical_not);
        if (is("~"))
            return prefix(UnaryOp::bit_not);
        if (is("++"))
            return prefix(UnaryOp::pre_inc);
        if (is("--"))
            return prefix(UnaryOp::pre_dec);
        if (is("*") || is("&")) {
            error(begin, "Pointers are not part of the subset that is interpreted; write shared[i].");
            return nothing();
        }
        if (is("(") && starts_type(1)) {  // (T)x; but (T(x)) is an expression in parentheses
            std::size_t ahead = 1;
            while (starts_type(ahead) && !(is("(", ahead + 1) || is("{", ahead + 1)))
                ++ahead;
            if (ahead > 1 && (is(")", ahead) || is("*", ahead) || is("&", ahead))) {
                take();
                Expr* cast = make(Expr::Kind::cast, begin);
                cast->type = type_name();
                expect(")", "after the type of a cast");
                cast->left = unary();
                return finish(cast);
            }
        }
        return postfix();
    }

    Expr* postfix() {
        Expr* left = primary();
        while (!failed_) {
            if (is("[")) {
                take();
                Expr* node = make(Expr::Kind::index, left->range);
                node->left = left;
                node->right = expression();
                expect("]", "after the index");
                left = finish(node);
            } else if (is("(")) {
                left = call(left);
            } else if (is(".")) {
                take();
                Expr* node = make(Expr::Kind::member, left->range);
                node->left = left;
                if (peek().kind != TokenKind::name)
                    error(peek().range,
                          fmt::format("A member's name was expected, but here is {}.", found()));
                node->name = take().text;
                left = finish(node);
            } else if (is("->")) {
                error(peek().range, "Pointers are not part of the subset that is interpreted.");
            } else if (is("++") || is("--")) {
                Expr* node = make(Expr::Kind::unary, left->range);
                node->unary = take().text == "++" ? UnaryOp::post_inc : UnaryOp::post_dec;
                node->left = left;
                left = finish(node);
            } else {
                break;
            }
        }
        return left;
    }

    Expr* call(Expr* callee) {
        take();  // (
        Expr* node = make(Expr::Kind::call, callee->range);
        node->left = callee;
        arguments(node);
        return finish(node);
    }
    void arguments(Expr* node) {
        if (!is(")")) {
            do {
                node->arguments.push_back(assignment());
                if (node->arguments.size() > 64)
                    error(node->range, "A call has at most 64 arguments here.");
            } while (accept(",") && !failed_);
        }
        expect(")", "after the arguments");
    }

    Expr* primary() {
        const Token& token = peek();
        const Range begin = token.range;
        if (failed_)
            return nothing();
        if (token.kind == TokenKind::integer) {
            Expr* node = make(Expr::Kind::integer, begin);
            node->integer = static_cast<std::uint32_t>(token.integer);
            node->is_unsigned = token.is_unsigned;
            take();
            return finish(node);
        }
        if (token.kind == TokenKind::real) {
            Expr* node = make(Expr::Kind::real, begin);
            node->real = token.real;
            node->is_float = token.is_float;
            take();
            return finish(node);
        }
        if (accept("(")) {
            Expr* inner = expression();
            expect(")", "to close the ( before");
            inner->range = Range{begin.begin, last_.end, begin.line, begin.column};
            return inner;
        }
        if (token.kind != TokenKind::name) {
            error(begin, fmt::format("An expression was expected, but here is {}.", found()));
            return nothing();
        }
        if (is("true") || is("false")) {
            Expr* node = make(Expr::Kind::boolean, begin);
            node->integer = take().text == "true";
            return finish(node);
        }
        if (accept("static_cast")) {
            Expr* cast = make(Expr::Kind::cast, begin);
            expect("<", "after static_cast");
            cast->type = type_name();
            expect(">", "after the type of static_cast");
            expect("(", "after static_cast<...>");
            cast->left = expression();
            expect(")", "after the value of static_cast");
            return finish(cast);
        }
        if (starts_type()) {
            Expr* cast = make(Expr::Kind::cast, begin);
            cast->type = type_name();
            const bool brace = is("{");
            if (!brace && !is("(")) {
                error(begin, fmt::format("{} is a type, not a value.", token.text));
                return nothing();
            }
            take();
            const std::string_view close = brace ? "}" : ")";
            if (!is(close))
                cast->left = brace ? assignment() : expression();
            expect(close, "after the value");
            return finish(cast);
        }
        if (contains(other_words, token.text)) {
            unknown_word();
            return nothing();
        }
        if (contains(statement_words, token.text)) {
            error(begin, fmt::format("An expression was expected, but here is {}.", found()));
            return nothing();
        }
        Expr* node = make(Expr::Kind::name, begin);
        node->name = take().text;
        if (is("::")) {
            error(peek().range, "Names with :: are not part of the subset that is interpreted.");
            return nothing();
        }
        finish(node);
        if (is("<") && starts_type(1))  // f<float>(x)
            return template_call(node);
        return node;
    }

    Expr* template_call(Expr* callee) {
        take();  // <
        Expr* node = make(Expr::Kind::call, callee->range);
        node->left = callee;
        do
            node->template_types.push_back(type_name());
        while (accept(",") && !failed_);
        expect(">", "after the template arguments");
        if (expect("(", "after the template arguments"))
            arguments(node);
        return finish(node);
    }

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    Range last_{};
    int nesting_ = 0;
    bool failed_ = false;
    SourceError error_;
    std::vector<std::string_view> template_parameters_;
    Program program_;
};

}  // namespace

Parsed<Program> parse(std::string_view source) {
    auto tokens = tokenize(source);
    if (!tokens)
        return tl::unexpected(tokens.error());
    return Parser(std::move(*tokens)).run();
}

}  // namespace auditorium::simt
