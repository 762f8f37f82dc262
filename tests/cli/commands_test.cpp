#include <algorithm>
#include <set>

#include "program.h"

namespace auditorium {
namespace {

using nlohmann::json;
using Cli = testing::Program;
using testing::Said;

TEST_F(Cli, HelpAndVersion) {
    const Said help = run("--help");
    EXPECT_EQ(help.status, 0);
    for (const char* command :
         {"kernels", "info", "record", "table", "analyze", "verify", "render", "storyboard", "bench"})
        EXPECT_NE(help.out.find(command), std::string::npos) << command;
    EXPECT_NE(help.out.find("Exit status"), std::string::npos);
    EXPECT_EQ(help.err, "");
    EXPECT_EQ(run("record --help").status, 0);
    EXPECT_EQ(run("--version").out.rfind("auditorium ", 0), 0u);
}

TEST_F(Cli, KernelsListsTheCatalogue) {
    const json list = run("kernels --json").json();
    ASSERT_EQ(list.size(), 14u);
    int correct = 0;
    for (const json& kernel : list) {
        correct += kernel["correct"].get<bool>();
        EXPECT_EQ(kernel["correct"].get<bool>(), kernel["fault"].is_null());
    }
    EXPECT_EQ(correct, 7);
    const Said text = run("kernels");
    EXPECT_EQ(text.status, 0);
    for (const json& kernel : list)
        EXPECT_NE(text.out.find(kernel["id"].get<std::string>()), std::string::npos);
}

TEST_F(Cli, InfoSaysWhatThereIs) {
    const Said said = run("info --json");
    EXPECT_EQ(said.status, 0);
    const json info = said.json();
    EXPECT_EQ(info["gpu"]["available"].get<bool>(), info["gpu"]["reason"].is_null());
    EXPECT_EQ(info["pictures"]["available"].get<bool>(), info["pictures"]["reason"].is_null());
    EXPECT_FALSE(info["display"].get<bool>());
    EXPECT_EQ(run("info").status, 0);
}

TEST_F(Cli, RecordSaysWhatItWrote) {
    const Said said =
        run("record --device cpu --kernel one_barrier --op sum --type int --block 64 --input ramp "
            "--json -o a.audit");
    EXPECT_EQ(said.status, 0) << said.err;
    const json result = said.json();
    EXPECT_EQ(result["kernel"], "one_barrier");
    EXPECT_EQ(result["origin"], "simulated");
    EXPECT_TRUE(result["device"].is_null());
    EXPECT_EQ(result["ended"], true);
    EXPECT_EQ(result["results"][0]["value"], 63 * 64 / 2);
    EXPECT_EQ(result["findings"], 0);
    EXPECT_TRUE(std::filesystem::exists(path("a.audit")));
}

TEST_F(Cli, RecordTakesEveryKindOfInput) {
    write("numbers.txt", "1, 2\n3 4");
    for (const char* input :
         {"ones", "ramp", "random:7", "random:7:-5:5", "values:1,2,3,4", "file:numbers.txt"}) {
        const Said said = run(std::string("record --device cpu --kernel contiguous_full --block 4 --input ") +
                              input + " -o a.audit");
        EXPECT_EQ(said.status, 0) << input << said.err;
    }
}

TEST_F(Cli, RecordTakesEverySchedule) {
    for (const char* schedule : {"lockstep", "7", "independent:7"}) {
        record(std::string("--schedule ") + schedule);
        EXPECT_EQ(run("analyze run.audit --json").json()["schedule"], schedule);
    }
}

TEST_F(Cli, AnalyzeNamesABarrierThatNotAllComeTo) {
    const Said said = run("record --device cpu --kernel divergent_barrier --block 256 --json -o a.audit");
    EXPECT_TRUE(said.status == 0 || said.status == 1) << said.err;
    EXPECT_EQ(said.status == 0, said.json()["ended"].get<bool>()) << "status 1 only if the run did not end";
    const Said analysis = run("analyze a.audit --json");
    EXPECT_EQ(analysis.status, 1);
    bool mismatch = false;
    const json said_analysis = analysis.json();
    for (const json& finding : said_analysis["findings"])
        mismatch |= finding["rule"] == "barrier_mismatch" && finding["lines"] == json::array({15});
    EXPECT_TRUE(mismatch) << analysis.out;
}

// Who comes to a barrier and who leaves, row by row; a barrier stands in no row of threads that never come.
TEST_F(Cli, TableSaysWhoComesToAMismatchedBarrier) {
    record("--kernel divergent_barrier --block 64");
    const json rows = run("table run.audit --json").json();
    ASSERT_EQ(rows.size(), 14u);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool leaves = i == 13 || (i > 0 && i % 2 == 0);
        EXPECT_EQ(rows[i]["phase"] == "leave", leaves) << rows[i];
        EXPECT_EQ(rows[i]["barrier"].is_null(), leaves) << rows[i];
    }
    EXPECT_EQ(rows[1]["synchronization"], "barrier 2 of 7, line 15: only 32 of 64 threads");
    EXPECT_EQ(rows[2]["action"], "reads box 0, then returns");
    EXPECT_EQ(rows[2]["synchronization"], "none");
    for (const char* command : {"table", "analyze"}) {
        const std::string text = run(std::string(command) + " run.audit").out;
        EXPECT_NE(text.find("6 barriers are not met by all threads: undefined on a GPU, which may hang"),
                  std::string::npos)
            << text;
        EXPECT_EQ(text.find("broadcast"), std::string::npos) << text;
    }
}

TEST_F(Cli, RecordOfAWrongResultIsNoFailure) {
    const Said said = run(
        "record --device cpu --kernel zero_identity --block 256 --input random:1:-9:-1 --json -o a.audit");
    EXPECT_EQ(said.status, 0);
    EXPECT_EQ(said.json()["results"][0]["correct"], false);
    EXPECT_EQ(run("analyze a.audit").status, 1) << "the finding is analyze's";
}

// What the app's menu takes for an entry of the clinic is what record takes, and says so.
TEST_F(Cli, AnEntryOfTheClinicShowsItsFaultByItself) {
    for (const json& kernel : run("kernels --json").json()) {
        if (kernel["correct"].get<bool>())
            continue;
        const std::string id = kernel["id"];
        const Said said = run("record --device cpu --kernel " + id + " --json -o a.audit");
        ASSERT_EQ(said.status, 0) << id << said.err;
        EXPECT_EQ(said.json()["block"], kernel["clinic_block"]) << id;
        EXPECT_EQ(run("analyze a.audit").status, 1) << id << " shows no fault";
        const bool other = kernel["clinic_block"] != 256 || !kernel["clinic_input"].is_null();
        EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), other ? 1 : 0) << said.err;
        EXPECT_EQ(said.err.find("shows its fault with") != std::string::npos, other) << said.err;
    }
    const Said zero = run("record --device cpu --kernel zero_identity --json -o a.audit");
    EXPECT_EQ(zero.json()["input"], "random:3664:-999:-1");
    EXPECT_EQ(zero.json()["results"][0]["correct"], false);
    EXPECT_NE(zero.err.find("--input random:3664:-999:-1"), std::string::npos) << zero.err;
    // What is said is taken as it is, and without a word.
    const Said said =
        run("record --device cpu --kernel zero_identity --block 64 --input random:3664:0:999 -o a.audit");
    EXPECT_EQ(said.err, "");
    EXPECT_NE(said.out.find("equal to the reference"), std::string::npos) << said.out;
}

TEST_F(Cli, TableSaysThePhases) {
    record("--block 256");
    const Said said = run("table run.audit --format json");
    EXPECT_EQ(said.status, 0) << said.err;
    const json rows = said.json();
    const char* phases[] = {"stage",        "stride 128",    "stride 64",    "stride 32",
                            "handoff",      "shuffle by 16", "shuffle by 8", "shuffle by 4",
                            "shuffle by 2", "shuffle by 1",  "publish",      "broadcast"};
    const int active[] = {256, 128, 64, 32, 32, 32, 32, 32, 32, 32, 1, 256};
    ASSERT_EQ(rows.size(), 12u);
    int barriers = 0;
    for (std::size_t i = 0; i < 12; ++i) {
        EXPECT_EQ(rows[i]["number"], i + 1);
        EXPECT_EQ(rows[i]["phase"], phases[i]);
        EXPECT_EQ(rows[i]["active_threads"], active[i]);
        barriers += !rows[i]["barrier"].is_null();
    }
    EXPECT_EQ(barriers, 5);
    EXPECT_EQ(rows[1]["action"], "box t = max(box t, box t + 128)");
    EXPECT_EQ(rows[3]["barrier"], 4);
    EXPECT_EQ(rows[1]["threads"], "0 to 127");
}

TEST_F(Cli, ARightResultWithLostInputsIsFlagged) {
    record("--kernel ragged_block --block 96");
    for (const std::string command : {"analyze run.audit", "table run.audit"}) {
        const Said said = run(command);
        EXPECT_NE(said.out.find("equal to the reference although 32 of 96 inputs are not in it"),
                  std::string::npos)
            << said.out;
    }
}

TEST_F(Cli, WrongIntsAreOffByANumber) {
    record("--kernel ragged_block --block 96 --type int --input ramp");
    const Said said = run("analyze run.audit");
    EXPECT_NE(said.out.find("wrong: off by "), std::string::npos) << said.out;
    EXPECT_EQ(said.out.find("ULP"), std::string::npos) << said.out;
}

// back_to_back's second call is a sum, whatever op the launch was asked for.
TEST_F(Cli, TableSaysTheOpOfEachCall) {
    for (const std::string op : {"max", "min", "sum"}) {
        record("--kernel back_to_back --block 256 --op " + op);
        const json rows = run("table run.audit --format json").json();
        int folds = 0, call = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            call += rows[i]["phase"] == "stage";
            const std::string action = rows[i]["action"];
            if (action.find('(') == std::string::npos)
                continue;
            ++folds;
            EXPECT_NE(action.find((call == 1 ? op : "sum") + "("), std::string::npos) << i << " " << action;
        }
        EXPECT_EQ(call, 2);
        EXPECT_EQ(folds, 16);
    }
}

TEST_F(Cli, TableSaysOtherAddressingAsItIs) {
    record("--kernel interleaved_strided --block 64 --op sum");
    const json rows = run("table run.audit --json").json();
    EXPECT_EQ(rows[3]["action"], "box 8t = sum(box 8t, box 8t + 4)");
    record("--kernel interleaved_divergent --block 64");
    const json divergent = run("table run.audit --json").json();
    EXPECT_EQ(divergent[2]["threads"], "every 4th");
    EXPECT_EQ(divergent[2]["action"], "box t = max(box t, box t + 2)");
    record("--kernel one_barrier --block 256");
    const json councils = run("table run.audit --json").json();
    EXPECT_EQ(councils[0]["phase"], "exchange by 16");
    EXPECT_EQ(councils[5]["action"], "box t / 32 = register");
}

TEST_F(Cli, TableInItsOtherFormats) {
    record("--block 64");
    const Said text = run("table run.audit");
    EXPECT_NE(text.out.find("stride 32"), std::string::npos);
    EXPECT_NE(text.out.find("3 barriers in all"), std::string::npos);
    const Said markdown = run("table run.audit --format md");
    EXPECT_NE(markdown.out.find("\n|---:|---|"), std::string::npos) << markdown.out;
    const Said csv = run("table run.audit --format csv");
    EXPECT_EQ(csv.out.rfind("step,phase,active,threads,action,synchronization\r\n", 0), 0u) << csv.out;
    EXPECT_NE(csv.out.find("\"box t = max(box t, box t + 32)\""), std::string::npos) << csv.out;
    EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 1 + 10);
}

TEST_F(Cli, TableOfEveryKernel) {
    for (const json& kernel : run("kernels --json").json()) {
        const int block = kernel["clinic_block"].is_null() ? 256 : kernel["clinic_block"].get<int>();
        record("--kernel " + kernel["id"].get<std::string>() + " --block " + std::to_string(block));
        for (const char* format : {"text", "md", "csv", "json"}) {
            const Said said = run(std::string("table run.audit --format ") + format);
            EXPECT_EQ(said.status, 0) << kernel["id"] << said.err;
            EXPECT_FALSE(said.out.empty());
        }
    }
}

std::set<std::string> fields(const json& object) {
    std::set<std::string> names;
    for (const auto& [name, value] : object.items())
        names.insert(name);
    return names;
}

TEST_F(Cli, AnalyzeHasItsFields) {
    record("--kernel back_to_back --block 256");
    const Said said = run("analyze run.audit --json");
    EXPECT_EQ(said.status, 1);
    const json a = said.json();
    EXPECT_EQ(fields(a), (std::set<std::string>{"kernel", "op", "type", "block", "origin", "device",
                                                "schedule", "steps", "totals", "results", "contributions",
                                                "findings", "counters", "timing", "lines"}));
    EXPECT_EQ(fields(a["steps"][0]),
              (std::set<std::string>{"index", "kind", "stride", "offset", "active_threads", "warps_issuing",
                                     "barrier_after", "load_requests", "store_requests", "load_wavefronts",
                                     "store_wavefronts", "load_bank_conflicts", "store_bank_conflicts",
                                     "lane_efficiency", "cycles"}));
    EXPECT_EQ(fields(a["totals"]),
              (std::set<std::string>{"barriers", "shuffles", "load_requests", "store_requests",
                                     "load_wavefronts", "store_wavefronts", "load_bank_conflicts",
                                     "store_bank_conflicts", "lane_efficiency", "cycles"}));
    ASSERT_EQ(a["results"].size(), 2u);
    EXPECT_EQ(fields(a["results"][0]),
              (std::set<std::string>{"value", "bits", "reference", "ulp", "correct"}));
    EXPECT_EQ(fields(a["contributions"]), (std::set<std::string>{"folded", "missing", "doubled"}));
    ASSERT_FALSE(a["findings"].empty());
    EXPECT_EQ(fields(a["findings"][0]),
              (std::set<std::string>{"rule", "severity", "kind", "boxes", "threads", "lines", "text"}));
    EXPECT_TRUE(a["counters"].is_object());
    EXPECT_TRUE(a["steps"][0]["cycles"].is_null()) << "nothing was measured";
    EXPECT_TRUE(a["timing"].is_null());
    EXPECT_TRUE(a["lines"].empty());
    EXPECT_EQ(a["steps"][0]["index"], 0);
}

TEST_F(Cli, AnalyzeOfARecordingSaysWhatTheHardwareCountedAndHowMuchTheStampsDisturb) {
    const std::string recording =
        "'" AUDITORIUM_SOURCE_DIR "/recordings/interleaved_strided-max-float-256.audit'";
    const json a = run("analyze " + recording + " --json").json();
    EXPECT_EQ(fields(a["timing"]),
              (std::set<std::string>{"min", "median", "max", "launches", "constant_block", "stamped",
                                     "stamped_difference"}));
    EXPECT_NEAR(a["timing"]["stamped_difference"],
                a["timing"]["stamped"].get<double>() / a["timing"]["median"].get<double>() - 1, 1e-9);
    const auto on_line = [&](int line, const char* metric) {
        for (const json& row : a["lines"])
            if (row["line"] == line)
                return row[metric].get<int>();
        return -1;
    };
    constexpr const char* wavefronts = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared";
    constexpr const char* ideal = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal";
    for (const int line : {13, 14, 15})  // two loads and a store of a round: 35 conflicts each
        EXPECT_EQ(on_line(line, wavefronts) - on_line(line, ideal), 35) << line;
    EXPECT_NE(run("analyze " + recording).out.find("With stamps it took"), std::string::npos);
    EXPECT_NE(run("verify " + recording).out.find("wavefronts equal the model's"), std::string::npos);
}

TEST_F(Cli, AnalyzeOfACorrectRun) {
    record("--block 256 --op sum");
    const Said said = run("analyze run.audit --json");
    EXPECT_EQ(said.status, 0);
    const json a = said.json();
    EXPECT_EQ(a["kernel"], "contiguous_warp");
    EXPECT_EQ(a["origin"], "simulated");
    EXPECT_TRUE(a["device"].is_null());
    EXPECT_EQ(a["totals"]["barriers"], 5);
    EXPECT_EQ(a["totals"]["load_wavefronts"], 23);
    EXPECT_EQ(a["totals"]["store_wavefronts"], 16);
    EXPECT_EQ(a["totals"]["shuffles"], 5);
    EXPECT_EQ(a["results"][0]["value"], a["results"][0]["reference"]);
    EXPECT_EQ(a["results"][0]["correct"], true);
    EXPECT_EQ(a["contributions"]["folded"], 256);
    EXPECT_EQ(a["findings"].size(), 0u);
    EXPECT_EQ(a["steps"][1]["stride"], 128);
    EXPECT_TRUE(a["steps"][0]["stride"].is_null());
    EXPECT_EQ(a["steps"][5]["offset"], 16);
    const Said text = run("analyze run.audit");
    EXPECT_NE(text.out.find("No findings."), std::string::npos);
    EXPECT_NE(run("analyze run.audit --format md").out.find("|---:|"), std::string::npos);
}

TEST_F(Cli, AnalyzeOfNumbersThatJsonDoesNotKnow) {
    record("--kernel contiguous_full --block 2 --input values:nan,nan --op sum");
    const json a = run("analyze run.audit --json").json();
    EXPECT_TRUE(a["results"][0]["value"].is_null());
    EXPECT_EQ(a["results"][0]["bits"], "0x7fffffff");
    EXPECT_EQ(a["results"][0]["correct"], true);
}

TEST_F(Cli, VerifyAgrees) {
    for (const char* options :
         {"", "--kernel missing_barrier --schedule 5", "--kernel partial_mask --block 31",
          "--kernel divergent_barrier", "--schedule independent:3"}) {
        record(options);
        const Said said = run("verify run.audit --json");
        EXPECT_EQ(said.status, 0) << options << said.out;
        const json v = said.json();
        EXPECT_EQ(v["ok"], true);
        EXPECT_EQ(v["checks"][0]["check"], "replay");
        EXPECT_EQ(v["checks"][0]["verdict"], "same");
        EXPECT_EQ(v["checks"][1]["verdict"], "same");
    }
    EXPECT_NE(run("verify run.audit").out.find("Verified."), std::string::npos);
}

TEST_F(Cli, ARecordingIsTheSameBytesButForItsDate) {
    record("", "a.audit");
    const std::string a = run("analyze a.audit --json").out;
    record("", "b.audit");
    EXPECT_EQ(a, run("analyze b.audit --json").out);
}

TEST_F(Cli, BenchMeasures) {
    const Said said = run("bench --json --runs 1 --kernel one_barrier");
    EXPECT_EQ(said.status, 0) << said.err;
    const json b = said.json();
    EXPECT_EQ(b["runs"], 1);
    EXPECT_GE(b["cores"].get<int>(), 1);
    for (const char* key : {"version", "build", "load", "driver"})
        EXPECT_TRUE(b.contains(key)) << key;
    std::set<std::string> what;
    for (const json& row : b["rows"]) {
        what.insert(row["what"].get<std::string>());
        EXPECT_TRUE(row["kernel"].is_null() || row["kernel"].is_string()) << row;
        EXPECT_TRUE(row["unit"].is_string()) << row;
        // A row has numbers or says why it has none.
        if (row["why"].is_null()) {
            EXPECT_GT(row["median"].get<double>(), 0) << row;
            EXPECT_LE(row["min"].get<double>(), row["median"].get<double>()) << row;
            EXPECT_EQ(row["met"].is_boolean(), row["goal"].is_number()) << row;
        } else {
            EXPECT_FALSE(row["why"].get<std::string>().empty()) << row;
            EXPECT_TRUE(row["median"].is_null() && row["min"].is_null() && row["met"].is_null()) << row;
        }
        // Here is no display.
        const bool window = row["what"].get<std::string>().find("window") != std::string::npos;
        EXPECT_TRUE(!window || row["why"].is_string()) << row;
    }
    for (const char* needed : {"record simulated", "analyze", "read from memory", "size of the file"})
        EXPECT_TRUE(what.count(needed)) << needed;
    EXPECT_TRUE(what.count("whole frame, slowest step"));

    EXPECT_EQ(run("bench --kernel nothing").status, 2);
}

}  // namespace
}  // namespace auditorium
