// How a GPU's speed (launch/speed.h) is told: as JSON and as tables.
#pragma once

#include <string>

#include "cli/output.h"
#include "launch/speed.h"

namespace auditorium::cli {

Json speed_json(const launch::Speed& speed);
std::string speed_tables(const launch::Speed& speed);

}  // namespace auditorium::cli
