#include <cstring>
#include <limits>

#include <sinew/base/vec3.hpp>
#include <sinew/errors.hpp>

#include "host/byte_stream.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;

namespace {

enum class Kind : std::uint8_t { first = 3, second = 7 };

struct Sample {
  std::int32_t small = -5;
  double number = 0.1;
  bool yes = true;
  Kind kind = Kind::second;
  std::string text = "a text";
  std::vector<Index> indices{1, -2, 3};
  std::vector<Vec3d> points{{1, 2, 3}, {4, 5, 6.5}};
  std::vector<double> none;

  void write(ByteSink& sink) const {
    ByteWriter(sink).add(small).add(number).add(yes).add(kind).add(text).add(indices).add(points).add(none);
  }
  void read(ByteSource& source) {
    ByteReader reader(source);
    reader.read(small).read(number).read(yes).read(kind).read(text).read(indices).read(points).read(none);
    reader.expect_end();
  }
  bool operator==(const Sample& o) const {
    return small == o.small && number == o.number && yes == o.yes && kind == o.kind && text == o.text &&
           indices == o.indices && points == o.points && none == o.none;
  }
};

Sample blank() {
  Sample s;
  s.small = 0;
  s.number = 0;
  s.yes = false;
  s.kind = Kind::first;
  s.text.clear();
  s.indices = {9};
  s.points.clear();
  s.none = {1.0};
  return s;
}

bool is_damaged(ByteSource& source) {
  Sample sample;
  try {
    sample.read(source);
  } catch (const IoError& error) {
    CHECK(std::string(error.what()).find("damaged") != std::string::npos);
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("byte stream: what is written is read back, from memory and from a file") {
  MemorySink memory;
  Sample{}.write(memory);
  MemorySource source(memory.bytes());
  Sample got = blank();
  got.read(source);
  CHECK(got == Sample{});

  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/stream";
  {
    AtomicFile file(path);
    FileSink sink(file);
    Sample{}.write(sink);
    file.commit();
  }
  const std::string content = read_file(path);
  REQUIRE(content.size() == memory.bytes().size());
  CHECK(std::memcmp(content.data(), memory.bytes().data(), content.size()) == 0);
  FileSource from_file(path);
  CHECK(from_file.left() == content.size());
  got = blank();
  got.read(from_file);
  CHECK(got == Sample{});
}

TEST_CASE("byte stream: the layout is little-endian with counts of 64 bits") {
  MemorySink sink;
  ByteWriter(sink).add(std::uint16_t{0x0102}).add(std::vector<std::uint8_t>{7, 8});
  const std::vector<std::byte> expected{std::byte{2}, std::byte{1}, std::byte{2}, {},          {}, {}, {}, {},
                                        {},           {},           std::byte{7}, std::byte{8}};
  CHECK(sink.bytes() == expected);
}

TEST_CASE("byte stream: every shortening and any rest is damage") {
  MemorySink sink;
  Sample{}.write(sink);
  for (std::size_t size = 0; size < sink.bytes().size(); ++size) {
    MemorySource source(sink.bytes().data(), size);
    CHECK(is_damaged(source));
  }
  std::vector<std::byte> longer = sink.bytes();
  longer.push_back({});
  MemorySource source(longer);
  CHECK(is_damaged(source));
}

TEST_CASE("byte stream: a count beyond what is left takes no memory") {
  for (const std::uint64_t count : {std::uint64_t{3}, std::uint64_t{1} << 40, std::uint64_t{1} << 61,
                                    std::numeric_limits<std::uint64_t>::max()}) {
    MemorySink sink;
    ByteWriter(sink).add(count).add(1.0).add(2.0);
    MemorySource source(sink.bytes());
    std::vector<double> array;
    CHECK_THROWS_AS(ByteReader(source).read(array), IoError);
    CHECK(array.capacity() == 0);
    MemorySource again(sink.bytes());
    std::string text;
    if (count > 16) CHECK_THROWS_AS(ByteReader(again).read(text), IoError);
  }
}

TEST_CASE("byte stream: a truth value other than 0 and 1 is damage") {
  MemorySink sink;
  ByteWriter(sink).add(std::uint8_t{2});
  MemorySource source(sink.bytes());
  CHECK_THROWS_AS(ByteReader(source).get<bool>(), IoError);
}

TEST_CASE("byte stream: a missing file and a folder are errors with the path") {
  const test::TemporaryFolder folder;
  CHECK_THROWS_WITH(FileSource(folder / "none"),
                    folder / "none" + ": cannot read: No such file or directory");
  CHECK_THROWS_AS(FileSource(folder.path()), IoError);
}
