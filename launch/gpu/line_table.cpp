#include "launch/gpu/line_table.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace auditorium::launch::gpu {
namespace {

// Opcodes beyond DWARF's: the rows that follow stand in a call that was inlined; its place is a row before.
constexpr int inlined_call = 0x90;

// Reads on; after the end it gives zeros and says so.
class Reader {
  public:
    explicit Reader(std::string_view bytes) : bytes_(bytes) {}
    std::size_t at() const { return at_; }
    bool at_end() const { return at_ >= bytes_.size(); }
    void go_to(std::size_t at) { at_ = std::min(at, bytes_.size()); }

    template <class Number>
    Number number() {
        Number value{};
        if (bytes_.size() - at_ >= sizeof value) {
            std::memcpy(&value, bytes_.data() + at_, sizeof value);
            at_ += sizeof value;
        } else {
            at_ = bytes_.size();
        }
        return value;
    }
    std::uint64_t uleb() {
        std::uint64_t value = 0;
        for (int shift = 0; !at_end(); shift += 7) {
            const auto byte = number<std::uint8_t>();
            value |= shift < 64 ? std::uint64_t{byte & 0x7fu} << shift : 0;
            if (byte < 0x80) {
                break;
            }
        }
        return value;
    }
    std::int64_t sleb() {
        std::uint64_t value = 0;
        int shift = 0;
        while (!at_end()) {
            const auto byte = number<std::uint8_t>();
            value |= shift < 64 ? std::uint64_t{byte & 0x7fu} << shift : 0;
            shift += 7;
            if (byte < 0x80) {
                if ((byte & 0x40) && shift < 64) {
                    value |= ~std::uint64_t{0} << shift;
                }
                break;
            }
        }
        return static_cast<std::int64_t>(value);
    }
    std::string text() {
        const std::size_t end = std::min(bytes_.find('\0', at_), bytes_.size());
        std::string text(bytes_.substr(at_, end - at_));
        at_ = std::min(end + 1, bytes_.size());
        return text;
    }

  private:
    std::string_view bytes_;
    std::size_t at_ = 0;
};

template <class Record>
std::optional<Record> record_at(std::string_view bytes, std::uint64_t at) {
    Record record;
    if (at > bytes.size() || bytes.size() - at < sizeof record) {
        return std::nullopt;
    }
    std::memcpy(&record, bytes.data() + at, sizeof record);
    return record;
}

std::string_view text_at(std::string_view bytes, std::uint64_t at) {
    return at < bytes.size() ? bytes.substr(at, std::min(bytes.find('\0', at), bytes.size()) - at)
                             : std::string_view();
}

struct Sections {
    std::string_view file;
    std::vector<Elf64_Shdr> headers;
    std::vector<std::string_view> names;

    std::string_view bytes(std::size_t i) const {
        const Elf64_Shdr& header = headers[i];
        return header.sh_offset <= file.size() && header.sh_size <= file.size() - header.sh_offset
                   ? file.substr(header.sh_offset, header.sh_size)
                   : std::string_view();
    }
    std::optional<std::size_t> find(std::string_view name) const {
        const auto found = std::find(names.begin(), names.end(), name);
        return found == names.end() ? std::nullopt
                                    : std::optional(static_cast<std::size_t>(found - names.begin()));
    }
};

Sections sections_of(std::string_view file) {
    Sections sections{file, {}, {}};
    const auto header = record_at<Elf64_Ehdr>(file, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64) {
        return sections;
    }
    for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
        const auto section = record_at<Elf64_Shdr>(file, header->e_shoff + i * sizeof(Elf64_Shdr));
        if (!section) {
            return {file, {}, {}};
        }
        sections.headers.push_back(*section);
    }
    sections.names.resize(sections.headers.size());
    if (header->e_shstrndx < sections.headers.size()) {
        const std::string_view names = sections.bytes(header->e_shstrndx);
        for (std::size_t i = 0; i < sections.names.size(); ++i) {
            sections.names[i] = text_at(names, sections.headers[i].sh_name);
        }
    }
    return sections;
}

}  // namespace

LineTable LineTable::parse(std::string_view cubin) {
    LineTable table;
    const Sections sections = sections_of(cubin);
    const auto lines = sections.find(".debug_line");
    const auto symbols = sections.find(".symtab");
    if (!lines || !symbols) {
        return table;
    }
    // Where the line program says at which address a function's rows begin, a relocation names the function's
    // section.
    std::map<std::uint64_t, std::string> functions_at;
    const auto relocated = [&](std::uint64_t offset, std::uint64_t info) {
        const auto symbol =
            record_at<Elf64_Sym>(sections.bytes(*symbols), ELF64_R_SYM(info) * sizeof(Elf64_Sym));
        if (symbol && symbol->st_shndx < sections.names.size() &&
            sections.names[symbol->st_shndx].starts_with(".text.")) {
            functions_at[offset] = sections.names[symbol->st_shndx].substr(6);
        }
    };
    for (std::size_t i = 0; i < sections.headers.size(); ++i) {
        const std::string_view bytes = sections.bytes(i);
        if (sections.names[i] == ".rela.debug_line") {
            for (std::uint64_t at = 0; const auto r = record_at<Elf64_Rela>(bytes, at); at += sizeof *r) {
                relocated(r->r_offset, r->r_info);
            }
        } else if (sections.names[i] == ".rel.debug_line") {
            for (std::uint64_t at = 0; const auto r = record_at<Elf64_Rel>(bytes, at); at += sizeof *r) {
                relocated(r->r_offset, r->r_info);
            }
        }
    }
    const std::string_view all = sections.bytes(*lines);
    for (std::size_t at = 0; all.size() - at >= 4;) {
        std::uint32_t length = 0;
        std::memcpy(&length, all.data() + at, sizeof length);
        if (length > all.size() - at - 4) {
            break;
        }
        table.read_unit(all.substr(at, length + 4), functions_at, at);
        at += length + 4;
    }
    return table;
}

void LineTable::read_unit(std::string_view program, const std::map<std::uint64_t, std::string>& functions_at,
                          std::uint64_t offset) {
    Reader in(program);
    in.number<std::uint32_t>();  // its length
    const auto version = in.number<std::uint16_t>();
    const auto header = in.number<std::uint32_t>();
    const std::size_t start = in.at() + header;
    if (version < 2 || version > 3) {
        return;
    }
    const auto shortest = in.number<std::uint8_t>();
    in.number<std::uint8_t>();  // whether rows begin statements
    const auto base = in.number<std::int8_t>();
    const auto range = in.number<std::uint8_t>();
    const auto first_special = in.number<std::uint8_t>();
    if (range == 0 || first_special == 0) {
        return;
    }
    std::vector<int> arguments(first_special, 0);
    for (int opcode = 1; opcode < first_special; ++opcode) {
        arguments[static_cast<std::size_t>(opcode)] = in.number<std::uint8_t>();
    }
    Unit unit;
    while (!in.at_end() && !in.text().empty()) {  // folders
    }
    unit.files.emplace_back();  // counted from 1
    while (!in.at_end()) {
        std::string name = in.text();
        if (name.empty()) {
            break;
        }
        for (int i = 0; i < 3; ++i) {
            in.uleb();  // folder, time, size
        }
        unit.files.push_back(name.substr(name.rfind('/') + 1));
    }
    in.go_to(start);

    Row row{0, 1, 1, -1};
    std::string function;
    std::size_t first = 0;
    const auto end_of_function = [&] {
        if (!function.empty() && unit.rows.size() > first) {
            functions_[function] = {units_.size(), first, unit.rows.size()};
        }
        function.clear();
        first = unit.rows.size();
        row = {0, 1, 1, -1};
    };
    while (!in.at_end()) {
        const int opcode = in.number<std::uint8_t>();
        if (opcode >= first_special) {
            row.address += static_cast<unsigned>((opcode - first_special) / range * shortest);
            row.line += base + (opcode - first_special) % range;
            unit.rows.push_back(row);
            continue;
        }
        if (opcode == 0) {
            const std::uint64_t length = in.uleb();
            const std::size_t next = in.at() + length;
            switch (length > 0 ? in.number<std::uint8_t>() : 0) {
                case 1:  // end of the sequence
                    end_of_function();
                    break;
                case 2: {  // the address where a function's rows begin
                    const auto found = functions_at.find(offset + in.at());
                    if (found != functions_at.end() && found->second != function) {
                        end_of_function();
                        function = found->second;
                    }
                    row.address = in.number<std::uint64_t>();
                    break;
                }
                case inlined_call: {
                    const std::uint64_t caller = in.uleb();  // a row of the function, counted from 1; 0: none
                    row.caller = caller > 0 && caller <= unit.rows.size() - first
                                     ? static_cast<int>(first + caller) - 1
                                     : -1;
                    break;
                }
                default:
                    break;
            }
            in.go_to(next);
            continue;
        }
        switch (opcode) {
            case 1:  // copy
                unit.rows.push_back(row);
                break;
            case 2:
                row.address += in.uleb() * shortest;
                break;
            case 3:
                row.line += static_cast<int>(in.sleb());
                break;
            case 4:
                row.file = static_cast<int>(in.uleb());
                break;
            case 8:
                row.address += static_cast<unsigned>((255 - first_special) / range * shortest);
                break;
            case 9:
                row.address += in.number<std::uint16_t>();
                break;
            default:
                for (int i = 0; i < arguments[static_cast<std::size_t>(opcode)]; ++i) {
                    in.uleb();
                }
                break;
        }
    }
    end_of_function();
    units_.push_back(std::move(unit));
}

int LineTable::line_of(const std::string& function, std::uint64_t pc, std::string_view file) const {
    const auto found = functions_.find(function);
    if (found == functions_.end()) {
        return 0;
    }
    const Unit& unit = units_[found->second.unit];
    // The last of the rows at or before pc; rows of one address go from the caller inwards.
    int at = -1;
    for (std::size_t i = found->second.first; i < found->second.last; ++i) {
        if (unit.rows[i].address <= pc &&
            (at < 0 || unit.rows[i].address >= unit.rows[static_cast<std::size_t>(at)].address)) {
            at = static_cast<int>(i);
        }
    }
    while (at >= 0) {
        const Row& row = unit.rows[static_cast<std::size_t>(at)];
        if (row.file > 0 && static_cast<std::size_t>(row.file) < unit.files.size() &&
            unit.files[static_cast<std::size_t>(row.file)] == file) {
            return row.line;
        }
        at = row.caller < at ? row.caller : -1;
    }
    return 0;
}

void LineTable::add(LineTable other) {
    const std::size_t base = units_.size();
    for (Unit& unit : other.units_) {
        units_.push_back(std::move(unit));
    }
    for (auto& [name, function] : other.functions_) {
        functions_[name] = {function.unit + base, function.first, function.last};
    }
}

}  // namespace auditorium::launch::gpu
