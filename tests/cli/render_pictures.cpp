// render, storyboard, and the program without a display: the real program draws real PNGs.
#include "program.h"

namespace auditorium {
namespace {

using Render = testing::Program;
using testing::read_text;
using testing::Said;

struct Size {
    unsigned width = 0, height = 0;
    friend bool operator==(const Size&, const Size&) = default;
};

// From a PNG's first chunk; 0x0 for what is no PNG.
Size size_of(const std::string& png) {
    if (png.size() < 24 || png.compare(0, 8, "\x89PNG\r\n\x1a\n") != 0)
        return {};
    const auto number = [&](std::size_t at) {
        unsigned value = 0;
        for (std::size_t i = 0; i < 4; ++i)
            value = value << 8 | static_cast<unsigned char>(png[at + i]);
        return value;
    };
    return {number(16), number(20)};
}

TEST_F(Render, DrawsAStepInEveryView) {
    record("--block 64");
    std::string last;
    for (const char* options : {"--step 2", "--step 0", "--step 10", "--at 1.5", "--step 2 --theme light",
                                "--step 2 --view scene", "--step 2 --view presenter", "--step 2 --pin box:5",
                                "--step 2 --pin thread:37", "--step 2 --view scene --pin box:5"}) {
        const Said said = run(std::string("render run.audit --size 640x400 ") + options + " -o a.png");
        ASSERT_EQ(said.status, 0) << options << said.err;
        const std::string png = read_text(path("a.png"));
        EXPECT_EQ(size_of(png), (Size{640, 400})) << options;
        EXPECT_NE(png, last) << options << ": the same picture as before";
        last = png;
    }
    EXPECT_EQ(run("render run.audit --step 2 -o a.png").status, 0);
    EXPECT_EQ(size_of(read_text(path("a.png"))), (Size{1600, 900}));
}

TEST_F(Render, SaysWhatItDrew) {
    record("--block 64");
    const std::string launch = "contiguous_warp, max of float, 64 threads";
    const auto says = [&](const std::string& options) {
        return run("render " + options + " --size 640x400 -o a.png").out;
    };
    EXPECT_EQ(says("run.audit --step 0"), "a.png: " + launch + "; arrive; 640x400\n");
    EXPECT_EQ(says("run.audit --step 2"), "a.png: " + launch + "; the end of step 2, stride 32; 640x400\n");
    EXPECT_EQ(says("run.audit --at 1.5"), "a.png: " + launch + "; 1.5 s; 640x400\n");
    EXPECT_EQ(says("--compare run.audit contiguous_full@64 --step 2"),
              "a.png: " + launch +
                  " beside contiguous_full, max of float, 64 threads; the end of row 2; 640x400\n");
}

TEST_F(Render, TheSameMomentIsTheSamePicture) {
    record("--block 64");
    for (const char* nothing : {"0", "-0", "1e-400", "5e-324"}) {
        ASSERT_EQ(run(std::string("render run.audit --size 640x400 --at ") + nothing + " -o c.png").status,
                  0);
        const std::string now = read_text(path("c.png"));
        EXPECT_TRUE(nothing[0] == '0' || now == read_text(path("d.png"))) << nothing;
        write("d.png", now);
    }
    ASSERT_EQ(run("render run.audit --size 640x400 --step 3 -o a.png").status, 0);
    ASSERT_EQ(run("render run.audit --size 640x400 --step 3 -o b.png").status, 0);
    EXPECT_EQ(read_text(path("a.png")), read_text(path("b.png")));
}

TEST_F(Render, Errors) {
    record("--block 64");
    expect_error("render run.audit -o a.png", 2, "--step");
    expect_error("render run.audit --step 1 --at 2 -o a.png", 2, "--at");
    expect_error("render run.audit --step 99 -o a.png", 2, "99");
    expect_error("render run.audit --step -1 -o a.png", 2);
    expect_error("render run.audit --step x -o a.png", 2, "--step");
    expect_error("render run.audit --at never -o a.png", 2, "--at");
    expect_error("render run.audit --step 1 --pin box:64 -o a.png", 2, "box:64");
    expect_error("render run.audit --step 1 --pin chair:5 -o a.png", 2, "chair");
    expect_error("render run.audit --step 1 --pin ray:5 -o a.png", 2, "ray");
    for (const char* at : {"nan", "inf", "-1", "-1e400", "''", "1,5"})
        expect_error(std::string("render run.audit --at ") + at + " -o a.png", 2, "--at");
    for (const char* at : {"99", "1e300", "1e400"})
        expect_error(std::string("render run.audit --at ") + at + " -o a.png", 2, "The run is over");
    expect_error("render run.audit --step '' -o a.png", 2, "--step");
    for (const char* size : {"640", "x", "640x", "0x0", "-1x5", "99999x99999", "640x400x2"})
        expect_error(std::string("render run.audit --step 1 --size ") + size + " -o a.png", 2, "--size");
    // What the window calls too small is refused, and the sentence says what is not.
    for (const char* size : {"320x200", "639x360", "640x359", "520x170"})
        expect_error(std::string("render run.audit --step 1 --size ") + size + " -o a.png", 2,
                     "640x360 to 8192x8192");
    for (const char* size : {"519x170", "520x169"})
        expect_error(std::string("render run.audit --step 1 --view scene --size ") + size + " -o a.png", 2,
                     "520x170 to 8192x8192 for the scene alone");
    expect_error("render --compare run.audit run.audit --step 1 --size 600x300 -o a.png", 2,
                 "640x360 to 8192x8192");
    expect_error("render run.audit --step 1 --theme grey -o a.png", 2, "--theme");
    expect_error("render run.audit --step 1 --view all -o a.png", 2, "--view");
    expect_error("render missing.audit --step 1 -o a.png", 3, "missing.audit");
    expect_error("render run.audit --step 1 --size 640x400 -o missing/a.png", 5, "missing/a.png");
    EXPECT_FALSE(std::filesystem::exists(path("a.png")));
}

TEST_F(Render, TheLeastSizesAreDrawn) {
    record("--block 64");
    ASSERT_EQ(run("render run.audit --size 640x360 --step 2 -o a.png").status, 0);
    EXPECT_EQ(size_of(read_text(path("a.png"))), (Size{640, 360}));
    ASSERT_EQ(run("render run.audit --view scene --size 520x170 --step 2 -o b.png").status, 0);
    EXPECT_EQ(size_of(read_text(path("b.png"))), (Size{520, 170}));
    const Said help = run("render --help");
    EXPECT_NE(help.out.find("640x360 to 8192x8192"), std::string::npos) << help.out;
    EXPECT_NE(help.out.find("520x170"), std::string::npos) << help.out;
}

TEST_F(Render, TwoSides) {
    record("--block 64");
    std::string last;
    for (const char* options :
         {"run.audit --compare contiguous_full@64 --step 2",
          "--compare run.audit contiguous_full@64 --step 3",
          "--compare contiguous_full@64 contiguous_warp@128 --mode phase --at 2.5",
          "--compare interleaved_divergent contiguous_full --mode race --at 200",
          "--compare interleaved_divergent contiguous_full --mode race --step 2 --view presenter",
          "--compare interleaved_divergent contiguous_full --mode race --step 2 --pin right:box:5",
          "--compare contiguous_full@64 contiguous_warp@128 --step 3 --pin thread:37",
          "--compare missing_barrier missing_barrier@256@7 --op sum --type int --step 11"}) {
        const Said said = run(std::string("render ") + options + " --size 640x400 -o a.png");
        ASSERT_EQ(said.status, 0) << options << said.err;
        const std::string png = read_text(path("a.png"));
        EXPECT_EQ(size_of(png), (Size{640, 400})) << options;
        EXPECT_NE(png, last) << options;
        last = png;
    }
    expect_error("render --step 1 -o b.png", 2, "--compare");
    expect_error("render --compare run.audit --step 1 -o b.png", 2, "two sides");
    expect_error("render run.audit --compare a b --step 1 -o b.png", 2, "two sides");
    expect_error("render --compare run.audit nothing --step 1 -o b.png", 2, "neither a file nor a kernel");
    expect_error("render --compare run.audit nothing.audit --step 1 -o b.png", 3, "nothing.audit");
    for (const char* only : {"--mode race", "--op min", "--type int", "--input ramp"})
        expect_error(std::string("render run.audit --step 1 ") + only + " -o b.png", 2, "--compare");
    expect_error("render run.audit --step 1 --pin '' -o b.png", 2, "box:5");
    expect_error("render --compare run.audit contiguous_full@64 --step 1 --pin right:box:64 -o b.png", 2,
                 "box:64");
    expect_error("render --compare run.audit contiguous_full@64 --step 1 --pin middle:box:5 -o b.png", 2,
                 "middle");
    expect_error("render --compare run.audit contiguous_full@96 --step 1 -o b.png", 2, "96");
    expect_error("render --compare run.audit contiguous_full --mode race --at 5 -o b.png", 2, "simulated");
    expect_error("render --compare run.audit contiguous_full --mode first --step 1 -o b.png", 2, "--mode");
    expect_error("render --compare run.audit contiguous_full --step 99 -o b.png", 2, "99");
    expect_error("render --compare interleaved_divergent contiguous_full --mode race --step 0 -o b.png", 2,
                 "The rows of this race are 1 to");
    EXPECT_NE(run("render --help").out.find("in a race from 1"), std::string::npos);
    expect_error("render --compare interleaved_divergent contiguous_full --mode race --at 99999 -o b.png", 2,
                 "cycles");
    EXPECT_FALSE(std::filesystem::exists(path("b.png")));
}

TEST_F(Render, StoryboardDrawsEveryStep) {
    record("--block 64");
    const Said said = run("storyboard run.audit -o story");
    ASSERT_EQ(said.status, 0) << said.err;
    int pictures = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path("story"))) {
        EXPECT_EQ(size_of(read_text(entry.path())), (Size{1600, 900})) << entry.path();
        ++pictures;
    }
    EXPECT_EQ(pictures, 11) << "arrive and ten steps";
    EXPECT_TRUE(std::filesystem::exists(path("story/02-stride-32.png")));
    write("file", "");
    expect_error("storyboard run.audit -o file/story", 5, "file/story");
}

TEST_F(Render, WithoutADisplayTheJobIsDoneInPictures) {
    const Said said = run("");
    ASSERT_EQ(said.status, 0) << said.err;
    EXPECT_NE(said.err.find("display"), std::string::npos) << said.err;
    EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
    EXPECT_NE(said.out.find("Verified."), std::string::npos) << said.out;
    EXPECT_NE(said.out.find("stride 128"), std::string::npos) << said.out;
    EXPECT_NE(said.out.find("13 pictures in auditorium-storyboard"), std::string::npos) << said.out;
    EXPECT_TRUE(std::filesystem::exists(path("auditorium-storyboard/12-broadcast.png")));
    EXPECT_TRUE(std::filesystem::exists(path("auditorium-storyboard/run.audit")));
}

TEST_F(Render, WithoutADisplayAFileIsShownInPicturesToo) {
    record("--kernel ragged_block --block 96");
    const Said said = run("run.audit");
    EXPECT_EQ(said.status, 0) << said.err;
    EXPECT_NE(said.out.find("ragged_block"), std::string::npos);
    EXPECT_TRUE(std::filesystem::exists(path("auditorium-storyboard/00-arrive.png")));
    EXPECT_FALSE(std::filesystem::exists(path("auditorium-storyboard/run.audit"))) << "it was there already";
}

TEST_F(Render, WithoutADisplayAndAPlaceToWriteTo) {
    write("auditorium-storyboard", "a file in the way");
    const Said said = run("");
    EXPECT_EQ(said.status, 5);
    EXPECT_NE(said.err.find("auditorium-storyboard"), std::string::npos);
    // What needs no place is done all the same.
    EXPECT_NE(said.out.find("result: 998"), std::string::npos) << said.out;
    EXPECT_NE(said.out.find("Verified."), std::string::npos) << said.out;
    EXPECT_NE(said.out.find("stride 128"), std::string::npos) << said.out;
    EXPECT_EQ(said.out.find("run.audit"), std::string::npos) << "it was not written: " << said.out;
    EXPECT_NE(said.err.find("no pictures"), std::string::npos) << said.err;
    record("--kernel ragged_block");
    const Said shown = run("run.audit");
    EXPECT_EQ(shown.status, 5);
    EXPECT_NE(shown.out.find("Verified."), std::string::npos) << shown.out;
    EXPECT_NE(shown.out.find("stride 48"), std::string::npos) << shown.out;
    EXPECT_EQ(read_text(path("auditorium-storyboard")), "a file in the way");
}

}  // namespace
}  // namespace auditorium
