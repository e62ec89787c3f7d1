// headroom-twin: holds the program's simulator and closed forms against the twins and prints how far they are
// apart. Not installed: a tool for who works on pipelines and exchanges.
#include "exchanges.h"
#include "grid.h"
#include "laws.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>

using namespace headroom;
using namespace headroom::twin;

namespace {

struct Errors {
    std::vector<double> all{};

    void add(double program, double twin)
    {
        if (twin > 0)
            all.push_back(program / twin - 1);
    }
    // Median and worst of the sizes; the sign of the worst kept.
    void print() const
    {
        if (all.empty()) {
            std::printf("      –      –");
            return;
        }
        std::vector<double> sizes;
        double worst = 0;
        for (const double error : all) {
            sizes.push_back(std::abs(error));
            worst = std::abs(error) > std::abs(worst) ? error : worst;
        }
        std::sort(sizes.begin(), sizes.end());
        std::printf(" %6.1f %6.0f", 100 * sizes[sizes.size() / 2], 100 * worst);
    }
};

struct Row {
    int questions = 0;
    Errors simulatorRate, simulatorTpot, simulatorTtft;
    Errors closedRate, closedTpot, closedTtft;

    void add(const Question& question, const Compared& c)
    {
        const bool lone = question.users == 1;
        ++questions;
        simulatorRate.add(c.simulator.outputRate, c.twin.outputRate);
        simulatorTpot.add(c.simulator.tpot, c.twin.tpot);
        simulatorTtft.add(c.simulator.ttft, c.twin.ttft);
        closedRate.add(c.closedRate, c.twin.outputRate);
        closedTpot.add(c.closedTpot, c.twin.tpot);
        if (lone) // under load TTFT has a queue in it, which `predict` does not have
            closedTtft.add(c.closedTtft, c.twin.ttft);
    }
};

void printExchanges()
{
    std::printf("%-32s %-18s %5s %5s %9s %11s %11s %8s  %s\n", "exchange, bytes over rates alone", "machine",
                "ranks", "boxes", "MB", "twin us", "program us", "ratio", "");
    for (const ExchangeRow& row : exchangeRows())
        if (row.twin < 0)
            std::printf("%-32s %-18s %5d %5d %9.2f %11s %11.1f %8s  %s\n", row.exchange.c_str(),
                        row.machine.c_str(), row.ranks, row.boxes, row.bytes / 1e6, "refused",
                        row.program * 1e6, "", row.note.c_str());
        else
            std::printf("%-32s %-18s %5d %5d %9.2f %11.1f %11.1f %8.2f  %s\n", row.exchange.c_str(),
                        row.machine.c_str(), row.ranks, row.boxes, row.bytes / 1e6, row.twin * 1e6,
                        row.program * 1e6, row.program / row.twin, row.note.c_str());
}

int printLaws(int cases, std::uint64_t seed)
{
    bool hold = true;
    for (const Law& law : lawsOver(seed, cases)) {
        std::printf("%-64s %6d asked, %4zu broken, %.3f %% off at worst\n", law.name.c_str(), law.cases,
                    law.broken.size(), 100 * law.worst);
        for (std::size_t i = 0; i < std::min<std::size_t>(law.broken.size(), 10); ++i)
            std::printf("    %s\n", law.broken[i].c_str());
        hold = hold && law.broken.empty();
    }
    return hold ? 0 : 1;
}

void printCompared(const std::vector<Question>& questions, bool each)
{
    std::map<std::string, Row> rows;
    for (const Question& question : questions) {
        const Subject subject(question);
        const Compared c = compare(question, subject);
        for (const std::string& key :
             {std::string(" all"), " stages " + std::to_string(question.pp),
              std::string(question.pp > 1 ? "engine " : "engine, one stage ") + question.engine,
              std::string(question.pp > 1 ? "load " : "load, one stage ") + question.load,
              "attention ranks " + std::to_string(question.dp),
              "pipelines, boxes " + std::to_string(subject.boxes())})
            if (question.pp > 1 || key.find("pipelines") == std::string::npos)
                rows[key].add(question, c);
        if (each)
            std::printf("%s  rate %9.1f sim %+6.1f%% closed %+6.1f%%  tpot %8.2f ms sim %+6.1f%% closed "
                        "%+6.1f%%  ttft %9.1f ms sim %+6.1f%%\n",
                        question.words().c_str(), c.twin.outputRate,
                        100 * (c.simulator.outputRate / c.twin.outputRate - 1),
                        100 * (c.closedRate / c.twin.outputRate - 1), 1e3 * c.twin.tpot,
                        100 * (c.simulator.tpot / c.twin.tpot - 1), 100 * (c.closedTpot / c.twin.tpot - 1),
                        1e3 * c.twin.ttft, 100 * (c.simulator.ttft / c.twin.ttft - 1));
    }
    std::printf("\nerrors against the twin in per cent: median of sizes, worst\n");
    std::printf("%-28s %4s | %-13s %-13s %-13s | %-13s %-13s %-13s\n", "", "n", "simulate rate", "TPOT",
                "TTFT", "predict rate", "TPOT", "lone TTFT");
    for (const auto& [key, row] : rows) {
        std::printf("%-28s %4d |", key.c_str(), row.questions);
        for (const Errors* errors : {&row.simulatorRate, &row.simulatorTpot, &row.simulatorTtft})
            errors->print();
        std::printf(" |");
        for (const Errors* errors : {&row.closedRate, &row.closedTpot, &row.closedTtft})
            errors->print();
        std::printf("\n");
    }
}

} // namespace

int main(int argc, char** argv)
try {
    bool each = false;
    bool laws = false;
    bool ranks = false; // of attention, in place of pipelines
    std::string only;   // of the questions those that have this in their words
    int draws = 0;      // of each question; 0: as many as the grid asks for
    std::vector<int> numbers;
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "--each")
            each = true;
        else if (std::string(argv[i]) == "--laws")
            laws = true;
        else if (std::string(argv[i]) == "--ranks")
            ranks = true;
        else if (std::string(argv[i]) == "--only" && i + 1 < argc)
            only = argv[++i];
        else if (std::string(argv[i]) == "--draws" && i + 1 < argc)
            draws = std::atoi(argv[++i]);
        else if (const int number = std::atoi(argv[i]); number > 0)
            numbers.push_back(number);
        else
            throw std::runtime_error("headroom-twin [QUESTIONS [SEED]] [--ranks] [--only WORDS] [--draws N] "
                                     "[--each | --laws], not: "
                                     + std::string(argv[i]));
    }
    const int questions = numbers.empty() ? 200 : numbers[0];
    const std::uint64_t seed = numbers.size() > 1 ? static_cast<std::uint64_t>(numbers[1]) : 1;
    if (laws)
        return printLaws(questions, seed);
    if (!ranks && only.empty())
        printExchanges();
    std::vector<Question> grid = ranks ? ranksGrid(seed, questions) : pipelineGrid(seed, questions);
    grid.erase(std::remove_if(grid.begin(), grid.end(),
                              [&](const Question& q) { return q.words().find(only) == std::string::npos; }),
               grid.end());
    if (draws > 0)
        for (Question& question : grid)
            question.draws = draws;
    printCompared(grid, each);
    return 0;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
}
