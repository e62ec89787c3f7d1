#include "calib/links/launched.h"

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace headroom {

namespace {

// A launcher's names for the same things; null where it has none.
struct Launcher {
    const char* name;
    const char* rank;
    const char* ranks;
    const char* job;
    const char* step;
    const char* node;
    const char* here; // how many of the processes are on this machine
};
// Those of mpirun come first: inside a job of Slurm it starts the processes, and Slurm's variables are of its
// own single task. Sources: Open MPI's mpirun(1), "Environment variables"; Slurm's srun(1), "OUTPUT
// ENVIRONMENT VARIABLES"; MPICH's PMI (pmi.h: PMI_RANK, PMI_SIZE); torchrun's "Environment Variables".
constexpr std::array launchers{
    Launcher{"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE", nullptr, nullptr,
             "OMPI_COMM_WORLD_LOCAL_SIZE"},
    Launcher{"PMI", "PMI_RANK", "PMI_SIZE", nullptr, nullptr, nullptr, "MPI_LOCALNRANKS"},
    Launcher{"Slurm", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_NODEID",
             nullptr},
    Launcher{"torchrun", "RANK", "WORLD_SIZE", "TORCHELASTIC_RUN_ID", nullptr, "GROUP_RANK",
             "LOCAL_WORLD_SIZE"},
};

std::optional<int> wholeNumber(std::string_view text)
{
    int value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size() && value >= 0;
    return whole ? std::optional(value) : std::nullopt;
}

} // namespace

Result<Launched> launchedFrom(const std::function<const char*(const char*)>& variable)
{
    const auto text = [&](const char* name) {
        const char* const value = name != nullptr ? variable(name) : nullptr;
        return std::string(value != nullptr ? value : "");
    };
    for (const Launcher& launcher : launchers) {
        const std::string rank = text(launcher.rank);
        const std::string ranks = text(launcher.ranks);
        if (rank.empty() || ranks.empty())
            continue;
        const std::optional<int> mine = wholeNumber(rank);
        const std::optional<int> all = wholeNumber(ranks);
        if (!mine || !all || *mine >= *all)
            return refuse(launcher.rank,
                          say("{} says this is process '{}' of '{}'", asIs(launcher.name), rank, ranks),
                          "expected a whole number from 0 below the number of processes");
        const std::string here = text(launcher.here);
        const std::string nodes = text("SLURM_NNODES"); // Slurm counts machines instead
        const bool elsewhere = (!here.empty() && here != ranks) || (!nodes.empty() && nodes != "1");
        const std::string step = text(launcher.step);
        return Launched{.rank = *mine,
                        .ranks = *all,
                        .by = launcher.name,
                        .job = text(launcher.job) + (step.empty() ? "" : "." + step),
                        .oneMachine = !elsewhere,
                        .node = text(launcher.node)};
    }
    return Launched{};
}

} // namespace headroom
