#include "tasks/text/text_file.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <fstream>
#include <string>

namespace attest {

namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 16U;
constexpr std::size_t kLongestLine = std::size_t{1} << 20U;

/// Lines of a CoNLL-U treebank (universaldependencies.org/format): ten fields between tabs, the
/// second of them the word.
class ConlluReader {
public:
    ConlluReader(TextUnit unit, const Tokeniser::Visit& visit) : unit_(unit), visit_(visit) {}

    void feed(std::string_view bytes) {
        for (const char byte : bytes) {
            // Decoded for its errors alone.
            static_cast<void>(decoder_.next(static_cast<unsigned char>(byte)));
            if (byte == '\n') {
                take_line();
                line_.clear();
                ++number_;
            } else {
                line_.push_back(byte);
                require(line_.size() <= kLongestLine, "line {}: is longer than 1 MiB", number_);
            }
        }
    }

    void finish() {
        decoder_.finish();
        take_line();
    }

private:
    void take_line() {
        if (!line_.empty() && line_.back() == '\r') {
            line_.pop_back();
        }
        if (line_.empty() || line_.front() == '#') {
            return;
        }
        const std::size_t first = line_.find('\t');
        const std::size_t second =
            first == std::string::npos ? std::string::npos : line_.find('\t', first + 1);
        require(second != std::string::npos && second > first + 1,
                "line {}: got {}, expected CoNLL-U: ID, FORM and eight more between tabs",
                number_,
                in_quotes(line_));
        if (std::string_view(line_).substr(0, first).find_first_of("-.") !=
            std::string_view::npos) {
            return;
        }
        const std::string word = normalised_word(line_.substr(first + 1, second - first - 1));
        if (unit_ == TextUnit::word) {
            visit_(word);
        } else {
            Tokeniser characters(unit_, visit_);
            characters.feed(word);
            characters.finish();
            visit_(" ");
        }
    }

    TextUnit unit_;
    const Tokeniser::Visit& visit_;
    Utf8Decoder decoder_;
    std::string line_;
    std::int64_t number_ = 1;
};

template <class Reader>
void stream_file(const std::filesystem::path& path, Reader& reader) {
    std::ifstream in(path, std::ios::binary);
    require(in.good(), "{}: cannot be opened for reading", path.string());
    std::string chunk(kChunkBytes, '\0');
    try {
        while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())), in.gcount() > 0) {
            reader.feed(std::string_view(chunk).substr(0, static_cast<std::size_t>(in.gcount())));
        }
        reader.finish();
    } catch (const InvalidInput& error) {
        throw InvalidInput(
            formatted("{}: {}; fix the file or move it away", path.string(), error.what()));
    }
    require(!in.bad(), "{}: cannot be read to its end", path.string());
}

}  // namespace

void read_text_tokens(const std::filesystem::path& path,
                      TextUnit unit,
                      const Tokeniser::Visit& visit) {
    if (path.extension() == ".conllu") {
        ConlluReader reader(unit, visit);
        stream_file(path, reader);
    } else {
        Tokeniser reader(unit, visit);
        stream_file(path, reader);
    }
}

}  // namespace attest
