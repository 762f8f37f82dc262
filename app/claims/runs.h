// The recordings that one claim asks for, and the words for what they hold.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"
#include "app/claims/claims.h"

namespace auditorium::claims {

struct Run {
    trace::Trace trace;
    analysis::Analysis analysis;

    const analysis::Totals& totals() const { return analysis.totals; }
    int conflicts() const { return totals().load_bank_conflicts + totals().store_bank_conflicts; }
    int wavefronts() const { return totals().load_wavefronts + totals().store_wavefronts; }
    std::optional<double> cycles() const;              // median of the plain kernel
    std::optional<double> counted_wavefronts() const;  // loads and stores, by the hardware's counters
    std::optional<double> counted_conflicts() const;
};

// Finds and analyzes each recording once for all claims, and notes for the claim being made which it used.
class Runs {
  public:
    explicit Runs(const Find& find) : find_(find) {}

    // nullptr: there is none. It is noted as used by the claim if there is one.
    const Run* get(std::string_view kernel, int block, std::string_view op = "max");
    void begin() { used_.clear(); }
    const std::vector<std::string>& used() const { return used_; }
    std::string devices() const;  // of the ones used, each once

  private:
    const Find& find_;
    std::map<std::string, std::unique_ptr<Run>, std::less<>> runs_;
    std::vector<std::string> used_;
};

std::string counted(long n, std::string_view what);         // "1 barrier", "5 barriers"
std::string times(double ratio);                            // "1.43 times"
std::string joined(const std::vector<std::string>& parts);  // "a, b and c"

}  // namespace auditorium::claims
