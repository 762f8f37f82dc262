// From the tree to instructions: names, types, conversions and the order of evaluation, as C++ has them.
// Every rule that C++ and the interpreter could disagree on is an error here, never a silent guess.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "simt/arithmetic.h"
#include "simt/code.h"

namespace auditorium::simt {
namespace {

constexpr std::size_t max_instructions = 100'000;
constexpr std::size_t max_instances = 256;
constexpr std::size_t max_work = 1'000'000;
constexpr int max_slots = 4096;

enum class Kind : std::uint8_t { void_, boolean, int_, unsigned_, float_, double_, shared, op, index3 };

struct Type {
    Kind kind = Kind::void_;
    trace::Op op{};           // op: which
    std::string_view spoken;  // index3: threadIdx, blockDim, ...
    friend bool operator==(const Type& a, const Type& b) { return a.kind == b.kind && a.op == b.op; }
};
constexpr Type void_type{Kind::void_, {}, {}}, bool_type{Kind::boolean, {}, {}}, int_type{Kind::int_, {}, {}},
    unsigned_type{Kind::unsigned_, {}, {}}, float_type{Kind::float_, {}, {}},
    double_type{Kind::double_, {}, {}}, shared_type{Kind::shared, {}, {}};

bool is_integral(Type type) {
    return type.kind == Kind::boolean || type.kind == Kind::int_ || type.kind == Kind::unsigned_;
}
bool is_number(Type type) {
    return is_integral(type) || type.kind == Kind::float_ || type.kind == Kind::double_;
}

std::string spoken(Type type) {
    constexpr const char* words[] = {
        "void",        "a bool", "an int", "an unsigned", "a float", "a double", "the shared buffer",
        "an operation"};
    if (type.kind == Kind::index3)
        return std::string(type.spoken);
    return words[static_cast<std::size_t>(type.kind)];
}

// What an expression leaves behind: a number in a slot, or something known while compiling.
struct Value {
    Type type;
    std::uint16_t slot = no_slot;
    double number = 0;  // double: the literal
};

struct Symbol {
    std::string_view name;
    Type type;
    bool is_const = false;
    bool is_reference = false;  // the slot holds the place of the variable
    std::uint16_t slot = no_slot;
};

// One function with one set of template arguments.
struct Instance {
    const Function* function = nullptr;
    std::vector<std::pair<std::string_view, Type>> types;  // template parameters
    std::vector<Type> parameters;
    Type result;
};

struct Failure {};  // unwinds the compiler; the error is kept aside. Never leaves this file.

class Compiler {
  public:
    Compiler(const Program& program, const LaunchShape& shape) : program_(program), shape_(shape) {}

    Parsed<Code> run() {
        try {
            launch();
            std::size_t done = 0;
            while (done < instances_.size())
                function(done++);
            // Functions that nobody calls are held to the same rules, where they can be without template
            // arguments.
            for (const Function& other : program_.functions)
                if (other.template_parameters.empty())
                    add_uncalled(other);
            while (done < instances_.size())
                function(done++);
        } catch (const Failure&) {
            return tl::unexpected(std::move(error_));
        }
        return std::move(code_);
    }

  private:
    [[noreturn]] void fail(const Range& range, std::string sentence) {
        error_ = SourceError{range, std::move(sentence)};
        throw Failure{};
    }

    Type element_type() const { return shape_.type == trace::Type::f32 ? float_type : int_type; }

    // ---- instructions and slots

    Instruction& emit(Opcode op, std::uint32_t line) {
        if (code_.instructions.size() >= max_instructions)
            fail(Range{0, 0, line, 1}, "The text is too long to be interpreted.");
        Instruction& instruction = code_.instructions.emplace_back();
        instruction.op = op;
        instruction.line = static_cast<std::uint16_t>(line);
        return instruction;
    }
    std::uint32_t here() const { return static_cast<std::uint32_t>(code_.instructions.size()); }

    std::uint16_t new_slot(const Range& range) {
        if (next_slot_ >= max_slots)
            fail(range, "This function needs more variables than the interpreter has room for.");
        const int slot = next_slot_++;
        most_slots_ = std::max(most_slots_, next_slot_);
        return static_cast<std::uint16_t>(slot);
    }

    std::uint16_t place(std::uint16_t wanted, const Range& range) {
        return wanted != no_slot ? wanted : new_slot(range);
    }

    Value immediate(Type type, Bits bits, const Range& range, std::uint16_t wanted = no_slot) {
        const std::uint16_t slot = place(wanted, range);
        Instruction& instruction = emit(Opcode::immediate, range.line);
        instruction.dst = slot;
        instruction.immediate = bits;
        return Value{type, slot, 0};
    }
    Value unary(Opcode op, Type type, const Value& a, const Range& range, std::uint16_t wanted = no_slot) {
        const std::uint16_t slot = place(wanted, range);
        Instruction& instruction = emit(op, range.line);
        instruction.dst = slot;
        instruction.a = a.slot;
        return Value{type, slot, 0};
    }
    Value binary(Opcode op, Type type, const Value& a, const Value& b, const Range& range,
                 std::uint16_t wanted = no_slot) {
        const std::uint16_t slot = place(wanted, range);
        Instruction& instruction = emit(op, range.line);
        instruction.dst = slot;
        instruction.a = a.slot;
        instruction.b = b.slot;
        return Value{type, slot, 0};
    }
    void copy(std::uint16_t to, std::uint16_t from, const Range& range) {
        if (to == from)
            return;
        Instruction& instruction = emit(Opcode::copy, range.line);
        instruction.dst = to;
        instruction.a = from;
    }

    // ---- types

    Type resolve(const TypeName& name) {
        Type type;
        if (name.name == "void")
            type = void_type;
        else if (name.name == "bool")
            type = bool_type;
        else if (name.name == "int")
            type = int_type;
        else if (name.name == "unsigned")
            type = unsigned_type;
        else if (name.name == "float")
            type = float_type;
        else if (name.name == "T")
            type = element_type();
        else if (name.name == "Shared")
            type = shared_type;
        else if (name.name == "auto")
            fail(name.range, "auto is understood only where a variable gets its initial value.");
        else {
            const Type* bound = template_type(name.name);
            if (!bound)
                fail(name.range, fmt::format("There is no type {}.", name.name));
            type = *bound;
        }
        if (name.is_pointer) {
            if (name.name != "T" && type.kind != Kind::float_ && type.kind != Kind::int_)
                fail(name.range, "Of the pointers only T*, the shared buffer, is understood here.");
            if (!(type == element_type()))
                fail(name.range, "The shared buffer's elements are of type T.");
            type = shared_type;
        }
        return type;
    }
    const Type* template_type(std::string_view name) const {
        for (const auto& [parameter, type] : instance_types_)
            if (parameter == name)
                return &type;
        return nullptr;
    }

    // Converts to a number type; keeps the slot where the bits stay the same.
    Value convert(const Value& value, Type to, const Range& range, std::uint16_t wanted = no_slot) {
        if (!is_number(to) || !is_number(value.type))
            fail(range, fmt::format("This is {}, where {} is needed.", spoken(value.type), spoken(to)));
        if (value.type.kind == Kind::double_) {
            switch (to.kind) {
                case Kind::double_:
                    return value;
                case Kind::float_:
                    return immediate(to, bits_of(static_cast<float>(value.number)), range, wanted);
                case Kind::boolean:
                    return immediate(to, value.number != 0, range, wanted);
                default: {
                    const double whole = std::trunc(value.number);
                    const double low = to.kind == Kind::int_ ? -2147483648.0 : 0.0;
                    const double high = to.kind == Kind::int_ ? 2147483647.0 : 4294967295.0;
                    if (!(whole >= low && whole <= high))
                        fail(range, fmt::format("This number does not fit {}.", spoken(to)));
                    return immediate(
                        to, static_cast<Bits>(static_cast<std::uint64_t>(static_cast<std::int64_t>(whole))),
                        range, wanted);
                }
            }
        }
        if (to.kind == Kind::double_)
            fail(range, no_double);
        if (to.kind == Kind::boolean) {
            if (value.type.kind == Kind::boolean)
                return value;
            return unary(value.type.kind == Kind::float_ ? Opcode::bool_of_float : Opcode::bool_of_int, to,
                         value, range, wanted);
        }
        if (to.kind == Kind::float_) {
            if (value.type.kind == Kind::float_)
                return value;
            return unary(
                value.type.kind == Kind::unsigned_ ? Opcode::float_of_unsigned : Opcode::float_of_int, to,
                value, range, wanted);
        }
        if (value.type.kind == Kind::float_)
            return unary(to.kind == Kind::int_ ? Opcode::int_of_float : Opcode::unsigned_of_float, to, value,
                         range, wanted);
        return Value{to, value.slot, 0};
    }
    static constexpr const char* no_double =
        "Arithmetic in double is not interpreted: write T(0.5) or 0.5f instead of 0.5.";

    // ---- names

    const Symbol* find(std::string_view name) const {
        for (auto it = symbols_.rbegin(); it != symbols_.rend(); ++it)
            if (it->name == name)
                return &*it;
        return nullptr;
    }
    void declare(const Symbol& symbol, const Range& range) {
        for (std::size_t i = scope_begin_; i < symbols_.size(); ++i)
            if (symbols_[i].name == symbol.name)
                fail(range, fmt::format("There is already a variable {} here.", symbol.name));
        if (symbols_.size() >= max_slots)
            fail(range, "This function has more variables than the interpreter has room for.");
        symbols_.push_back(symbol);
    }

    struct Scope {
        explicit Scope(Compiler& compiler)
            : compiler_(compiler),
              symbols_(compiler.symbols_.size()),
              begin_(compiler.scope_begin_),
              slot_(compiler.next_slot_) {
            compiler.scope_begin_ = symbols_;
        }
        ~Scope() {
            compiler_.symbols_.resize(symbols_);
            compiler_.scope_begin_ = begin_;
            compiler_.next_slot_ = slot_;
        }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        Compiler& compiler_;
        std::size_t symbols_, begin_;
        int slot_;
    };

    // ---- the launch

    void launch() {
        const Function* entry = nullptr;
        for (const Function& function : program_.functions)
            if (function.name == shape_.function) {
                if (entry)
                    fail(function.name_range,
                         fmt::format("There are two functions {}; a launch calls one.", function.name));
                entry = &function;
            }
        if (!entry)
            fail(Range{}, fmt::format("There is no function {}, which the launch calls.", shape_.function));

        Instance instance;
        instance.function = entry;
        for (const std::string_view name : entry->template_parameters) {
            Type type{Kind::op, shape_.op, {}};
            if (name == "Sum")
                type.op = trace::Op::sum;
            else if (name == "Max")
                type.op = trace::Op::max;
            else if (name == "Min")
                type.op = trace::Op::min;
            else if (name != "Op")
                fail(
                    entry->name_range,
                    fmt::format("The launch does not know what {} stands for; it knows Op, Sum, Max and Min.",
                                name));
            instance.types.emplace_back(name, type);
        }
        instance_types_ = instance.types;

        const std::uint16_t input = new_slot(entry->range);
        const std::uint16_t thread = new_slot(entry->range);
        code_.input_slot = input;
        emit(Opcode::thread, 0).dst = thread;
        std::vector<std::uint16_t> arguments;
        std::vector<std::uint16_t> outputs;  // T& parameters, in order
        const auto place_of = [&](std::uint16_t slot, const Range& range) {
            const std::uint16_t address = new_slot(range);
            Instruction& instruction = emit(Opcode::address, 0);
            instruction.dst = address;
            instruction.a = slot;
            return address;
        };
        bool has_input = false, has_thread = false;
        for (const Parameter& parameter : entry->parameters) {
            const Type type = resolve(parameter.type);
            instance.parameters.push_back(type);
            const bool reference = by_reference(parameter, type);
            if (reference && !parameter.type.is_const && type == element_type()) {
                outputs.push_back(new_slot(parameter.range));
                arguments.push_back(place_of(outputs.back(), parameter.range));
            } else if (type.kind == Kind::shared || type.kind == Kind::op) {
                arguments.push_back(no_slot);
            } else if (reference && !parameter.type.is_const) {
                fail(parameter.range, "A launch takes results through T& parameters only.");
            } else if (type == element_type() && parameter.type.name != "int" && !has_input) {
                has_input = true;
                arguments.push_back(reference ? place_of(input, parameter.range) : input);
            } else if (type.kind == Kind::int_ && !has_thread) {
                has_thread = true;
                arguments.push_back(reference ? place_of(thread, parameter.range) : thread);
            } else {
                fail(parameter.range,
                     fmt::format(
                         "The launch does not know what to give for {}; it gives the value (T), the shared "
                         "buffer (Shared), the thread's number (int) and the operation (Op).",
                         parameter.name.empty() ? "this parameter" : parameter.name));
            }
        }
        instance.result = resolve(entry->result);
        const bool returns = instance.result.kind != Kind::void_;
        if (returns && !(instance.result == element_type()))
            fail(entry->result.range, "The function that a launch calls returns a T.");
        const int per_call = static_cast<int>(outputs.size()) + (returns ? 1 : 0);
        if (per_call != shape_.results_per_call)
            fail(entry->name_range,
                 fmt::format("A call of {} gives {} result{}, but the launch expects {}.", entry->name,
                             per_call, per_call == 1 ? "" : "s", shape_.results_per_call));
        const std::uint32_t function = add_instance(std::move(instance), entry->range);
        const std::uint16_t result = new_slot(entry->range);
        const int calls = shape_.results / shape_.results_per_call;
        for (int call = 0; call < calls; ++call) {
            if (call > 0 && shape_.barrier_between_calls)
                barrier(0);
            for (const std::uint16_t slot : outputs)
                emit(Opcode::undefined, 0).dst = slot;
            emit_call(function, arguments, returns ? result : no_slot, 0);
            int number = call * per_call;
            for (const std::uint16_t slot : outputs)
                give_result(number++, slot);
            if (returns)
                give_result(number, result);
        }
        emit(Opcode::exit, 0);
        code_.slots = static_cast<std::uint16_t>(most_slots_);
    }

    void give_result(int number, std::uint16_t slot) {
        Instruction& instruction = emit(Opcode::result, 0);
        instruction.a = slot;
        instruction.immediate = static_cast<std::uint32_t>(number);
    }
    void barrier(std::uint32_t line) { emit(Opcode::barrier, line).immediate = code_.barrier_count++; }
    void emit_call(std::uint32_t function, const std::vector<std::uint16_t>& arguments, std::uint16_t result,
                   std::uint32_t line) {
        Instruction& instruction = emit(Opcode::call, line);
        instruction.target = static_cast<std::uint32_t>(code_.calls.size());
        instruction.dst = result;
        code_.calls.push_back(Call{function, arguments});
    }

    std::uint32_t add_instance(Instance instance, const Range& range) {
        for (std::size_t i = 0; i < instances_.size(); ++i)
            if (instances_[i].function == instance.function && instances_[i].types == instance.types &&
                instances_[i].parameters == instance.parameters)
                return static_cast<std::uint32_t>(i);
        if (instances_.size() >= max_instances)
            fail(range, "The text calls more functions than the interpreter has room for.");
        instances_.push_back(std::move(instance));
        return static_cast<std::uint32_t>(instances_.size() - 1);
    }

    // ---- functions

    void add_uncalled(const Function& function) {
        for (const Instance& instance : instances_)
            if (instance.function == &function)
                return;
        Instance instance;
        instance.function = &function;
        instance_types_.clear();
        for (const Parameter& parameter : function.parameters)
            instance.parameters.push_back(resolve(parameter.type));
        instance.result = resolve(function.result);
        add_instance(std::move(instance), function.range);
    }

    void function(std::size_t number) {
        const Function& function = *instances_[number].function;
        instance_types_ = instances_[number].types;
        result_type_ = instances_[number].result;
        symbols_.clear();
        scope_begin_ = 0;
        next_slot_ = 0;
        most_slots_ = 0;
        loops_ = 0;
        for (std::size_t i = 0; i < function.parameters.size(); ++i) {
            const Parameter& parameter = function.parameters[i];
            Symbol symbol;
            symbol.name = parameter.name;
            symbol.type = instances_[number].parameters[i];
            symbol.slot = new_slot(parameter.range);
            symbol.is_reference = by_reference(parameter, symbol.type);
            symbol.is_const = parameter.type.is_const && is_number(symbol.type);
            if (!parameter.name.empty())
                symbols_.push_back(symbol);
        }
        const std::uint32_t begin = here();
        if (function.body->kind == Statement::Kind::block)
            for (const Statement* child : function.body->body)
                statement(*child);
        if (result_type_.kind != Kind::void_ && !always_returns(*function.body))
            fail(function.name_range, fmt::format("{} can end without returning a value.", function.name));
        emit(Opcode::end_function, function.range.line);
        if (code_.functions.size() <= number)
            code_.functions.resize(number + 1);
        code_.functions[number] = CompiledFunction{begin, static_cast<std::uint16_t>(most_slots_)};
    }

    // Does nobody come past the end of `s`?
    static bool always_returns(const Statement& s) {
        switch (s.kind) {
            case Statement::Kind::return_:
                return true;
            case Statement::Kind::block:
                return std::any_of(s.body.begin(), s.body.end(),
                                   [](const Statement* child) { return always_returns(*child); });
            case Statement::Kind::if_else:
                return s.body.size() == 2 && always_returns(*s.body[0]) && always_returns(*s.body[1]);
            case Statement::Kind::do_while:
                if (always_returns(*s.body[0]) && !leaves(*s.body[0]))
                    return true;
                [[fallthrough]];
            case Statement::Kind::loop: {
                const Expr* c = s.condition;
                const bool endless =
                    !c ||
                    ((c->kind == Expr::Kind::boolean || c->kind == Expr::Kind::integer) && c->integer != 0);
                return endless && !leaves(*s.body[0]);
            }
            default:
                return false;
        }
    }
    // Is there a `break` of the loop whose body is `s`?
    static bool leaves(const Statement& s) {
        if (s.kind == Statement::Kind::break_)
            return true;
        if (s.kind == Statement::Kind::loop || s.kind == Statement::Kind::do_while)
            return false;
        return std::any_of(s.body.begin(), s.body.end(),
                           [](const Statement* child) { return leaves(*child); });
    }

    static bool by_reference(const Parameter& parameter, Type type) {
        return parameter.type.is_reference && is_number(type);
    }

    // ---- statements

    void statement(const Statement& s) {
        const int temporaries = next_slot_;
        switch (s.kind) {
            case Statement::Kind::block: {
                const Scope scope(*this);
                for (const Statement* child : s.body)
                    statement(*child);
                break;
            }
            case Statement::Kind::declaration:
                declaration(s);
                return;  // its variables keep their slots
            case Statement::Kind::expression:
                emit(Opcode::turn, s.range.line);
                discard(*s.condition);
                break;
            case Statement::Kind::if_else:
                if_else(s);
                break;
            case Statement::Kind::loop:
                loop(s);
                break;
            case Statement::Kind::do_while:
                do_while(s);
                break;
            case Statement::Kind::return_:
                return_statement(s);
                break;
            case Statement::Kind::break_:
            case Statement::Kind::continue_: {
                const bool is_break = s.kind == Statement::Kind::break_;
                if (loops_ == 0)
                    fail(s.range, fmt::format("This {} is in no loop.", is_break ? "break" : "continue"));
                emit(is_break ? Opcode::break_ : Opcode::continue_, s.range.line);
                break;
            }
            case Statement::Kind::empty:
                break;
        }
        next_slot_ = temporaries;
    }

    void declaration(const Statement& s) {
        for (const Declarator& declarator : s.declarators) {
            emit(Opcode::turn, declarator.range.line);
            Symbol symbol;
            symbol.name = declarator.name;
            symbol.is_const = s.type.is_const;
            if (!declarator.initial) {
                if (s.type.name == "auto" || s.type.is_reference || s.type.is_const)
                    fail(declarator.range, fmt::format("{} needs an initial value.", declarator.name));
                symbol.type = resolve(s.type);
                if (!is_number(symbol.type))
                    fail(s.type.range, fmt::format("A variable cannot be {}.", spoken(symbol.type)));
                symbol.slot = new_slot(declarator.range);
                emit(Opcode::undefined, declarator.range.line).dst = symbol.slot;
                declare(symbol, declarator.range);
                continue;
            }
            const Expr& initial = *declarator.initial;
            if (s.type.is_reference) {
                // A second name for a variable; a const one may also name a value of its own, like a
                // variable.
                const Symbol* other = initial.kind == Expr::Kind::name ? find(initial.name) : nullptr;
                const bool names = other && is_number(other->type);
                const Type type = s.type.name != "auto" ? resolve(s.type) : names ? other->type : void_type;
                if (!names && !s.type.is_const)
                    fail(initial.range, "A reference is understood only to a variable.");
                if (names && !(type == other->type) && !s.type.is_const)
                    fail(initial.range, fmt::format("This is {}, and the reference is to {}.",
                                                    spoken(other->type), spoken(type)));
                if (names && other->is_const && !s.type.is_const)
                    fail(initial.range, fmt::format("{} is const, and the reference is not.", initial.name));
                if (names && type == other->type) {
                    symbol = *other;
                    symbol.name = declarator.name;
                    symbol.is_const = s.type.is_const;
                    declare(symbol, declarator.range);
                    continue;
                }
            }
            const bool deduced = s.type.name == "auto";
            Type type = deduced ? Type{} : resolve(s.type);
            if (!deduced && type.kind == Kind::shared) {
                const Value value = expression(initial);
                if (value.type.kind != Kind::shared)
                    fail(initial.range, "The shared buffer is needed here.");
                symbol.type = type;
                declare(symbol, declarator.range);
                continue;
            }
            if (!deduced && !is_number(type))
                fail(s.type.range, fmt::format("A variable cannot be {}.", spoken(type)));
            const std::uint16_t slot = new_slot(declarator.range);
            const int temporaries = next_slot_;
            Value value = expression(initial, slot);
            if (deduced) {
                if (initial.kind == Expr::Kind::index && value.type == element_type())
                    fail(s.type.range, "auto would make this a name for the box, not a copy; write T.");
                type = value.type;
                if (type.kind == Kind::double_)
                    fail(initial.range, no_double);
                if (!is_number(type))
                    fail(initial.range, fmt::format("A variable cannot be {}.", spoken(type)));
            }
            value = convert(value, type, initial.range, slot);
            copy(slot, value.slot, declarator.range);
            next_slot_ = temporaries;
            symbol.type = type;
            symbol.slot = slot;
            declare(symbol, declarator.range);
        }
    }

    Value condition(const Expr& expr) { return convert(expression(expr), bool_type, expr.range); }

    void if_else(const Statement& s) {
        const Scope scope(*this);
        emit(Opcode::turn, s.condition->range.line);
        const Value value = condition(*s.condition);
        const std::uint32_t branch = here();
        emit(Opcode::if_, s.range.line).a = value.slot;
        inner(*s.body[0]);
        code_.instructions[branch].target = here();
        if (s.body.size() > 1) {
            const std::uint32_t other = here();
            emit(Opcode::else_, s.range.line);
            inner(*s.body[1]);
            code_.instructions[other].target = here();
        }
        emit(Opcode::end_if, s.range.line);
    }
    void inner(const Statement& s) {
        const Scope scope(*this);
        statement(s);
    }

    void loop(const Statement& s) {
        const Scope scope(*this);
        if (s.init)
            statement(*s.init);
        emit(Opcode::loop, s.range.line);
        const std::uint32_t top = here();
        const int temporaries = next_slot_;
        const std::uint32_t line = s.condition ? s.condition->range.line : s.range.line;
        emit(Opcode::turn, line);
        std::uint16_t slot = no_slot;
        if (s.condition)
            slot = condition(*s.condition).slot;
        const std::uint32_t test = here();
        emit(Opcode::loop_test, line).a = slot;
        next_slot_ = temporaries;
        ++loops_;
        inner(*s.body[0]);
        --loops_;
        emit(Opcode::loop_resume, s.range.line);
        if (s.step)
            discard(*s.step);
        next_slot_ = temporaries;
        emit(Opcode::loop_next, s.range.line).target = top;
        code_.instructions[test].target = here();
        emit(Opcode::loop_end, s.range.line);
    }

    void do_while(const Statement& s) {
        const Scope scope(*this);
        emit(Opcode::loop, s.range.line);
        const std::uint32_t top = here();
        emit(Opcode::turn, s.range.line);
        ++loops_;
        inner(*s.body[0]);
        --loops_;
        emit(Opcode::loop_resume, s.range.line);
        emit(Opcode::turn, s.condition->range.line);
        const Value value = condition(*s.condition);
        const std::uint32_t test = here();
        emit(Opcode::loop_test, s.condition->range.line).a = value.slot;
        emit(Opcode::loop_next, s.range.line).target = top;
        code_.instructions[test].target = here();
        emit(Opcode::loop_end, s.range.line);
    }

    void return_statement(const Statement& s) {
        emit(Opcode::turn, s.range.line);
        if (!s.condition) {
            if (result_type_.kind != Kind::void_)
                fail(s.range,
                     fmt::format("This function returns {}; return needs a value.", spoken(result_type_)));
            emit(Opcode::return_, s.range.line);
            return;
        }
        if (result_type_.kind == Kind::void_)
            fail(s.condition->range, "This function returns nothing; return takes no value.");
        const Value value = convert(expression(*s.condition), result_type_, s.condition->range);
        emit(Opcode::return_, s.range.line).a = value.slot;
    }

    // ---- expressions

    // For its effect alone.
    void discard(const Expr& e) {
        if (e.kind == Expr::Kind::assign) {
            assign(e, true);
        } else if (e.kind == Expr::Kind::unary && e.unary >= UnaryOp::pre_inc) {
            increment(e, true);
        } else if (e.kind == Expr::Kind::binary && e.binary == BinaryOp::comma) {
            discard(*e.left);
            discard(*e.right);
        } else if (e.kind == Expr::Kind::index) {
            box(e);  // naming a box reads nothing
        } else {
            expression(e);
        }
    }

    // The value of `e`, in slot `wanted` where that is convenient. `wanted` is written last, when every
    // operand has been read.
    Value expression(const Expr& e, std::uint16_t wanted = no_slot) {
        if (++work_ > max_work)
            fail(e.range, "The text is too long to be interpreted.");
        switch (e.kind) {
            case Expr::Kind::integer:
                return immediate(e.is_unsigned ? unsigned_type : int_type, e.integer, e.range, wanted);
            case Expr::Kind::boolean:
                return immediate(bool_type, e.integer, e.range, wanted);
            case Expr::Kind::real:
                if (e.is_float)
                    return immediate(float_type, bits_of(static_cast<float>(e.real)), e.range, wanted);
                return Value{double_type, no_slot, e.real};
            case Expr::Kind::name:
                return name(e, wanted);
            case Expr::Kind::unary:
                return unary_expression(e, wanted);
            case Expr::Kind::binary:
                return binary_expression(e, wanted);
            case Expr::Kind::assign:
                return assign(e, false);
            case Expr::Kind::ternary:
                return ternary(e);
            case Expr::Kind::call:
                return call(e, wanted);
            case Expr::Kind::index:
                return load(e, wanted);
            case Expr::Kind::member:
                return member(e, wanted);
            case Expr::Kind::cast:
                return cast(e, wanted);
        }
        fail(e.range, "This is not understood.");
    }
    // A value that lies in a slot: no double, no buffer.
    Value number(const Expr& e, std::uint16_t wanted = no_slot) {
        const Value value = expression(e, wanted);
        if (value.type.kind == Kind::double_)
            fail(e.range, no_double);
        if (!is_number(value.type))
            fail(e.range, fmt::format("This is {}, where a number is needed.", spoken(value.type)));
        return value;
    }
    Value integer(const Expr& e) {
        const Value value = number(e);
        if (!is_integral(value.type))
            fail(e.range, fmt::format("This is {}, where an integer is needed.", spoken(value.type)));
        return value;
    }

    Value name(const Expr& e, std::uint16_t wanted) {
        if (const Symbol* symbol = find(e.name)) {
            if (!symbol->is_reference)
                return Value{symbol->type, symbol->slot, 0};
            return unary(Opcode::load_reference, symbol->type, Value{symbol->type, symbol->slot, 0}, e.range,
                         wanted);
        }
        for (const Statement* s : program_.constants)
            for (const Declarator& declarator : s->declarators)
                if (declarator.name == e.name)
                    return constant(*s, declarator, e, wanted);
        if (e.name == "threadIdx" || e.name == "blockDim" || e.name == "blockIdx" || e.name == "gridDim")
            return Value{Type{Kind::index3, {}, e.name}, no_slot, 0};
        if (e.name == "warpSize")
            return immediate(int_type, trace::warp_size, e.range, wanted);
        if (e.name == "INT_MAX")
            return immediate(int_type, 0x7fffffffu, e.range, wanted);
        if (e.name == "INT_MIN")
            return immediate(int_type, 0x80000000u, e.range, wanted);
        if (e.name == "UINT_MAX")
            return immediate(unsigned_type, ~Bits(0), e.range, wanted);
        if (e.name == "INFINITY")
            return immediate(float_type, 0x7f800000u, e.range, wanted);
        if (e.name == "FLT_MAX")
            return immediate(float_type, 0x7f7fffffu, e.range, wanted);
        for (const Function& function : program_.functions)
            if (function.name == e.name)
                fail(e.range, fmt::format("{} is a function; call it with ( ).", e.name));
        fail(e.range, fmt::format("There is no variable {}.", e.name));
    }

    Value constant(const Statement& s, const Declarator& declarator, const Expr& use, std::uint16_t wanted) {
        if (!declarator.initial)
            fail(declarator.range, fmt::format("{} needs an initial value.", declarator.name));
        if (std::find(constants_open_.begin(), constants_open_.end(), &declarator) != constants_open_.end())
            fail(use.range, fmt::format("{} is defined by itself.", declarator.name));
        if (constants_open_.size() >= 16)
            fail(use.range, "More than 16 constants are defined by one another here.");
        constants_open_.push_back(&declarator);
        // Constants see no variables of the function that uses them.
        std::vector<Symbol> hidden;
        hidden.swap(symbols_);
        const std::size_t begin = std::exchange(scope_begin_, 0);
        Value value = expression(*declarator.initial, wanted);
        const Type type = s.type.name == "auto" ? value.type : resolve(s.type);
        value = convert(value, type, declarator.initial->range, wanted);
        hidden.swap(symbols_);
        scope_begin_ = begin;
        constants_open_.pop_back();
        return value;
    }

    Value member(const Expr& e, std::uint16_t wanted) {
        const Value left = expression(*e.left);
        if (left.type.kind == Kind::op && e.name == "identity")
            fail(e.range, "identity is a function; call it with ( ).");
        if (left.type.kind != Kind::index3)
            fail(e.range, fmt::format("{} has no member {}.", spoken(left.type), e.name));
        if (e.name != "x" && e.name != "y" && e.name != "z")
            fail(e.range, fmt::format("{} has the members x, y and z, no {}.", left.type.spoken, e.name));
        const bool is_dim = left.type.spoken == "blockDim" || left.type.spoken == "gridDim";
        if (left.type.spoken == "threadIdx" && e.name == "x") {
            const std::uint16_t slot = place(wanted, e.range);
            emit(Opcode::thread, e.range.line).dst = slot;
            return Value{unsigned_type, slot, 0};
        }
        Bits bits = is_dim ? 1 : 0;
        if (left.type.spoken == "blockDim" && e.name == "x")
            bits = static_cast<Bits>(shape_.block);
        return immediate(unsigned_type, bits, e.range, wanted);
    }

    Value unary_expression(const Expr& e, std::uint16_t wanted) {
        if (e.unary >= UnaryOp::pre_inc)
            return increment(e, false);
        if (e.unary == UnaryOp::logical_not)
            return unary(Opcode::logical_not, bool_type, condition(*e.left), e.range, wanted);
        const Value value = expression(*e.left);
        if (value.type.kind == Kind::double_) {
            if (e.unary == UnaryOp::bit_not)
                fail(e.range, no_double);
            return Value{double_type, no_slot, e.unary == UnaryOp::minus ? -value.number : value.number};
        }
        if (!is_number(value.type))
            fail(e.left->range, fmt::format("This is {}, where a number is needed.", spoken(value.type)));
        const Type type = value.type.kind == Kind::boolean ? int_type : value.type;
        switch (e.unary) {
            case UnaryOp::plus:
                return Value{type, value.slot, 0};
            case UnaryOp::minus:
                return unary(type.kind == Kind::float_ ? Opcode::negate_float : Opcode::negate, type, value,
                             e.range, wanted);
            default:
                if (type.kind == Kind::float_)
                    fail(e.range, "The bits of a float cannot be turned over.");
                return unary(Opcode::bit_not, type, value, e.range, wanted);
        }
    }

    static Type common(Type a, Type b) {
        if (a.kind == Kind::float_ || b.kind == Kind::float_)
            return float_type;
        if (a.kind == Kind::unsigned_ || b.kind == Kind::unsigned_)
            return unsigned_type;
        return int_type;
    }

    // a op b for numbers in slots; the usual arithmetic conversions.
    Value arithmetic(BinaryOp op, const Value& a, const Value& b, const Range& range, std::uint16_t wanted) {
        if (op == BinaryOp::shl || op == BinaryOp::shr) {
            if (!is_integral(a.type) || !is_integral(b.type))
                fail(range, fmt::format("{} needs integers on both sides.", spelling(op)));
            const Type type = a.type.kind == Kind::unsigned_ ? unsigned_type : int_type;
            const Opcode right =
                type.kind == Kind::unsigned_ ? Opcode::shift_right_unsigned : Opcode::shift_right_int;
            return binary(op == BinaryOp::shl ? Opcode::shift_left : right, type, a, b, range, wanted);
        }
        const Type type = common(a.type, b.type);
        const Value x = convert(a, type, range), y = convert(b, type, range);
        const bool real = type.kind == Kind::float_, natural = type.kind == Kind::unsigned_;
        const auto make = [&](Opcode of_float, Opcode of_int, Opcode of_unsigned) {
            return binary(real ? of_float : natural ? of_unsigned : of_int, type, x, y, range, wanted);
        };
        const auto test = [&](Opcode of_float, Opcode of_int, Opcode of_unsigned, bool swapped) {
            return binary(real      ? of_float
                          : natural ? of_unsigned
                                    : of_int,
                          bool_type, swapped ? y : x, swapped ? x : y, range, wanted);
        };
        const auto bitwise = [&](Opcode of_int) {
            if (real)
                fail(range, fmt::format("{} needs integers on both sides.", spelling(op)));
            return binary(of_int, type, x, y, range, wanted);
        };
        switch (op) {
            case BinaryOp::add:
                return make(Opcode::add_float, Opcode::add, Opcode::add);
            case BinaryOp::sub:
                return make(Opcode::sub_float, Opcode::sub, Opcode::sub);
            case BinaryOp::mul:
                return make(Opcode::mul_float, Opcode::mul, Opcode::mul);
            case BinaryOp::div:
                return make(Opcode::div_float, Opcode::div_int, Opcode::div_unsigned);
            case BinaryOp::rem:
                if (real)
                    fail(range, "% needs integers on both sides.");
                return make(Opcode::rem_int, Opcode::rem_int, Opcode::rem_unsigned);
            case BinaryOp::bit_and:
                return bitwise(Opcode::bit_and);
            case BinaryOp::bit_or:
                return bitwise(Opcode::bit_or);
            case BinaryOp::bit_xor:
                return bitwise(Opcode::bit_xor);
            case BinaryOp::less:
                return test(Opcode::less_float, Opcode::less_int, Opcode::less_unsigned, false);
            case BinaryOp::greater:
                return test(Opcode::less_float, Opcode::less_int, Opcode::less_unsigned, true);
            case BinaryOp::less_equal:
                return test(Opcode::less_equal_float, Opcode::less_equal_int, Opcode::less_equal_unsigned,
                            false);
            case BinaryOp::greater_equal:
                return test(Opcode::less_equal_float, Opcode::less_equal_int, Opcode::less_equal_unsigned,
                            true);
            case BinaryOp::equal:
                return test(Opcode::equal_float, Opcode::equal, Opcode::equal, false);
            case BinaryOp::not_equal:
                return test(Opcode::not_equal_float, Opcode::not_equal, Opcode::not_equal, false);
            default:
                fail(range, "This is not understood.");
        }
    }

    Value binary_expression(const Expr& e, std::uint16_t wanted) {
        if (e.binary == BinaryOp::comma) {
            discard(*e.left);
            return expression(*e.right, wanted);
        }
        if (e.binary == BinaryOp::logical_and || e.binary == BinaryOp::logical_or)
            return logical(e);
        Value a = expression(*e.left);
        if (a.type.kind == Kind::double_)
            fail(e.left->range, no_double);
        if (a.type.kind == Kind::shared)
            fail(e.range, "Pointers are not part of the subset that is interpreted; write shared[i].");
        if (!is_number(a.type))
            fail(e.left->range, fmt::format("This is {}, where a number is needed.", spoken(a.type)));
        if (changes(*e.right))
            a = keep(a, e.left->range);
        const Value b = number(*e.right);
        return arithmetic(e.binary, a, b, e.range, wanted);
    }

    // Could evaluating `e` change a variable?
    static bool changes(const Expr& e) {
        switch (e.kind) {
            case Expr::Kind::assign:
                return true;
            case Expr::Kind::unary:
                return e.unary >= UnaryOp::pre_inc || changes(*e.left);
            case Expr::Kind::call:
                return true;
            default:
                break;
        }
        for (const Expr* child : {e.left, e.right, e.third})
            if (child && changes(*child))
                return true;
        return false;
    }
    // A copy of a variable's value as it is now.
    Value keep(const Value& value, const Range& range) {
        if (value.slot == no_slot)
            return value;
        return unary(Opcode::copy, value.type, value, range);
    }

    Value logical(const Expr& e) {
        const bool is_and = e.binary == BinaryOp::logical_and;
        const std::uint16_t slot = new_slot(e.range);
        const Value a = convert(expression(*e.left, no_slot), bool_type, e.left->range);
        copy(slot, a.slot, e.range);
        Value test{bool_type, slot, 0};
        if (!is_and)
            test = unary(Opcode::logical_not, bool_type, test, e.range);
        const std::uint32_t branch = here();
        emit(Opcode::if_, e.range.line).a = test.slot;
        const Value b = convert(expression(*e.right), bool_type, e.right->range);
        copy(slot, b.slot, e.range);
        code_.instructions[branch].target = here();
        emit(Opcode::end_if, e.range.line);
        return Value{bool_type, slot, 0};
    }

    // The type of `e`, without keeping what it compiles to.
    Type type_of(const Expr& e) {
        const std::size_t instructions = code_.instructions.size(), calls = code_.calls.size();
        const int slot = next_slot_;
        const std::uint32_t barriers = code_.barrier_count;
        const Type type = expression(e).type;
        code_.instructions.resize(instructions);
        code_.calls.resize(calls);
        code_.barrier_count = barriers;
        next_slot_ = slot;
        return type;
    }

    Value ternary(const Expr& e) {
        // Both sides are compiled once to learn their types and once for good; nested ones would double that
        // at every level, so their number is bounded.
        if (++ternaries_open_ > 6)
            fail(e.range, "More than 6 ?: inside one another are not understood.");
        const Type one = type_of(*e.right), other = type_of(*e.third);
        --ternaries_open_;
        Type type;
        if (one.kind == Kind::double_ || other.kind == Kind::double_) {
            // A double literal meets a T: in CUDA the whole would be a double.
            fail(one.kind == Kind::double_ ? e.right->range : e.third->range, no_double);
        } else if (one == other) {
            type = one;
        } else if (is_number(one) && is_number(other)) {
            const Expr& named = e.right->kind == Expr::Kind::index ? *e.right : *e.third;
            if (named.kind == Expr::Kind::index && one.kind != other.kind)
                fail(e.range, "One side is a box and the other is of another type: write T(0) for a T.");
            type = common(one, other);
        } else {
            fail(e.range, fmt::format("One side is {}, the other is {}.", spoken(one), spoken(other)));
        }
        if (!is_number(type))
            fail(e.range, "?: chooses between numbers here.");
        const std::uint16_t slot = new_slot(e.range);
        const Value test = condition(*e.left);
        const std::uint32_t branch = here();
        emit(Opcode::if_, e.range.line).a = test.slot;
        const Value a = convert(expression(*e.right), type, e.right->range);
        copy(slot, a.slot, e.range);
        code_.instructions[branch].target = here();
        const std::uint32_t middle = here();
        emit(Opcode::else_, e.range.line);
        const Value b = convert(expression(*e.third), type, e.third->range);
        copy(slot, b.slot, e.range);
        code_.instructions[middle].target = here();
        emit(Opcode::end_if, e.range.line);
        return Value{type, slot, 0};
    }

    Value cast(const Expr& e, std::uint16_t wanted) {
        if (e.type.is_reference)
            fail(e.type.range, "A cast to a reference is not understood.");
        const Type type = resolve(e.type);
        if (type.kind == Kind::op && !e.left)
            return Value{type, no_slot, 0};
        if (!is_number(type))
            fail(e.range, fmt::format("Nothing can be made into {} here.", spoken(type)));
        if (!e.left)
            return immediate(type, 0, e.range, wanted);
        return convert(expression(*e.left, wanted), type, e.range, wanted);
    }

    // ---- shared memory

    // The index of shared[i], which must be an expression of kind index.
    Value box(const Expr& e) {
        const Value buffer = expression(*e.left);
        if (buffer.type.kind != Kind::shared)
            fail(e.left->range, "Only the shared buffer can be indexed here.");
        return integer(*e.right);
    }
    Value load(const Expr& e, std::uint16_t wanted) {
        return unary(Opcode::load, element_type(), box(e), e.range, wanted);
    }
    void store(const Expr& target, const Value& index, const Value& value) {
        Instruction& instruction = emit(Opcode::store, target.range.line);
        instruction.a = index.slot;
        instruction.b = value.slot;
    }

    // ---- variables

    const Symbol& variable(const Expr& e) {
        if (e.kind != Expr::Kind::name)
            fail(e.range, "Only a variable or a box of the shared buffer can be changed.");
        const Symbol* symbol = find(e.name);
        if (!symbol) {
            for (const Statement* s : program_.constants)
                for (const Declarator& declarator : s->declarators)
                    if (declarator.name == e.name)
                        fail(e.range, fmt::format("{} is const and cannot be changed.", e.name));
            fail(e.range, fmt::format("There is no variable {}.", e.name));
        }
        if (!is_number(symbol->type))
            fail(e.range, fmt::format("{} is {} and cannot be changed.", e.name, spoken(symbol->type)));
        if (symbol->is_const)
            fail(e.range, fmt::format("{} is const and cannot be changed.", e.name));
        return *symbol;
    }
    void set(const Symbol& symbol, const Value& value, const Range& range) {
        if (!symbol.is_reference)
            return copy(symbol.slot, value.slot, range);
        Instruction& instruction = emit(Opcode::store_reference, range.line);
        instruction.a = symbol.slot;
        instruction.b = value.slot;
    }

    Value assign(const Expr& e, bool discarded) {
        if (e.left->kind == Expr::Kind::index) {
            if (!discarded)
                fail(e.range, "Storing in shared memory is a statement of its own here.");
            const Value given = expression(*e.right);  // C++17: the right side first
            if (!e.compound) {
                const Value value = convert(given, element_type(), e.right->range);
                store(*e.left, box(*e.left), value);
            } else {
                if (given.type.kind == Kind::double_)
                    fail(e.right->range, no_double);
                if (!is_number(given.type))
                    fail(e.right->range,
                         fmt::format("This is {}, where a number is needed.", spoken(given.type)));
                const Value index = box(*e.left);
                const Value old = unary(Opcode::load, element_type(), index, e.left->range);
                const Value made = arithmetic(e.binary, old, given, e.range, no_slot);
                store(*e.left, index, convert(made, element_type(), e.range));
            }
            return Value{};
        }
        const Symbol symbol = variable(*e.left);
        const std::uint16_t target = symbol.is_reference ? no_slot : symbol.slot;
        if (!e.compound) {
            Value value = expression(*e.right, target);
            value = convert(value, symbol.type, e.right->range, target);
            set(symbol, value, e.range);
            return symbol.is_reference ? value : Value{symbol.type, symbol.slot, 0};
        }
        const Value given = number(*e.right);
        const Value old = name(*e.left, no_slot);
        Value made = arithmetic(e.binary, old, given, e.range, no_slot);
        made = convert(made, symbol.type, e.range, target);
        set(symbol, made, e.range);
        return symbol.is_reference ? made : Value{symbol.type, symbol.slot, 0};
    }

    Value increment(const Expr& e, bool discarded) {
        const bool up = e.unary == UnaryOp::pre_inc || e.unary == UnaryOp::post_inc;
        const bool after = e.unary == UnaryOp::post_inc || e.unary == UnaryOp::post_dec;
        const BinaryOp op = up ? BinaryOp::add : BinaryOp::sub;
        if (e.left->kind == Expr::Kind::index) {
            if (!discarded)
                fail(e.range, "Storing in shared memory is a statement of its own here.");
            const Value index = box(*e.left);
            const Value old = unary(Opcode::load, element_type(), index, e.left->range);
            const Value made = arithmetic(op, old, immediate(int_type, 1, e.range), e.range, no_slot);
            store(*e.left, index, convert(made, element_type(), e.range));
            return Value{};
        }
        const Symbol symbol = variable(*e.left);
        if (symbol.type.kind == Kind::boolean)
            fail(e.range, "A bool cannot be counted up or down.");
        Value old = name(*e.left, no_slot);
        if (after && !discarded)
            old = keep(old, e.range);
        const Value made = arithmetic(op, old, immediate(int_type, 1, e.range), e.range, no_slot);
        set(symbol, made, e.range);
        if (after)
            return old;
        return symbol.is_reference ? made : Value{symbol.type, symbol.slot, 0};
    }

    // ---- calls

    Value call(const Expr& e, std::uint16_t wanted) {
        const Expr& callee = *e.left;
        if (callee.kind == Expr::Kind::member && callee.name == "identity") {
            const Value left = expression(*callee.left);
            if (left.type.kind == Kind::op) {
                if (!e.arguments.empty())
                    fail(e.range, "identity takes no arguments.");
                return identity(left.type.op, e.range, wanted);
            }
        }
        if (callee.kind == Expr::Kind::name) {
            const Symbol* symbol = find(callee.name);
            if (symbol && symbol->type.kind == Kind::op)
                return combine(symbol->type.op, e, wanted);
            if (symbol)
                fail(callee.range,
                     fmt::format("{} is {} and cannot be called.", callee.name, spoken(symbol->type)));
            const Function* chosen = nullptr;
            bool known = false;
            for (const Function& function : program_.functions) {
                if (function.name != callee.name)
                    continue;
                known = true;
                if (function.parameters.size() != e.arguments.size())
                    continue;
                if (chosen)
                    fail(callee.range,
                         fmt::format(
                             "There are two functions {} that take {} argument{}; here functions of one name "
                             "differ in the number of their parameters.",
                             callee.name, e.arguments.size(), e.arguments.size() == 1 ? "" : "s"));
                chosen = &function;
            }
            if (chosen)
                return call_function(*chosen, e, wanted);
            if (known)
                fail(e.range, fmt::format("{} does not take {} argument{}.", callee.name, e.arguments.size(),
                                          e.arguments.size() == 1 ? "" : "s"));
            return builtin(e, wanted);
        }
        if (callee.kind == Expr::Kind::cast && !callee.left) {
            const Value left = expression(callee);
            if (left.type.kind == Kind::op)
                return combine(left.type.op, e, wanted);
        }
        fail(callee.range, "This cannot be called.");
    }

    Value identity(trace::Op op, const Range& range, std::uint16_t wanted) {
        const bool real = shape_.type == trace::Type::f32;
        Bits bits = 0;
        if (op == trace::Op::max)
            bits = real ? 0xff800000u : 0x80000000u;
        else if (op == trace::Op::min)
            bits = real ? 0x7f800000u : 0x7fffffffu;
        return immediate(element_type(), bits, range, wanted);
    }

    Value combine(trace::Op op, const Expr& e, std::uint16_t wanted) {
        if (e.arguments.size() != 2)
            fail(e.range, "The operation takes two arguments.");
        Value a = convert(expression(*e.arguments[0]), element_type(), e.arguments[0]->range);
        if (changes(*e.arguments[1]))
            a = keep(a, e.arguments[0]->range);
        const Value b = convert(expression(*e.arguments[1]), element_type(), e.arguments[1]->range);
        const bool real = shape_.type == trace::Type::f32;
        Opcode code = real ? Opcode::add_float : Opcode::add;
        if (op == trace::Op::max)
            code = real ? Opcode::max_float : Opcode::max_int;
        else if (op == trace::Op::min)
            code = real ? Opcode::min_float : Opcode::min_int;
        const Value value = binary(Opcode::combine, element_type(), a, b, e.range, wanted);
        code_.instructions.back().immediate = static_cast<std::uint32_t>(code);
        return value;
    }

    Value call_function(const Function& function, const Expr& e, std::uint16_t wanted) {
        Instance instance;
        instance.function = &function;
        if (e.template_types.size() > function.template_parameters.size())
            fail(e.range, fmt::format("{} has {} template parameter{}.", function.name,
                                      function.template_parameters.size(),
                                      function.template_parameters.size() == 1 ? "" : "s"));
        for (std::size_t i = 0; i < e.template_types.size(); ++i)
            instance.types.emplace_back(function.template_parameters[i], resolve(e.template_types[i]));
        const auto bound = [&](std::string_view name) -> const Type* {
            for (const auto& [parameter, type] : instance.types)
                if (parameter == name)
                    return &type;
            return nullptr;
        };
        // The arguments, in order, each kept where a later one could change it; then what they say about the
        // template.
        std::vector<Value> values(e.arguments.size());
        std::vector<std::uint16_t> slots(e.arguments.size(), no_slot);
        bool references = false;
        for (std::size_t i = 0; i < e.arguments.size(); ++i) {
            const Parameter& parameter = function.parameters[i];
            const Expr& argument = *e.arguments[i];
            if (parameter.type.is_reference && argument.kind == Expr::Kind::name) {
                const Symbol* symbol = find(argument.name);
                const bool fits = symbol && is_number(symbol->type) &&
                                  (!parameter.type.is_const || may_be(function, parameter, symbol->type));
                if (fits) {
                    const Symbol target = parameter.type.is_const ? *symbol : variable(argument);
                    references = true;
                    values[i] = Value{target.type, target.slot, 0};
                    if (target.is_reference)
                        slots[i] = target.slot;
                    else
                        slots[i] = unary(Opcode::address, int_type, values[i], argument.range).slot;
                    continue;
                }
            }
            values[i] = expression(argument);
            if (parameter.type.is_reference && !parameter.type.is_const && is_number(values[i].type))
                fail(argument.range,
                     fmt::format("{} takes a variable here, since it may change it.", function.name));
            for (std::size_t j = i + 1; j < e.arguments.size(); ++j)
                if (changes(*e.arguments[j])) {
                    values[i] = keep(values[i], argument.range);
                    break;
                }
        }
        for (std::size_t i = 0; i < e.arguments.size(); ++i) {
            const Parameter& parameter = function.parameters[i];
            const bool is_template =
                std::find(function.template_parameters.begin(), function.template_parameters.end(),
                          parameter.type.name) != function.template_parameters.end();
            if (!is_template)
                continue;
            if (parameter.type.is_pointer)
                fail(parameter.range, "A pointer to a template parameter's type is not understood.");
            Type type = values[i].type;
            if (type.kind == Kind::double_)
                fail(e.arguments[i]->range, no_double);
            if (type.kind == Kind::index3 || type.kind == Kind::void_)
                fail(e.arguments[i]->range, fmt::format("{} cannot be handed over.", spoken(type)));
            if (const Type* known = bound(parameter.type.name)) {
                if (!(*known == type) && !(is_number(*known) && is_number(type) && !e.template_types.empty()))
                    fail(e.arguments[i]->range,
                         fmt::format("{} would have to be {} and {}.", parameter.type.name, spoken(*known),
                                     spoken(type)));
            } else {
                instance.types.emplace_back(parameter.type.name, type);
            }
        }
        for (const std::string_view name : function.template_parameters)
            if (!bound(name))
                fail(e.range, fmt::format("What {} is cannot be told from this call.", name));
        // In the order of the template's parameters, so that one instance serves every call like it.
        std::sort(instance.types.begin(), instance.types.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });

        auto outer = std::exchange(instance_types_, instance.types);
        for (std::size_t i = 0; i < e.arguments.size(); ++i)
            instance.parameters.push_back(resolve(function.parameters[i].type));
        instance.result = resolve(function.result);
        if (function.result.is_reference)
            fail(function.result.range, "A function that returns a reference is not understood.");
        if (instance.result.kind != Kind::void_ && !is_number(instance.result))
            fail(function.result.range,
                 fmt::format("A function cannot return {} here.", spoken(instance.result)));
        instance_types_ = std::move(outer);

        for (std::size_t i = 0; i < e.arguments.size(); ++i) {
            const Type type = instance.parameters[i];
            const Range& range = e.arguments[i]->range;
            if (slots[i] != no_slot) {  // a reference
                if (!(values[i].type == type))
                    fail(range, fmt::format("This is {}, and {} takes {}.", spoken(values[i].type),
                                            function.name, spoken(type)));
            } else if (is_number(type)) {
                Value value = convert(values[i], type, range);
                if (by_reference(function.parameters[i],
                                 type)) {  // const: to a copy that only this call knows
                    value = keep(value, range);
                    value = unary(Opcode::address, int_type, value, range);
                }
                slots[i] = value.slot;
            } else if (!(values[i].type == type)) {
                fail(range, fmt::format("This is {}, and {} takes {}.", spoken(values[i].type), function.name,
                                        spoken(type)));
            }
        }
        const Type result = instance.result;
        const std::uint32_t number = add_instance(std::move(instance), e.range);
        std::uint16_t slot = no_slot;
        if (result.kind != Kind::void_)
            slot = references ? new_slot(e.range) : place(wanted, e.range);
        emit_call(number, slots, slot, e.range.line);
        return Value{result, slot, 0};
    }

    // Is `type` exactly what the parameter is declared as? A template parameter becomes whatever it is given.
    bool may_be(const Function& function, const Parameter& parameter, Type type) {
        if (std::find(function.template_parameters.begin(), function.template_parameters.end(),
                      parameter.type.name) != function.template_parameters.end())
            return true;
        return resolve(parameter.type) == type;
    }

    void take_arguments(const Expr& e, std::size_t least, std::size_t most) {
        if (e.arguments.size() >= least && e.arguments.size() <= most)
            return;
        const std::string count =
            least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
        fail(e.range, fmt::format("{} takes {} argument{}.", e.left->name, count, most == 1 ? "" : "s"));
    }

    Value builtin(const Expr& e, std::uint16_t wanted) {
        const std::string_view name = e.left->name;
        if (name == "__syncthreads") {
            take_arguments(e, 0, 0);
            barrier(e.range.line);
            return Value{};
        }
        if (name == "__syncwarp") {
            take_arguments(e, 0, 1);
            const Value mask =
                e.arguments.empty() ? immediate(unsigned_type, ~Bits(0), e.range) : integer(*e.arguments[0]);
            emit(Opcode::sync_warp, e.range.line).a = mask.slot;
            return Value{};
        }
        constexpr std::pair<std::string_view, Shuffle> shuffles[] = {
            {"__shfl_down_sync", Shuffle::down},
            {"__shfl_up_sync", Shuffle::up},
            {"__shfl_xor_sync", Shuffle::exclusive_or},
            {"__shfl_sync", Shuffle::from}};
        for (const auto& [text, kind] : shuffles)
            if (name == text)
                return shuffle(e, kind, wanted);
        if (name == "max" || name == "min" || name == "fmaxf" || name == "fminf") {
            take_arguments(e, 2, 2);
            Value a = number(*e.arguments[0]);
            if (changes(*e.arguments[1]))
                a = keep(a, e.arguments[0]->range);
            const Value b = number(*e.arguments[1]);
            const bool is_max = name == "max" || name == "fmaxf";
            const Type type = name[0] == 'f' ? float_type : common(a.type, b.type);
            const Value x = convert(a, type, e.range), y = convert(b, type, e.range);
            Opcode op = is_max ? Opcode::max_int : Opcode::min_int;
            if (type.kind == Kind::float_)
                op = is_max ? Opcode::max_float : Opcode::min_float;
            else if (type.kind == Kind::unsigned_)
                op = is_max ? Opcode::max_unsigned : Opcode::min_unsigned;
            return binary(op, type, x, y, e.range, wanted);
        }
        if (name == "abs" || name == "fabsf") {
            take_arguments(e, 1, 1);
            Value a = number(*e.arguments[0]);
            if (name == "fabsf")
                a = convert(a, float_type, e.range);
            if (a.type.kind == Kind::unsigned_)
                fail(e.range, "abs of an unsigned is the value itself.");
            const bool real = a.type.kind == Kind::float_;
            return unary(real ? Opcode::absolute_float : Opcode::absolute_int, real ? float_type : int_type,
                         a, e.range, wanted);
        }
        fail(e.left->range, fmt::format("There is no function {} here.", name));
    }

    Value shuffle(const Expr& e, Shuffle kind, std::uint16_t wanted) {
        take_arguments(e, 3, 4);
        Value mask = integer(*e.arguments[0]);
        Value value = number(*e.arguments[1]);
        if (value.type.kind == Kind::boolean)
            value.type = int_type;
        if (!(value.type == element_type()))
            fail(e.arguments[1]->range,
                 fmt::format("A shuffle hands over a T here, and this is {}.", spoken(value.type)));
        Value argument = integer(*e.arguments[2]);
        // Later arguments may have changed the variables that earlier ones name.
        if (changes(*e.arguments[1]) || changes(*e.arguments[2]))
            fail(e.range, "Write what changes a variable before the shuffle, not inside it.");
        const Value width = e.arguments.size() > 3 ? integer(*e.arguments[3])
                                                   : immediate(int_type, trace::warp_size, e.range);
        const std::uint16_t slot = place(wanted, e.range);
        Instruction& instruction = emit(Opcode::shuffle, e.range.line);
        instruction.dst = slot;
        instruction.a = mask.slot;
        instruction.b = value.slot;
        instruction.c = argument.slot;
        instruction.immediate = static_cast<std::uint32_t>(kind);
        instruction.target = width.slot;
        return Value{value.type, slot, 0};
    }

    const Program& program_;
    const LaunchShape& shape_;
    Code code_;
    SourceError error_;
    std::vector<Instance> instances_;

    // Of the function that is being compiled:
    std::vector<std::pair<std::string_view, Type>> instance_types_;
    Type result_type_;
    std::vector<Symbol> symbols_;
    std::size_t scope_begin_ = 0;
    int next_slot_ = 0, most_slots_ = 0;
    int loops_ = 0;
    std::vector<const Declarator*> constants_open_;
    int ternaries_open_ = 0;
    std::size_t work_ = 0;  // expressions compiled so far
};

}  // namespace

Parsed<Code> compile(const Program& program, const LaunchShape& shape) {
    return Compiler(program, shape).run();
}

}  // namespace auditorium::simt
