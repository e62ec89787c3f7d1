#include "calib/calibrate.h"
#include "calib/links/exchange.h"

#include <mpi.h>

namespace headroom {

namespace {

void demand(int status, const char* call)
{
    if (status != MPI_SUCCESS)
        throw CalibrationBroken(say("{} failed: another process has gone", std::string(call)));
}

class MpiExchange final : public Exchange {
public:
    MpiExchange()
    {
        demand(MPI_Init(nullptr, nullptr), "MPI_Init");
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
        MPI_Comm_size(MPI_COMM_WORLD, &m_ranks);
    }
    ~MpiExchange() override { MPI_Finalize(); }

    [[nodiscard]] std::string broadcast(const std::string& mine) override
    {
        std::string word = m_rank == 0 ? mine : std::string();
        auto length = static_cast<unsigned long long>(word.size());
        demand(MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD), "MPI_Bcast");
        word.resize(length);
        demand(MPI_Bcast(word.data(), static_cast<int>(length), MPI_CHAR, 0, MPI_COMM_WORLD), "MPI_Bcast");
        return word;
    }

    [[nodiscard]] std::vector<std::string> gather(const std::string& mine) override
    {
        const int length = static_cast<int>(mine.size());
        std::vector<int> lengths(static_cast<std::size_t>(m_ranks));
        demand(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Gather");
        std::vector<int> begins;
        int all = 0;
        for (const int each : lengths) {
            begins.push_back(all);
            all += each;
        }
        std::string together(m_rank == 0 ? static_cast<std::size_t>(all) : 0, '\0');
        demand(MPI_Gatherv(mine.data(), length, MPI_CHAR, together.data(), lengths.data(), begins.data(),
                           MPI_CHAR, 0, MPI_COMM_WORLD),
               "MPI_Gatherv");
        std::vector<std::string> out;
        for (std::size_t i = 0; m_rank == 0 && i < lengths.size(); ++i)
            out.push_back(
                together.substr(static_cast<std::size_t>(begins[i]), static_cast<std::size_t>(lengths[i])));
        return out;
    }

private:
    int m_rank = 0;
    int m_ranks = 1;
};

} // namespace

std::unique_ptr<Exchange> mpiExchange(const Launched& launched)
{
    const bool started = launched.by == "Open MPI" || launched.by == "PMI";
    return started ? std::make_unique<MpiExchange>() : nullptr;
}

} // namespace headroom
