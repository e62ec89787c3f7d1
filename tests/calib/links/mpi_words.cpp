// Under mpirun: words of every rank reach all, those of the first too. Exit 0: they did.

#include "calib/links/exchange.h"
#include "calib/links/launched.h"

#include <cstdlib>
#include <iostream>

int main()
{
    using namespace headroom;
    const auto launched = launchedFrom([](const char* name) { return std::getenv(name); });
    if (!launched || launched->ranks < 2) {
        std::cerr << "not started by mpirun with two or more ranks\n";
        return 2;
    }
    const std::unique_ptr<Exchange> exchange = mpiExchange(*launched);
    if (!exchange) {
        std::cerr << "built without MPI, or another launcher started this\n";
        return 3;
    }
    const std::string mine(static_cast<std::size_t>(launched->rank) * 1000,
                           static_cast<char>('a' + launched->rank));
    const std::vector<std::string> all = gatherForAll(*exchange, mine);
    bool right = all.size() == static_cast<std::size_t>(launched->ranks);
    for (std::size_t rank = 0; right && rank < all.size(); ++rank)
        right = all[rank] == std::string(rank * 1000, static_cast<char>('a' + rank));
    right = right && exchange->broadcast(launched->rank == 0 ? "go" : "not mine to say") == "go";
    right = right && exchange->broadcast("").empty();
    return right ? 0 : 1;
}
