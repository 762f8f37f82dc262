// What is said about a text that cannot be run: file:line:column: one sentence.
#include "tests/simt/support.h"

namespace auditorium {
namespace {

struct Wrong {
    const char* source;
    const char* sentence;
};

void expect_all(std::initializer_list<Wrong> all) {
    for (const Wrong& wrong : all) {
        const auto trace = run_text(wrong.source, floats(32));
        ASSERT_FALSE(trace) << wrong.source;
        EXPECT_EQ(trace.error().sentence, wrong.sentence) << wrong.source;
        EXPECT_EQ(trace.error().status, ExitStatus::bad_input);
    }
}
void expect_in_body(std::initializer_list<Wrong> all) {
    for (const Wrong& wrong : all) {
        const auto trace = run_text(body(wrong.source), floats(32));
        ASSERT_FALSE(trace) << wrong.source;
        EXPECT_EQ(trace.error().sentence, std::string("test.cuh:2:") + wrong.sentence) << wrong.source;
        EXPECT_EQ(trace.error().status, ExitStatus::bad_input);
    }
}

TEST(Errors, of_the_tokens) {
    expect_in_body({
        {"return 1 $ 2;", "10: The character $ means nothing here."},
        {"return \xc3\xa4;", "8: The byte 0xc3 means nothing here."},
        {"return 'a';", "8: The character ' means nothing here."},
        {"return \"a\";", "8: The character \" means nothing here."},
        {"return 12x;", "8: 12x is no number that is understood here: only u may follow it."},
        {"return 1.5q;", "8: 1.5q is no number that is understood here: only f may follow it."},
        {"return 1e;", "8: 1e is no number that is understood here: its digits are not in order."},
        {"return 1e99f;", "8: 1e99f is no number that is understood here: it does not fit."},
        {"return 09;", "8: 09 is no number that is understood here: its digits are not in order."},
        {"return 0x;", "8: 0x is no number that is understood here: its digits are not in order."},
        {"return 99999999999;",
         "8: 99999999999 is no number that is understood here: it does not fit 32 bits."},
        {"return 3000000000;",
         "8: 3000000000 is no number that is understood here: it does not fit an int; write u behind it for "
         "an "
         "unsigned."},
        {"return val; /* for ever", "13: This comment is not closed with */."},
    });
    expect_all({{"#include <cuda.h>\n",
                 "test.cuh:1:1: Of the preprocessor's lines only #pragma is understood here."}});
}

TEST(Errors, of_the_grammar) {
    expect_in_body({
        {"return val", "11: A ; is missing here, after return."},
        {"val = 1\n", "8: A ; is missing here, after the statement."},
        {"T x = 1 T y = 2;", "8: A ; is missing here, after the declaration."},
        {"if (tid < 3 { }", "13: ) was expected after the condition, but here is {."},
        {"if tid < 3) { }", "4: ( was expected after if, but here is tid."},
        {"for (int i = 0; i < 3) { }", "22: A ; is missing here, after the condition of for."},
        {"else val = 1;", "1: This else has no if."},
        {"return (1 + 2;", "14: ) was expected to close the ( before, but here is ;."},
        {"return 1 + ;", "12: An expression was expected, but here is ;."},
        {"return shared[tid;", "18: ] was expected after the index, but here is ;."},
        {"return val ? 1;", "15: : was expected in condition ? one : other, but here is ;."},
        {"return int;", "8: int is a type, not a value."},
        {"int 3 = 4;", "5: A variable's name was expected, but here is 3."},
        {"int if = 4;", "5: A variable's name was expected, but here is if."},
        {"double x = 1;",
         "1: The type double is not part of the subset that is interpreted: use T, int, unsigned, bool or "
         "float."},
        {"switch (tid) { }", "1: The word switch is not part of the subset that is interpreted."},
        {"goto end;", "1: The word goto is not part of the subset that is interpreted."},
        {"int x[3];", "6: Arrays are not part of the subset that is interpreted."},
        {"return *shared;", "8: Pointers are not part of the subset that is interpreted; write shared[i]."},
        {"return a->b;", "9: Pointers are not part of the subset that is interpreted."},
        {"return std::max(1, 2);", "11: Names with :: are not part of the subset that is interpreted."},
        {"__shared__ T x;",
         "1: The shared buffer is a parameter (Shared) here; __shared__ is not interpreted."},
        {"static int x = 0;", "1: static variables are not part of the subset that is interpreted."},
    });
    expect_all({
        {"", "test.cuh:1:1: There is no function block_reduce, which the launch calls."},
        {"__device__ T f(T val) {\n  if (val) {\n", "test.cuh:2:12: This { is not closed."},
        {"__device__ T f(T val) {", "test.cuh:1:23: This { is not closed."},
        {"template <int N> __device__ T f(T x) { return x; }",
         "test.cuh:1:11: typename was expected, but here is int: only types are template parameters here."},
        {"__global__ void k() { }",
         "test.cuh:1:1: Only __device__ functions are interpreted; the launch itself is made around them."},
        {"struct X { };", "test.cuh:1:1: The word struct is not part of the subset that is interpreted."},
        {"T x = 3;", "test.cuh:1:1: A variable outside a function must be const."},
        {"__device__ T f(T a, T a) { return a; }", "test.cuh:1:21: There is already a parameter a."},
        {"}", "test.cuh:1:1: A type was expected, but here is }."},
        {"__device__ T f(Q a) { return 1; }", "test.cuh:1:16: A type was expected, but here is Q."},
    });
}

TEST(Errors, of_the_meaning) {
    expect_in_body({
        {"return x;", "8: There is no variable x."},
        {"return vall(3);", "8: There is no function vall here."},
        {"return op;", "8: This is an operation, where a float is needed."},
        {"return shared;", "8: This is the shared buffer, where a float is needed."},
        {"return shared + 1;",
         "8: Pointers are not part of the subset that is interpreted; write shared[i]."},
        {"return val[0];", "8: Only the shared buffer can be indexed here."},
        {"return shared[val];", "15: This is a float, where an integer is needed."},
        {"return val % 2;", "8: % needs integers on both sides."},
        {"return val << 2;", "8: << needs integers on both sides."},
        {"return ~val;", "8: The bits of a float cannot be turned over."},
        {"return val * 0.5;",
         "14: Arithmetic in double is not interpreted: write T(0.5) or 0.5f instead of 0.5."},
        {"return tid ? val : 0.5;",
         "20: Arithmetic in double is not interpreted: write T(0.5) or 0.5f instead of 0.5."},
        {"return tid ? shared[0] : 0;",
         "8: One side is a box and the other is of another type: write T(0) for a T."},
        {"return;", "1: This function returns a float; return needs a value."},
        {"break;", "1: This break is in no loop."},
        {"if (tid) continue;", "10: This continue is in no loop."},
        {"int x = 1; int x = 2;", "16: There is already a variable x here."},
        {"const int x = 1; x = 2;", "18: x is const and cannot be changed."},
        {"1 = 2;", "1: Only a variable or a box of the shared buffer can be changed."},
        {"op = 2;", "1: op is an operation and cannot be changed."},
        {"op(1);", "1: The operation takes two arguments."},
        {"val(1);", "1: val is a float and cannot be called."},
        {"__syncthreads(1);", "1: __syncthreads takes 0 arguments."},
        {"val = __shfl_down_sync(val, 1);", "7: __shfl_down_sync takes 3 to 4 arguments."},
        {"val = __shfl_down_sync(~0u, tid, 1);", "29: A shuffle hands over a T here, and this is an int."},
        {"return __syncthreads();", "8: This is void, where a float is needed."},
        {"val = shared[0] = 1;", "7: Storing in shared memory is a statement of its own here."},
        {"auto x = shared[0];", "1: auto would make this a name for the box, not a copy; write T."},
        {"auto x;", "6: x needs an initial value."},
        {"T& x = shared[0];", "8: A reference is understood only to a variable."},
        {"int& x = val;", "10: This is a float, and the reference is to an int."},
        {"const int c = 1; int& x = c; return x;", "27: c is const, and the reference is not."},
        {"const int& x = tid; x = 2; return val;", "21: x is const and cannot be changed."},
        {"return blockDim;", "8: This is blockDim, where a float is needed."},
        {"return blockDim.w;", "8: blockDim has the members x, y and z, no w."},
        {"return val.x;", "8: a float has no member x."},
        {"return op.identity;", "8: identity is a function; call it with ( )."},
        {"return block_reduce;", "8: block_reduce is a function; call it with ( )."},
        {"return block_reduce(1);", "8: block_reduce does not take 1 argument."},
        {"bool b = true; ++b;", "16: A bool cannot be counted up or down."},
        {"void x;", "1: A variable cannot be void."},
    });
    expect_all({
        {"__device__ T block_reduce(T val) { return f(val); }\n__device__ T f(T& x) { return x; }\n"
         "__device__ T g() { return f(1.0f); }",
         "test.cuh:3:29: f takes a variable here, since it may change it."},
        {"__device__ int f(int a) { return a; }\n__device__ int f(float a) { return 1; }\n"
         "__device__ T block_reduce(T val) { return f(val); }",
         "test.cuh:3:43: There are two functions f that take 1 argument; here functions of one name differ "
         "in the "
         "number of their parameters."},
        {"__device__ T block_reduce(T val) { if (val > 0) return val; }",
         "test.cuh:1:14: block_reduce can end without returning a value."},
        {"__device__ T block_reduce(T val) { while (true) { if (val > 0) break; } }",
         "test.cuh:1:14: block_reduce can end without returning a value."},
        {"__device__ T block_reduce(T val) { }",
         "test.cuh:1:14: block_reduce can end without returning a value."},
        {"__device__ T block_reduce(T val) { return val; }\n__device__ int unused(int x) { return y; }",
         "test.cuh:2:39: There is no variable y."},
    });
}

TEST(Errors, of_the_launch) {
    expect_all({
        {"__device__ T block_reduce(T val, Shared shared, int tid, int more) { return val; }",
         "test.cuh:1:58: The launch does not know what to give for more; it gives the value (T), the shared "
         "buffer "
         "(Shared), the thread's number (int) and the operation (Op)."},
        {"template <typename Z> __device__ T block_reduce(T val, Z z) { return val; }",
         "test.cuh:1:36: The launch does not know what Z stands for; it knows Op, Sum, Max and Min."},
        {"__device__ void block_reduce(T val) { }",
         "test.cuh:1:17: A call of block_reduce gives 0 results, but the launch expects 1."},
        {"__device__ bool block_reduce(T val) { return val; }",
         "test.cuh:1:12: The function that a launch calls returns a T."},
        {"__device__ T block_reduce(T a) { return a; }\n__device__ T block_reduce(T a, int b) { return a; }",
         "test.cuh:2:14: There are two functions block_reduce; a launch calls one."},
        {"const int a = b; const int b = a; __device__ T block_reduce(T v) { return a; }",
         "test.cuh:1:32: a is defined by itself."},
    });
    auto config = floats(32);
    config.values.pop_back();
    EXPECT_EQ(run_text(body("return val;"), config).error().sentence,
              "The launch has 31 input values for 32 threads.");
    config.block = 0;
    EXPECT_EQ(run_text(body("return val;"), config).error().status, ExitStatus::usage);
    config.block = 1025;
    EXPECT_EQ(run_text(body("return val;"), config).error().sentence,
              "A block has 1 to 1024 threads, not 1025.");
    config = floats(32);
    config.calls = 17;
    EXPECT_EQ(run_text(body("return val;"), config).error().status, ExitStatus::usage);
    simt::Entry entry;
    entry.results = 2;
    config.calls = 3;
    EXPECT_EQ(simt::run(body("return val;"), entry, config).error().status, ExitStatus::usage);
}

TEST(Errors, name_the_kernels_own_file) {
    auto config = floats(32);
    config.kernel = "mine";
    EXPECT_EQ(simt::run("\n  x", {}, config).error().sentence,
              "mine.cuh:2:3: A type was expected, but here is x.");
}

}  // namespace
}  // namespace auditorium
