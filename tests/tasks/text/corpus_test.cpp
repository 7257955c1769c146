#include "tasks/text/corpus.hpp"

#include "core/base/error.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace attest::test {
namespace {

void write(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
}

/// `count` different words, told apart by `prefix`, the first of them number `first`.
std::string different_words(const std::string& prefix, int count, int first = 0) {
    std::string text;
    for (int i = first; i < first + count; ++i) {
        text += prefix;
        for (const char digit : std::to_string(i)) {
            text += static_cast<char>('a' + (digit - '0'));
        }
        text += ' ';
    }
    return text;
}

std::map<std::string, TextPart> parts_of(const Corpus& corpus) {
    std::map<std::string, TextPart> parts;
    for (const Document& document : corpus.documents) {
        parts[document.name] = document.part;
    }
    return parts;
}

TEST(TextCorpus, KeepsFamiliesTogether) {
    EXPECT_EQ(family_of("GPL-2"), "GPL");
    EXPECT_EQ(family_of("LGPL-2.1"), "LGPL");
    EXPECT_EQ(family_of("2021.txt"), "2021.txt");
    EXPECT_EQ(family_of("letters/1.txt"), "letters");
    const TemporaryFolder folder;
    write(folder.file("A-1"), different_words("a", 50));
    write(folder.file("A-2"), different_words("a", 50));
    write(folder.file("B-1"), different_words("b", 30));
    write(folder.file("C-1"), different_words("c", 20));
    std::filesystem::create_symlink(folder.file("C-1"), folder.file("D-1"));

    const Corpus corpus = read_corpus({folder.path(), TextUnit::word, "family"});

    const std::map<std::string, TextPart> expected{{"A-1", TextPart::train},
                                                   {"A-2", TextPart::train},
                                                   {"B-1", TextPart::test},
                                                   {"C-1", TextPart::validation}};
    EXPECT_EQ(parts_of(corpus), expected);
    EXPECT_EQ(corpus.types.size(), 100U);
}

TEST(TextCorpus, NoticesPlantedLeakage) {
    const TemporaryFolder folder;
    write(folder.file("a"), different_words("a", 700));
    write(folder.file("b"), different_words("b", 100));
    write(folder.file("c"), different_words("c", 200));
    const CorpusOptions options{folder.path(), TextUnit::word, "file"};
    const auto shared = [&] {
        return shared_ngrams(read_corpus(options), TextPart::train, TextPart::test, 8);
    };
    EXPECT_EQ(shared(), 0.0);

    // 107 words of the training document copied into the test document of now 307: 100 of its 300
    // windows of 8 words are inside the copy.
    const std::string copied = different_words("a", 107, 300);
    write(folder.file("c"), different_words("c", 200) + copied);

    EXPECT_DOUBLE_EQ(shared(), 100.0 / 300.0);
}

TEST(TextCorpus, FollowsAList) {
    const TemporaryFolder folder;
    for (const char* name : {"one", "two", "three", "four"}) {
        write(folder.file(name), different_words("w", 10));
    }
    const TemporaryFolder lists;
    const std::string list = lists.file("split");
    write(list, "# comment\ntrain one\nvalidation two\ntest three\n");
    EXPECT_EQ(parts_of(read_corpus({folder.path(), TextUnit::word, list})).at("four"),
              TextPart::unused);
    write(list, "train one\nvalidation two\ntest five\n");
    EXPECT_EQ(invalid_input_message([&] {
                  static_cast<void>(read_corpus({folder.path(), TextUnit::word, list}));
              }),
              list +
                  ": line 3: got 'test five', expected PART NAME with a document or a family of "
                  "the text");
}

TEST(TextCorpus, CutsASingleDocumentInOrder) {
    const TemporaryFolder folder;
    write(folder.file("only"), different_words("w", 100));
    const Corpus corpus = read_corpus({folder.file("only"), TextUnit::word, "family"});
    EXPECT_EQ(corpus.num_tokens(TextPart::train), 70);
    EXPECT_EQ(corpus.num_tokens(TextPart::validation), 10);
    EXPECT_EQ(corpus.num_tokens(TextPart::test), 20);
    EXPECT_EQ(corpus.split, "one document, cut in order");
}

TEST(TextCorpus, ReadsTreebanks) {
    const TemporaryFolder folder;
    const std::string path = folder.file("bank.conllu");
    std::string bank = "# sent_id = 1\n1-2\tdu\t_\n1\tde\t_\n2\tle\t_\n2.1\tnul\t_\n3\tCafé\t_\n\n";
    for (int i = 0; i < 4; ++i) {
        bank += bank;
    }
    write(path, bank);
    const Corpus corpus = read_corpus({path, TextUnit::word, "family"});
    EXPECT_EQ(corpus.types, (std::vector<std::string>{"de", "le", "café"}));
    write(path, "1\tword\n");
    EXPECT_EQ(invalid_input_message([&] {
                  static_cast<void>(read_corpus({path, TextUnit::word, "family"}));
              }),
              path +
                  ": line 1: got '1\\x09word', expected CoNLL-U: ID, FORM and eight more "
                  "between tabs; fix the file or move it away");
}

TEST(TextCorpus, SaysInOneLineWhatItCannotRead) {
    const TemporaryFolder folder;
    const auto message = [](const std::string& path, const std::string& split) {
        return invalid_input_message([&] {
            static_cast<void>(read_corpus({path, TextUnit::word, split}));
        });
    };
    EXPECT_EQ(message(folder.file("none"), "family"),
              folder.file("none") +
                  ": is neither a file nor a folder; expected text, or a folder of texts");
    EXPECT_EQ(message(folder.path(), "family"),
              folder.path().string() + ": holds no regular file; expected text");
    write(folder.file("a"), "word");
    write(folder.file("b"), "\xFF");
    EXPECT_EQ(message(folder.path(), "family"),
              folder.file("b") +
                  ": line 1: got a byte that starts no character, expected text in "
                  "UTF-8; fix the file or move it away");
    write(folder.file("b"), "word");
    EXPECT_SAYS(message(folder.path(), "family"), "no text is left for the part validation");
    EXPECT_SAYS(message(folder.path(), "nowhere"), "--split: got 'nowhere'");
}

TEST(Vocabulary, HoldsTheCommonestWordsOfTrainingText) {
    const TemporaryFolder folder;
    write(folder.file("a"), "b b b a a c c d e e e e e e e e e e");
    write(folder.file("b"), "z z z");
    write(folder.file("c"), "b y c d");
    const VocabularyText text =
        with_vocabulary(read_corpus({folder.path(), TextUnit::word, "file"}), 4);
    EXPECT_EQ(text.vocabulary, (std::vector<std::string>{"<unk>", "e", "b", "a"}));
    EXPECT_EQ(text.counts, (std::vector<Index>{3, 10, 3, 2}));
    EXPECT_EQ(text.documents[2].words, (std::vector<std::int32_t>{2, 0, 0, 0}));
}

TEST(Vocabulary, WindowsStayWithinADocument) {
    const VocabularyText text{
        {"<unk>", "a"},
        {0, 7},
        {{TextPart::train, {1, 1, 1, 1}}, {TextPart::train, {1, 1}}, {TextPart::test, {1, 1, 1}}}};
    const std::vector<TextWindow> windows = text_windows(text, TextPart::train, 2);
    ASSERT_EQ(windows.size(), 2U);
    EXPECT_EQ(windows[0].end, 2);
    EXPECT_EQ(windows[1].end, 3);
    EXPECT_REFUSED("has 4 tokens", text_windows(text, TextPart::test, 3));
}

}  // namespace
}  // namespace attest::test
