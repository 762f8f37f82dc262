#include "launch/gpu/runtime_timing.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <vector>

#include "launch/gpu/toolkit.h"

namespace auditorium::launch::gpu {
namespace {

struct CompileFailure {
    std::string why;
};

// NVRTC's functions, by what they are called. Its header is not needed to build this.
class Compiler {
  public:
    using Program = void*;

    Compiler() : library_(open_toolkit_library("libnvrtc.so")) {
        if (library_ == nullptr) {
            missing_ = "the CUDA Toolkit's NVRTC is missing";
            return;
        }
        find(create, "nvrtcCreateProgram");
        find(destroy, "nvrtcDestroyProgram");
        find(add_name, "nvrtcAddNameExpression");
        find(compile, "nvrtcCompileProgram");
        find(log_size, "nvrtcGetProgramLogSize");
        find(log, "nvrtcGetProgramLog");
        find(lowered_name, "nvrtcGetLoweredName");
        find(machine_code_size, "nvrtcGetCUBINSize");
        find(machine_code, "nvrtcGetCUBIN");
        find(ptx_size, "nvrtcGetPTXSize");
        find(ptx, "nvrtcGetPTX");
        find(architecture_count, "nvrtcGetNumSupportedArchs");
        find(architectures, "nvrtcGetSupportedArchs");
    }

    const std::string& missing() const { return missing_; }  // why nothing can be compiled; "": it can

    int (*create)(Program*, const char* text, const char* name, int count, const char* const* headers,
                  const char* const* names) = nullptr;
    int (*destroy)(Program*) = nullptr;
    int (*add_name)(Program, const char*) = nullptr;
    int (*compile)(Program, int count, const char* const* options) = nullptr;
    int (*log_size)(Program, std::size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*lowered_name)(Program, const char*, const char**) = nullptr;
    int (*machine_code_size)(Program, std::size_t*) = nullptr;
    int (*machine_code)(Program, char*) = nullptr;
    int (*ptx_size)(Program, std::size_t*) = nullptr;
    int (*ptx)(Program, char*) = nullptr;
    int (*architecture_count)(int*) = nullptr;
    int (*architectures)(int*) = nullptr;

  private:
    template <class Function>
    void find(Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(library_, name));
        if (function == nullptr) {
            missing_ = fmt::format("the CUDA Toolkit's NVRTC is too old: it has no {}", name);
        }
    }

    void* library_;
    std::string missing_;
};

void check_compiler(int result, const char* what) {
    if (result != 0) {
        throw CompileFailure{fmt::format("{} failed (NVRTC error {})", what, result)};
    }
}

// "contiguous_any" is the struct ContiguousAny of kernels/reductions.h, "block_reduce" the struct BlockReduce
// of launch/gpu/entries.cuh.
std::string struct_of(std::string_view name) {
    std::string out;
    bool begins = true;
    for (const char c : name) {
        if (c == '_') {
            begins = true;
            continue;
        }
        out += begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        begins = false;
    }
    return out;
}

std::string first_line(std::string_view log) {
    log = log.substr(0, std::min(log.find('\n'), std::size_t{300}));
    std::string line;
    for (const char c : log) {
        line += c >= ' ' && c <= '~' ? c : '?';
    }
    return line;
}

class Program {
  public:
    Program(const Compiler& compiler, const std::string& text) : compiler_(compiler) {
        std::vector<std::string> paths, texts;
        for (const DeviceText& device_text : device_texts()) {
            paths.emplace_back(device_text.path);
            texts.emplace_back(device_text.text);
        }
        std::set<std::string_view> files;
        for (const kernels::Kernel& kernel : kernels::all()) {
            if (files.insert(kernel.file).second) {
                paths.push_back("kernels/" + std::string(kernel.file));
                texts.emplace_back(kernel.source);
            }
        }
        std::vector<const char*> headers, names;
        for (std::size_t i = 0; i < paths.size(); ++i) {
            names.push_back(paths[i].c_str());
            headers.push_back(texts[i].c_str());
        }
        check_compiler(compiler.create(&program_, text.c_str(), "timing.cu", static_cast<int>(names.size()),
                                       headers.data(), names.data()),
                       "nvrtcCreateProgram");
    }
    ~Program() { compiler_.destroy(&program_); }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void want(const std::string& name) const {
        check_compiler(compiler_.add_name(program_, name.c_str()), "nvrtcAddNameExpression");
    }

    void compile(const std::string& architecture) const {
        const std::string option = "--gpu-architecture=" + architecture;
        // As the build has them: no contraction, as in the interpreter.
        const char* const options[] = {option.c_str(), "--std=c++20", "--fmad=false"};
        const int result = compiler_.compile(program_, static_cast<int>(std::size(options)), options);
        if (result == 0) {
            return;
        }
        std::size_t size = 0;
        std::string log;
        if (compiler_.log_size(program_, &size) == 0 && size > 1) {
            log.resize(size);
            if (compiler_.log(program_, log.data()) != 0) {
                log.clear();
            }
        }
        throw CompileFailure{fmt::format("NVRTC does not compile it: {}",
                                         log.empty() ? fmt::format("error {}", result) : first_line(log))};
    }

    std::string lowered(const std::string& name) const {
        const char* lowered = nullptr;
        check_compiler(compiler_.lowered_name(program_, name.c_str(), &lowered), "nvrtcGetLoweredName");
        return lowered;
    }

    std::string image(bool machine_code) const {
        std::size_t size = 0;
        std::string image;
        check_compiler((machine_code ? compiler_.machine_code_size : compiler_.ptx_size)(program_, &size),
                       "asking for the size of the code");
        image.resize(size);
        check_compiler((machine_code ? compiler_.machine_code : compiler_.ptx)(program_, image.data()),
                       "asking for the code");
        return image;
    }

  private:
    const Compiler& compiler_;
    Compiler::Program program_ = nullptr;
};

const char* const op_structs[] = {"Max", "Min", "Sum"};  // in the order of trace::Op
const char* const type_names[] = {"float", "int"};       // in the order of trace::Type

CompiledTiming compile_or_throw(const kernels::Kernel& kernel, trace::Op op, trace::Type type, int block,
                                int capability) {
    static const Compiler compiler;
    if (!compiler.missing().empty()) {
        throw CompileFailure{compiler.missing()};
    }
    const Timing* timing = find_timing(kernel.file);
    if (timing == nullptr) {
        throw CompileFailure{fmt::format("{} is not compiled for a GPU", kernel.id)};
    }
    int count = 0;
    check_compiler(compiler.architecture_count(&count), "nvrtcGetNumSupportedArchs");
    std::vector<int> known(static_cast<std::size_t>(count));
    check_compiler(compiler.architectures(known.data()), "nvrtcGetSupportedArchs");
    const bool knows = std::find(known.begin(), known.end(), capability) != known.end();
    int nearest = 0;
    for (const int one : known) {
        nearest = one <= capability ? std::max(nearest, one) : nearest;
    }
    if (nearest == 0) {
        throw CompileFailure{fmt::format("NVRTC knows no GPU as old as compute capability {}.{}",
                                         capability / 10, capability % 10)};
    }

    const auto begin = std::chrono::steady_clock::now();
    const std::string value = type_names[static_cast<std::size_t>(type)];
    const std::string arguments =
        fmt::format("{}, {}, {}, {}<{}>, {}{}*, {}", struct_of(kernel.file.substr(0, kernel.file.find('.'))),
                    struct_of(kernel.entry), value, op_structs[static_cast<std::size_t>(op)], value,
                    timing->volatile_boxes ? "volatile " : "", value, block);
    const std::string space = "auditorium::launch::gpu::";
    const std::string cycles = fmt::format("{}cycles<{}>", space, arguments);
    std::vector<std::string> timed;
    for (int group = 0; group < kernels::Points::groups; ++group) {
        timed.push_back(fmt::format("{}timed_group<{}, {}>", space, arguments, group));
    }
    const Program program(compiler,
                          "#include \"launch/gpu/timed_kernels.cuh\"\n"
                          "using namespace auditorium::launch::gpu;\n");
    program.want(cycles);
    for (const std::string& name : timed) {
        program.want(name);
    }
    program.compile(fmt::format("{}_{}", knows ? "sm" : "compute", nearest));

    CompiledTiming compiled;
    compiled.image = program.image(knows);
    compiled.cycles = program.lowered(cycles);
    for (std::size_t group = 0; group < compiled.timed.size(); ++group) {
        compiled.timed[group] = program.lowered(timed[group]);
    }
    compiled.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return compiled;
}

tl::unexpected<Error> not_compiled(int block, const std::string& why) {
    return fail(ExitStatus::device,
                fmt::format("No timed kernel could be made for a block of {}: {}.", block, why));
}

}  // namespace

Expected<std::shared_ptr<const CompiledTiming>> compile_timing(const kernels::Kernel& kernel, trace::Op op,
                                                               trace::Type type, int block, int major,
                                                               int minor) {
    using Key = std::tuple<std::string_view, trace::Op, trace::Type, int, int>;
    static std::mutex one_at_a_time;
    static std::map<Key, std::shared_ptr<const CompiledTiming>> all;
    const int capability = 10 * major + minor;
    const Key key{kernel.file, op, type, block, capability};
    {
        const std::lock_guard lock(one_at_a_time);
        if (const auto found = all.find(key); found != all.end()) {
            return found->second;
        }
    }
    try {
        auto compiled =
            std::make_shared<const CompiledTiming>(compile_or_throw(kernel, op, type, block, capability));
        const std::lock_guard lock(one_at_a_time);
        return all.emplace(key, std::move(compiled)).first->second;
    } catch (const CompileFailure& failure) {
        return not_compiled(block, failure.why);
    }
}

#if CUDART_VERSION >= 12080

Expected<std::unique_ptr<LoadedTiming>> LoadedTiming::load(const CompiledTiming& compiled, trace::Op op,
                                                           trace::Type type) {
    std::unique_ptr<LoadedTiming> loaded(new LoadedTiming);
    cudaLibrary_t library = nullptr;
    cudaError_t code =
        cudaLibraryLoadData(&library, compiled.image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
    loaded->library_ = library;
    const auto find = [&](PerOp& place, const std::string& name) {
        cudaKernel_t kernel = nullptr;
        if (code == cudaSuccess) {
            code = cudaLibraryGetKernel(&kernel, library, name.c_str());
        }
        place[static_cast<std::size_t>(op)][static_cast<std::size_t>(type)] = kernel;
    };
    find(loaded->constant_.cycles, compiled.cycles);
    for (std::size_t group = 0; group < compiled.timed.size(); ++group) {
        find(loaded->constant_.timed[group], compiled.timed[group]);
    }
    if (code != cudaSuccess) {
        cudaGetLastError();
        return fail(ExitStatus::device,
                    fmt::format("The timed kernel could not be loaded: {} (CUDA error {}).",
                                cudaGetErrorString(code), static_cast<int>(code)));
    }
    return loaded;
}

LoadedTiming::~LoadedTiming() {
    if (library_ != nullptr) {
        cudaLibraryUnload(static_cast<cudaLibrary_t>(library_));
    }
}

#else

Expected<std::unique_ptr<LoadedTiming>> LoadedTiming::load(const CompiledTiming&, trace::Op, trace::Type) {
    return fail(
        ExitStatus::device,
        "The timed kernel could not be loaded: this program was built with a CUDA Toolkit before 12.8.");
}

LoadedTiming::~LoadedTiming() = default;

#endif

}  // namespace auditorium::launch::gpu
