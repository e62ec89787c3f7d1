#include "model/import/trace.h"

#include <doctest/doctest.h>

using namespace headroom;
using namespace headroom::serve;

TEST_CASE("trace: our own columns, with classes, sessions and prefixes")
{
    const Result<Workload> trace
        = readTrace("arrival_s,prompt_tokens,output_tokens,class,session,prefix_tokens\n"
                    "12.5,300,20,chat,a,\n"
                    "10,100,10,chat,a,0\r\n"
                    "11,2000,30,code,,500\n"
                    "13,350,5,chat,b,\n",
                    "t.csv");
    REQUIRE(trace);
    REQUIRE(trace->requests.size() == 4);
    CHECK(trace->requests[0] == Request{.promptTokens = 100, .outputTokens = 10, .session = 0});
    CHECK(trace->requests[1].arrival == Seconds(1));
    CHECK(trace->requests[1].systemTokens == 500);
    CHECK(trace->requests[1].session == -1);
    CHECK(trace->requests[2].arrival == Seconds(2.5));
    CHECK(trace->requests[2].session == trace->requests[0].session);
    CHECK(trace->requests[3].session != trace->requests[0].session);
    CHECK(trace->classes.size() == 2);
    CHECK(trace->classes[trace->requests[1].classIndex].name == "code");
}

TEST_CASE("trace: what was really measured goes with its request")
{
    const Result<Workload> trace
        = readTrace("arrival_s,prompt_tokens,output_tokens,first_token_s,last_token_s\n"
                    "12,300,20,12.5,14\n"
                    "10,100,10,10.25,11.5\n",
                    "t.csv");
    REQUIRE(trace);
    REQUIRE(trace->recorded.size() == 2);
    CHECK(trace->requests[0].promptTokens == 100);
    CHECK(trace->recorded[0].firstToken == Seconds(0.25));
    CHECK(trace->recorded[0].lastToken == Seconds(1.5));
    CHECK(trace->recorded[1].firstToken == Seconds(2.5));

    const Result<Workload> broken
        = readTrace("arrival_s,prompt_tokens,output_tokens,first_token_s,last_token_s\n"
                    "10,100,10,9,11\n"
                    "10,100,10,12,11\n"
                    "10,100,10,,11\n",
                    "t.csv");
    REQUIRE(!broken);
    REQUIRE(broken.error().size() == 3);
    CHECK(broken.error()[0].where.starts_with("t.csv:2"));
    CHECK(broken.error()[1].where.starts_with("t.csv:3"));
    CHECK(broken.error()[2].where.starts_with("t.csv:4"));
}

TEST_CASE("trace: an arrival before 0 is refused at its place")
{
    const Result<Workload> csv
        = readTrace("arrival_s,prompt_tokens,output_tokens\n0,100,10\n-3,100,10\n", "t.csv");
    REQUIRE(!csv);
    CHECK(csv.error().front().where.starts_with("t.csv:3"));
    CHECK(csv.error().front().what.english().find("not before 0") != std::string::npos);
    const Result<Workload> lines = readTrace(
        "{\"timestamp\": -5, \"input_length\": 700, \"output_length\": 5, \"hash_ids\": []}\n", "m.jsonl");
    REQUIRE(!lines);
    CHECK(lines.error().front().what.english().find("not before 0") != std::string::npos);
}

TEST_CASE("trace: an arrival beyond any clock is refused, and the limit is said")
{
    const Result<Workload> csv
        = readTrace("arrival_s,prompt_tokens,output_tokens\n0,100,10\n1e300,100,10\n", "t.csv");
    REQUIRE(!csv);
    CHECK(csv.error().front().what.english() == "an arrival is at most 1e+10 s, got '1e300'");
}

TEST_CASE("trace: the Azure inference trace, over midnight and the end of a month")
{
    const Result<Workload> trace = readTrace("TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
                                             "2024-02-29 23:59:59.5000000,374,44\r\n"
                                             "2024-03-01 00:00:01.2500000,396,109\r\n",
                                             "azure.csv");
    REQUIRE(trace);
    CHECK(trace->requests[1].arrival.base() == doctest::Approx(1.75));
    CHECK(trace->requests[1].promptTokens == 396);
    CHECK(trace->requests[1].outputTokens == 109);
}

TEST_CASE("trace: Mooncake lines with the hashes of their leading blocks")
{
    const Result<Workload> trace
        = readTrace("{\"timestamp\": 0, \"input_length\": 700, \"output_length\": 5, \"hash_ids\": [7, 8]}\n"
                    "\n{\"timestamp\": 1500, \"input_length\": 600, \"output_length\": 6, \"hash_ids\": [7, "
                    "4294967295]}\n",
                    "m.jsonl");
    REQUIRE(trace);
    CHECK(trace->hashedTokens == 512);
    CHECK(trace->prefixHashes == std::vector<std::uint32_t>{7, 8, 7, 4294967295});
    CHECK(trace->requests[1].arrival == Seconds(1.5));
    CHECK(trace->requests[1].hashBegin == 2);
    CHECK(trace->requests[1].hashCount == 2);
    CHECK(trace->sharesPrefixes());
}

TEST_CASE("trace: everything wrong is named with its line")
{
    struct Row {
        const char* text;
        std::size_t problems;
        const char* where; // of the first
    };
    const char* const header = "arrival_s,prompt_tokens,output_tokens\n";
    for (const Row& row : {
             Row{"", 1, "t"},
             Row{"arrival_s,prompt_tokens,output_tokens\n", 1, "t"},
             Row{"time,prompt_tokens\n1,2\n", 2, "t:1"},
             Row{"arrival_s,prompt_tokens,output_tokens\nx,0,1.5\n1,2,3\n2,-4,5\n", 4, "t:2:1"},
             Row{"arrival_s,prompt_tokens,output_tokens\n1,2,3\n1,2,99999999999\n", 1, "t:3:5"},
             Row{"arrival_s,prompt_tokens,output_tokens\n1,2,3\nnan,2,3\n", 1, "t:3:1"},
             Row{"arrival_s,prompt_tokens,output_tokens,prefix_tokens\n1,2,3,5\n", 1, "t:2:7"},
             Row{"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-13-01 00:00:00,1,1\n", 1, "t:2:1"},
             Row{"TIMESTAMP,ContextTokens,GeneratedTokens\nyesterday,1,1\n", 1, "t:2:1"},
             Row{"{\"timestamp\": 0, \"input_length\": 0, \"output_length\": 5}\n{\"timestamp\": \"a\"}\n", 4,
                 "t:1"},
             Row{"{\"timestamp\": 0, \"input_length\": 9, \"output_length\": 5, \"hash_ids\": [-1, 2.5]}\n",
                 2, "t:1"},
             Row{"{\"timestamp\": 0, \"input_length\": 9, \"output_length\": 5, \"hash_ids\": 3}\n", 1,
                 "t:1"},
             Row{"{\"timestamp\": 0,\n", 1, "t:1"},
         }) {
        CAPTURE(row.text);
        const Result<Workload> trace = readTrace(row.text, "t");
        REQUIRE_FALSE(trace);
        CHECK(trace.error().size() == row.problems);
        CHECK(trace.error().front().where.substr(0, std::string_view(row.where).size()) == row.where);
        CHECK_FALSE(trace.error().front().what.empty());
    }
    std::string many = header;
    for (int i = 0; i < 100000; ++i)
        many += "a,b,c\n";
    const Result<Workload> trace = readTrace(many, "t");
    REQUIRE_FALSE(trace);
    CHECK(trace.error().size() <= 60); // not one for each of a hundred thousand lines
    CHECK_FALSE(readTraceFile("/no/such/trace.csv"));
}
