// The ledger's rows: what they hold, how they sort, what is exported, and the commands that they name.
#include "app/compare/ledger.h"

#include <nlohmann/json.hpp>

#include "sides.h"

namespace auditorium::compare {
namespace {

using Column = LedgerColumn;

LedgerRow row(std::uint64_t id, const std::string& entry, trace::LaunchConfig base = {}) {
    const test::Run run = test::run_of(entry, base);
    return row_of(id, run.trace, run.analysis);
}

std::vector<LedgerRow> three() {
    const test::Run raced = test::with_cycles("contiguous_warp", 574);
    return {row(1, "interleaved_strided"), row_of(2, raced.trace, raced.analysis), row(3, "ragged_block")};
}

TEST(Ledger, ARowSaysWhatRanAndWhatItCost) {
    const LedgerRow strided = row(1, "interleaved_strided");
    EXPECT_EQ(cell_text(strided, Column::kernel), "interleaved_strided");
    EXPECT_EQ(cell_text(strided, Column::threads), "256");
    EXPECT_EQ(cell_text(strided, Column::op), "max float");
    EXPECT_EQ(cell_text(strided, Column::device), "simulated, lockstep");
    EXPECT_EQ(cell_text(strided, Column::barriers), "9");
    EXPECT_EQ(cell_text(strided, Column::load_wavefronts), "102");
    EXPECT_EQ(cell_text(strided, Column::store_wavefronts), "55");
    EXPECT_EQ(cell_text(strided, Column::load_conflicts), "70");
    EXPECT_EQ(cell_text(strided, Column::store_conflicts), "35");
    EXPECT_EQ(cell_text(strided, Column::cycles), "-") << "a simulated run has none";
    EXPECT_EQ(cell_text(strided, Column::findings), "0");
    EXPECT_EQ(strided.verdict, analysis::Verdict::right);
    const LedgerRow ragged = row(2, "ragged_block");
    EXPECT_GE(ragged.errors, 1);
    EXPECT_EQ(ragged.rules.front(), "lost_input");
}

TEST(Ledger, SaysHowARunStands) {
    // A maximum over random data often hides a race; the sum of a ragged block lacks inputs.
    const LedgerRow lucky = row(1, "missing_barrier");
    EXPECT_EQ(lucky.verdict, analysis::Verdict::luck);
    trace::LaunchConfig sum;
    sum.op = trace::Op::sum;
    const LedgerRow ragged = row(2, "ragged_block", sum);
    EXPECT_EQ(ragged.verdict, analysis::Verdict::wrong);
    const LedgerRow divided = row(3, "divergent_barrier");
    EXPECT_EQ(divided.verdict, analysis::Verdict::wrong);
    const std::vector<LedgerRow> rows = {lucky, ragged};
    EXPECT_NE(ledger_csv(rows).find(",verdict\n"), std::string::npos);
    EXPECT_NE(ledger_csv(rows).find(",right by luck\n"), std::string::npos);
    EXPECT_NE(ledger_markdown(rows).find("(right by luck)"), std::string::npos);
    EXPECT_NE(ledger_markdown(rows).find("(wrong)"), std::string::npos);
    const nlohmann::json all = nlohmann::json::parse(ledger_json(rows));
    EXPECT_EQ(all["runs"][0]["verdict"], "right by luck");
    EXPECT_EQ(all["runs"][1]["verdict"], "wrong");
}

TEST(Ledger, SortsByAnyColumnAndKeepsWhatIsLevel) {
    std::vector<LedgerRow> rows = three();
    sort_ledger(rows, Column::load_wavefronts, false);
    EXPECT_EQ(rows[0].id, 3u);
    EXPECT_EQ(rows[2].id, 1u);
    sort_ledger(rows, Column::load_wavefronts, true);
    EXPECT_EQ(rows[0].id, 1u);
    for (const bool descending : {false, true}) {
        sort_ledger(rows, Column::cycles, descending);
        EXPECT_EQ(rows[0].id, 2u) << "what is not known comes last";
    }
    sort_ledger(rows, Column::kernel, false);
    EXPECT_EQ(rows[0].config.kernel, "contiguous_warp");
    rows = three();
    sort_ledger(rows, Column::op, false);  // all level
    EXPECT_EQ(rows[0].id, 1u);
    EXPECT_EQ(rows[2].id, 3u);
}

TEST(Ledger, CommandsMeasureTheSameRun) {
    LedgerRow r = row(1, "contiguous_full", {});
    r.config.op = trace::Op::sum;
    EXPECT_EQ(
        command_for(r, Column::load_conflicts),
        "ncu --kernel-name plain --launch-count 1 --metrics "
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum auditorium record --kernel contiguous_full "
        "--op sum --type float --block 256 --input random:3664:0:999 --device gpu -o run.audit");
    EXPECT_EQ(
        command_for(r, Column::findings).rfind("compute-sanitizer --tool racecheck auditorium record", 0),
        0u);
    r.rules = {"undefined_lane"};
    EXPECT_NE(command_for(r, Column::findings).find("--tool synccheck"), std::string::npos);
    EXPECT_NE(command_for(r, Column::findings).find("--allow-wrong"), std::string::npos);
    r.config.input = "file:a b's.txt";
    EXPECT_NE(command_for(r, Column::cycles).find("--input 'file:a b'\\''s.txt'"), std::string::npos)
        << command_for(r, Column::cycles);
    EXPECT_EQ(command_for(r, Column::barriers), "") << "no counter has it";
    r.config.kernel = "divergent_barrier";
    EXPECT_EQ(command_for(r, Column::findings), "") << "it never runs on a GPU";
    EXPECT_EQ(command_for(r, Column::load_conflicts), "");
    EXPECT_NE(command_for(r, Column::result).find("--device cpu"), std::string::npos);
}

TEST(Ledger, ExportsEveryRow) {
    const std::vector<LedgerRow> rows = three();
    const std::string csv = ledger_csv(rows);
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
    EXPECT_EQ(csv.rfind("kernel,op,type,block,input,device,origin,barriers,load_wavefronts,", 0), 0u) << csv;
    EXPECT_NE(csv.find("interleaved_strided,max,float,256,random:3664:0:999,\"simulated, "
                       "lockstep\",simulated,9,102,55,70,35,"),
              std::string::npos)
        << csv;
    const std::string md = ledger_markdown(rows);
    EXPECT_EQ(std::count(md.begin(), md.end(), '\n'), 5);
    EXPECT_NE(md.find("| contiguous_warp | 256 |"), std::string::npos) << md;
    const auto json = nlohmann::json::parse(ledger_json(rows));
    ASSERT_EQ(json["runs"].size(), 3u);
    EXPECT_EQ(json["runs"][0]["load_bank_conflicts"], 70);
    EXPECT_TRUE(json["runs"][0]["cycles_median"].is_null());
    EXPECT_EQ(json["runs"][1]["cycles_median"], 574);
    EXPECT_EQ(json["runs"][2]["findings"][0], "lost_input");
    EXPECT_EQ(ledger_csv({}).find('\n'), ledger_csv({}).size() - 1);
}

}  // namespace
}  // namespace auditorium::compare
