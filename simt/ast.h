// The abstract syntax tree of a kernel's text, with the exact range of every node.
//
// Names are not resolved here; simt/compile does that, once for each set of types that a function is called
// with.
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "simt/source.h"

namespace auditorium::simt {

enum class UnaryOp : std::uint8_t { plus, minus, logical_not, bit_not, pre_inc, pre_dec, post_inc, post_dec };
enum class BinaryOp : std::uint8_t {
    add,
    sub,
    mul,
    div,
    rem,
    shl,
    shr,
    bit_and,
    bit_or,
    bit_xor,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    logical_and,
    logical_or,
    comma
};
const char* spelling(BinaryOp op);

// A type as written. `name` is "int", "unsigned", "bool", "float", "void", "auto", "T", "Shared", or a
// template parameter's.
struct TypeName {
    Range range;
    std::string_view name;
    bool is_const = false;
    bool is_volatile = false;
    bool is_reference = false;
    bool is_pointer = false;
};

struct Expr {
    enum class Kind : std::uint8_t {
        integer,  // integer, is_unsigned
        real,     // real, is_float
        boolean,  // integer
        name,     // name
        unary,    // unary, left
        binary,   // binary, left, right
        assign,   // left = right, or left binary= right where compound
        ternary,  // left ? right : third
        call,     // left(arguments), with explicit template arguments where it is a name
        index,    // left[right]
        member,   // left.name
        cast,     // type(left); static_cast<type>(left), (type)left, type{left}; left may be null: type()
    };
    Kind kind{};
    UnaryOp unary{};
    BinaryOp binary{};
    bool compound = false;
    bool is_unsigned = false, is_float = false;
    std::uint16_t depth = 1;  // of this subtree; at most max_nesting
    Range range;
    std::uint32_t integer = 0;
    double real = 0;
    std::string_view name;
    TypeName type;
    Expr* left = nullptr;
    Expr* right = nullptr;
    Expr* third = nullptr;
    std::vector<Expr*> arguments;
    std::vector<TypeName> template_types;  // call: f<float>(x)
};

struct Declarator {
    Range range;  // of the name
    std::string_view name;
    Expr* initial = nullptr;  // may be null
};

struct Statement {
    enum class Kind : std::uint8_t {
        block,        // body
        declaration,  // type, declarators
        expression,   // condition
        if_else,      // condition, body[0], body[1] where there is an else
        loop,         // init; condition; step; body[0]. while and for; a condition may be null
        do_while,     // body[0], condition
        return_,      // condition, may be null
        break_,
        continue_,
        empty,
    };
    Kind kind{};
    Range range;
    Expr* condition = nullptr;
    Expr* step = nullptr;
    Statement* init = nullptr;
    std::vector<Statement*> body;
    TypeName type;
    std::vector<Declarator> declarators;
};

struct Parameter {
    Range range;
    TypeName type;
    std::string_view name;  // may be empty
};

struct Function {
    Range range;       // of the whole definition
    Range name_range;  // of the name
    std::string_view name;
    std::vector<std::string_view> template_parameters;  // typename NAME
    TypeName result;
    std::vector<Parameter> parameters;
    Statement* body = nullptr;
};

struct Program {
    std::deque<Expr> expressions;  // owned here, so that taking a tree down needs no stack
    std::deque<Statement> statements;
    std::vector<Function> functions;
    std::vector<Statement*> constants;  // declarations outside functions, in order
};

// Parses a whole file. The tree's names point into `source`, which must outlive it.
Parsed<Program> parse(std::string_view source);

}  // namespace auditorium::simt
