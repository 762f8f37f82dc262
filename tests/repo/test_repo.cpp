// What holds for the files of the project as a whole: which part may include which, no path or host of one
// machine, every dependency in the list of packages.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

const fs::path root = AUDITORIUM_SOURCE_DIR;

std::string text_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

// Every file of the project, relative to its root; builds and what git keeps are none.
std::vector<fs::path> project_files() {
    std::vector<fs::path> files;
    for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator(); ++it) {
        const fs::path relative = fs::relative(it->path(), root);
        const std::string top = relative.begin()->string();
        if (top.rfind("build", 0) == 0 || top == ".git" || top == "out") {
            it.disable_recursion_pending();
            continue;
        }
        if (it->is_regular_file())
            files.push_back(relative);
    }
    std::sort(files.begin(), files.end());
    return files;
}

bool is_text(const std::string& text) {
    return text.find('\0') == std::string::npos;
}

bool is_code(const fs::path& path) {
    const std::string e = path.extension().string();
    return e == ".h" || e == ".cpp" || e == ".cu" || e == ".cuh";
}

struct Include {
    fs::path file;
    std::string header;
    bool ours = false;  // written with quotes
};

std::vector<Include> includes_of(const fs::path& file, const std::string& text) {
    static const std::regex line(R"re(^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"])re",
                                 std::regex::ECMAScript | std::regex::multiline);
    std::vector<Include> found;
    for (auto it = std::sregex_iterator(text.begin(), text.end(), line); it != std::sregex_iterator(); ++it)
        found.push_back({file, (*it)[2], (*it)[1] == "\""});
    return found;
}

std::vector<Include> includes() {
    std::vector<Include> all;
    for (const fs::path& file : project_files()) {
        if (!is_code(file))
            continue;
        for (Include& include : includes_of(file, text_of(root / file)))
            all.push_back(std::move(include));
    }
    return all;
}

// The parts that each part may include. Arrows run one way: cli -> app -> analysis -> trace, app -> launch ->
// kernels, simt, trace; the commands that need no picture reach launch, analysis and trace without app.
const std::map<std::string, Names>& arrows() {
    static const std::map<std::string, Names> allowed = {
        {"trace", {}},
        {"kernels", {}},
        {"simt", {"trace"}},
        {"analysis", {"trace"}},
        {"launch", {"kernels", "simt", "trace"}},
        {"app", {"analysis", "launch", "kernels", "simt", "trace"}},
        {"cli", {"app", "analysis", "launch", "kernels", "simt", "trace", "bench"}},
    };
    return allowed;
}

std::string part_of(const fs::path& path) {
    return path.begin()->string();
}

TEST(Repo, arrows_run_one_way) {
    int seen = 0;
    for (const Include& include : includes()) {
        const std::string from = part_of(include.file), to = part_of(include.header);
        const auto rule = arrows().find(from);
        if (rule == arrows().end() || !include.ours || !arrows().count(to))
            continue;
        ++seen;
        EXPECT_TRUE(from == to || rule->second.count(to))
            << include.file.string() << " includes \"" << include.header << "\": " << from
            << " must not know " << to;
    }
    EXPECT_GT(seen, 10);
}

TEST(Repo, only_the_command_line_and_tests_include_the_app) {
    for (const Include& include : includes()) {
        const std::string from = part_of(include.file);
        if (part_of(include.header) != "app" || !include.ours)
            continue;
        EXPECT_TRUE(from == "app" || from == "cli" || from == "tests" || from == "bench")
            << include.file.string();
    }
}

// These parts must also compile for a browser.
TEST(Repo, no_cuda_gl_window_or_thread_in_trace_analysis_simt) {
    static const std::regex platform(
        R"(^(cuda.*|cupti.*|nvrtc.*|glad/.*|GL/.*|GLES.*|EGL/.*|GLFW/.*|imgui.*|thread|mutex|shared_mutex|atomic|)"
        R"(condition_variable|future|semaphore|pthread\.h|unistd\.h|sys/.*|dlfcn\.h)$)");
    for (const Include& include : includes()) {
        const std::string from = part_of(include.file);
        if (from != "trace" && from != "analysis" && from != "simt")
            continue;
        EXPECT_FALSE(std::regex_match(include.header, platform))
            << include.file.string() << " includes " << include.header;
    }
}

TEST(Repo, scene_playback_and_compare_know_no_gl_and_no_imgui) {
    static const std::regex drawing(
        R"(^(glad/.*|GL/.*|GLES.*|EGL/.*|GLFW/.*|imgui.*|app/(renderer|panels|hosts)/.*)$)");
    for (const Include& include : includes()) {
        const std::string path = include.file.generic_string();
        if (path.rfind("app/scene/", 0) != 0 && path.rfind("app/playback/", 0) != 0 &&
            path.rfind("app/compare/", 0) != 0)
            continue;
        EXPECT_FALSE(std::regex_match(include.header, drawing)) << path << " includes " << include.header;
    }
}

TEST(Repo, gl_draws_are_in_the_renderer_alone) {
    static const std::regex draw(R"(\bglDraw(Arrays|Elements)\w*\s*\()");
    for (const fs::path& file : project_files()) {
        if (!is_code(file) || part_of(file) != "app")
            continue;
        if (file.generic_string().rfind("app/renderer/", 0) == 0)
            continue;
        EXPECT_FALSE(std::regex_search(text_of(root / file), draw)) << file.string();
    }
}

// The includes that this test reads are found whatever their spacing.
TEST(Repo, include_lines_are_recognised) {
    const auto found =
        includes_of("x.cpp", "#include <a/b.h>\n  #  include \"trace/trace.h\"\n// #include \"no.h\"\n");
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].header, "a/b.h");
    EXPECT_FALSE(found[0].ours);
    EXPECT_EQ(found[1].header, "trace/trace.h");
    EXPECT_TRUE(found[1].ours);
}

TEST(Repo, headers_are_included_once) {
    for (const fs::path& file : project_files()) {
        if (file.extension() != ".h")
            continue;
        EXPECT_NE(text_of(root / file).find("#pragma once"), std::string::npos) << file.string();
    }
}

// A path that exists on one person's machine, or a host that one machine uses, helps nobody else.
TEST(Repo, no_path_or_host_of_one_machine) {
    static const std::regex path(
        R"re((^|[\s"'`(=:])/(home/(?!somebody/|somebody")|root/|work/|Users/|mnt/|srv/))re");
    static const std::regex url(R"re(\b(https?|ftp|git|ssh)://([A-Za-z0-9.-]+))re");
    static const Names hosts = {
        "github.com",     "www.w3.org",        "scripts.sil.org",    "openfontlicense.org",
        "rsms.me",        "www.jetbrains.com", "docs.nvidia.com",    "developer.nvidia.com",
        "www.glfw.org",   "fmt.dev",           "www.khronos.org",    "flatbuffers.dev",
        "www.apache.org", "opensource.org",    "creativecommons.org"};
    for (const fs::path& file : project_files()) {
        const std::string text = text_of(root / file);
        if (!is_text(text))
            continue;
        std::istringstream lines(text);
        std::string line;
        for (int number = 1; std::getline(lines, line); ++number) {
            EXPECT_FALSE(std::regex_search(line, path)) << file.string() << ":" << number << ": " << line;
            for (auto it = std::sregex_iterator(line.begin(), line.end(), url); it != std::sregex_iterator();
                 ++it)
                EXPECT_TRUE(hosts.count((*it)[2])) << file.string() << ":" << number << ": " << (*it)[2];
        }
    }
}

TEST(Repo, nothing_admits_to_being_unfinished) {
    static const std::regex mark(
        "\\b(TO"
        "DO|FIX"
        "ME|XX"
        "X|HA"
        "CK)\\b");
    for (const fs::path& file : project_files()) {
        const std::string text = text_of(root / file);
        if (!is_text(text))
            continue;
        EXPECT_FALSE(std::regex_search(text, mark)) << file.string();
    }
}

TEST(Repo, no_file_over_two_mebibytes) {
    for (const fs::path& file : project_files())
        EXPECT_LE(fs::file_size(root / file), 2u << 20) << file.string();
}

struct Package {
    std::string name, group, why;
};

std::vector<Package> packages() {
    std::vector<Package> all;
    std::istringstream lines(text_of(root / "third_party/packages.txt"));
    std::string line;
    while (std::getline(lines, line)) {
        if (line.empty() || line[0] == '#')
            continue;
        Package p;
        std::istringstream words(line);
        words >> p.name >> p.group;
        const auto hash = line.find('#');
        if (hash != std::string::npos)
            p.why = line.substr(hash + 1);
        all.push_back(p);
    }
    return all;
}

TEST(Repo, the_list_of_packages_is_well_formed) {
    static const Names groups = {"core", "app", "fonts", "test", "bench"};
    Names seen;
    for (const Package& p : packages()) {
        EXPECT_TRUE(groups.count(p.group)) << p.name << " is in the group \"" << p.group << "\"";
        EXPECT_FALSE(p.why.empty()) << p.name << " needs a word on why it is here";
        EXPECT_TRUE(seen.insert(p.name).second) << p.name << " is listed twice";
    }
    EXPECT_GE(seen.size(), 10u);
}

// Whatever CMake looks for must be named in the list of packages, in the words by which CMake asks for it.
TEST(Repo, the_list_of_packages_names_all_that_cmake_looks_for) {
    // Not from Debian's packages: the language's own modules, fetched source, the CUDA Toolkit.
    static const Names elsewhere = {"CUDAToolkit", "Threads", "Git"};
    static const std::regex package(R"re(find_package\(\s*([A-Za-z0-9_.+-]+))re");
    std::string whys;
    for (const Package& p : packages())
        whys += p.why + "\n";
    int asked = 0;
    for (const fs::path& file : project_files()) {
        if (file.filename() != "CMakeLists.txt" && file.extension() != ".cmake")
            continue;
        const std::string text = text_of(root / file);
        for (auto it = std::sregex_iterator(text.begin(), text.end(), package); it != std::sregex_iterator();
             ++it) {
            const std::string name = (*it)[1];
            if (elsewhere.count(name))
                continue;
            ++asked;
            const std::regex word("(^|[^A-Za-z0-9_])" + name + "([^A-Za-z0-9_]|$)",
                                  std::regex::ECMAScript | std::regex::icase);
            EXPECT_TRUE(std::regex_search(whys, word))
                << file.string() << " asks for " << name << ", which third_party/packages.txt does not name";
        }
    }
    EXPECT_GT(asked, 0);
}

TEST(Repo, every_link_in_the_documents_leads_somewhere) {
    static const std::regex link(R"re(\]\(([^)#\s]+)[^)]*\))re");
    for (const fs::path& file : project_files()) {
        if (file.extension() != ".md")
            continue;
        const std::string text = text_of(root / file);
        for (auto it = std::sregex_iterator(text.begin(), text.end(), link); it != std::sregex_iterator();
             ++it) {
            const std::string target = (*it)[1];
            if (target.find("://") != std::string::npos)
                continue;
            EXPECT_TRUE(fs::exists(root / file.parent_path() / target))
                << file.string() << " links to " << target;
        }
    }
}

TEST(Repo, the_list_of_documents_is_complete) {
    const std::string list = text_of(root / "docs/README.md");
    for (const fs::path& file : project_files()) {
        if (part_of(file) != "docs" || file.extension() != ".md" || file.filename() == "README.md")
            continue;
        EXPECT_NE(list.find("](" + fs::relative(file, "docs").generic_string() + ")"), std::string::npos)
            << "docs/README.md does not name " << file.string();
    }
}

TEST(Repo, the_readme_says_what_every_folder_is) {
    const std::string readme = text_of(root / "README.md");
    for (const fs::path& file : project_files()) {
        if (!file.has_parent_path() || part_of(file)[0] == '.')
            continue;
        EXPECT_NE(readme.find("`" + part_of(file) + "/`"), std::string::npos) << part_of(file);
    }
}

}  // namespace
