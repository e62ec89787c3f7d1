#include "model/words/catalogue_vocabulary.h"

#include "model/base/dtype.h"
#include "model/base/spelling.h"
#include "model/words/names.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return c >= 'a' && c <= 'z'; }

std::vector<std::string> wordsOf(std::string_view text)
{
    std::vector<std::string> words(1);
    for (const char c : text) {
        const char lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (isDigit(lower) || isLetter(lower) || lower == '.')
            words.back() += lower;
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty())
        words.pop_back();
    return words;
}

bool hasDigit(std::string_view text) { return std::any_of(text.begin(), text.end(), isDigit); }

// "70b", "1.5b", "8x7b": how people name a size.
bool isModelSize(const std::string& word)
{
    return word.size() >= 2 && word.back() == 'b' && isDigit(word[word.size() - 2])
        && std::all_of(word.begin(), word.end() - 1,
                       [](char c) { return isDigit(c) || c == '.' || c == 'x'; });
}

// "4090", "3060": consumer cards are named by a bare number.
bool isCardNumber(std::string_view word)
{
    for (const std::string_view suffix : {"super", "ti", "d"}) // "4090D", "2080Ti"
        if (word.size() > 4 && word.ends_with(suffix)) {
            word.remove_suffix(suffix.size());
            break;
        }
    return word.size() == 4 && std::all_of(word.begin(), word.end(), isDigit) && word[0] >= '2'
        && word[0] <= '7' && word[1] == '0' && word[2] >= '5' && word[3] == '0';
}

// A word without figures names something only when names begin with it: "llama", but not "chat" or "pcie".
bool beginsName(const std::string& word, const NameMatch& match)
{
    if (match.id.size() > word.size() && match.id.starts_with(word) && isLetter(match.id[word.size()]))
        return false; // "code" is no Code Llama
    const bool spelled = match.how != NameMatch::How::OnlyOne && match.how != NameMatch::How::Newest;
    return match.id.starts_with(word) || (spelled && match.id.find("-" + word) == std::string::npos);
}

// "llama 70b 8-bit", "llama 70b tensor parallel", "h100 8 prompts": what follows a name is no part of it.
bool endsName(const std::vector<std::string>& words, const NameMatch& match)
{
    const std::string& last = words.back();
    if (last == "tensor" || last == "core" || last == "gpu" || last == "gpus")
        return words.size() == 1;
    const bool figures = std::all_of(last.begin(), last.end(), isDigit);
    const bool wholeAlias = match.how == NameMatch::How::Alias // "DeepSeek R1 0528", "Mistral Large 2"
        && (last.size() >= 4 || words.size() > 2);
    if (!figures || words.size() == 1 || wholeAlias)
        return true;
    const std::vector<std::string> own = wordsOf(match.id);
    return std::any_of(own.begin(), own.end(), [&](const std::string& word) {
        // "glm 4", "rtx 4090", and where the figures end a word: "qwen 3" is qwen3-…
        return word == last || (word.ends_with(last) && isLetter(word[word.size() - last.size() - 1]));
    });
}

// The letters that a word begins with, and what stands behind them: "qwen" and "4" of "qwen4".
std::pair<std::string_view, std::string_view> familyAndVersion(std::string_view word)
{
    std::size_t letters = 0;
    while (letters < word.size() && isLetter(word[letters]))
        ++letters;
    return {word.substr(0, letters), word.substr(letters)};
}

// Whether the one that the words fit is another member of a family, whose word was not typed: an RTX 5060 is
// no RTX 5060 Ti. Of cards it stands behind a figure: the "pro" of an RTX PRO 4500 is no member's.
bool leavesMember(std::string_view kind, const std::vector<std::string>& words, const NameMatch& match)
{
    const std::vector<std::string> own = wordsOf(match.id);
    for (std::size_t i = 1; !match.isNamed() && i < own.size(); ++i)
        if (ask::Names::shipped().is(kind, own[i]) && (kind == "ModelMember" || hasDigit(own[i - 1]))
            && std::find(words.begin(), words.end(), own[i]) == words.end())
            return true;
    return false;
}

// The one thing that the words fit need not be what was meant: "Qwen4 32B" is no Qwen2.5 32B, and "GLM-4.7"
// no GLM-4.7 Flash. A version must be the one typed, and what makers call another member of the family must
// be typed too.
bool meansAnother(const std::vector<std::string>& words, const NameMatch& match)
{
    if (match.how == NameMatch::How::Alias || match.how == NameMatch::How::Exact)
        return false;
    const std::vector<std::string> own = wordsOf(match.id);
    for (const std::string& word : words) {
        const auto [family, version] = familyAndVersion(word);
        if (family.size() < 2 || version.empty())
            continue;
        for (const std::string& part : own) {
            const auto [ownFamily, ownVersion] = familyAndVersion(part);
            if (ownFamily == family && !ownVersion.empty() && ownVersion != version)
                return true;
        }
    }
    return leavesMember("ModelMember", words, match);
}

// "max 40 users" are no M5 Max and "Mistral Medium 3" is no Phi-3 Medium; "PRO 6000" is a card.
bool isVariantAlone(const std::vector<std::string>& words)
{
    constexpr std::size_t fewDigits = 3;
    return words.size() == 2 && ask::Names::shipped().is("Variant", words[0]) && words[1].size() <= fewDigits
        && std::all_of(words[1].begin(), words[1].end(), isDigit);
}

bool namesModel(const std::vector<std::string>& words, const NameMatch& match)
{
    if (meansAnother(words, match) || isVariantAlone(words))
        return false;
    // "Llama-3.1-70B-Instruct-FP8": the type is read by itself, so that it is not lost in the name.
    if (std::any_of(words.begin(), words.end(),
                    [](const std::string& word) { return dtypeFromName(word).has_value(); }))
        return false;
    const std::string& first = words.front();
    if (isDigit(first.front()))
        return isModelSize(first) && (words.size() == 1 || isLetter(words[1].front()));
    if (words.size() == 1 && !hasDigit(first)) // "llama", but "open" is no Open Llama
        return first.size() >= 3 && beginsName(first, match)
            && (ask::Names::shipped().is("Family", first) || match.how != NameMatch::How::OnlyOne);
    return true;
}

bool namesGpu(const std::vector<std::string>& words, const NameMatch& match)
{
    const std::string& first = words.front();
    if (words.size() == 1 && first.size() < 3 && match.how != NameMatch::How::Alias
        && match.how != NameMatch::How::Exact)
        return false; // "V5" is no TPU v5e
    if (leavesMember("CardMember", words, match) || isVariantAlone(words))
        return false;
    if (isDigit(first.front())) // "7900 XTX" is a card, "7900 users" are none
        return isCardNumber(first) || match.how == NameMatch::How::Alias; // "910B", "6000 Ada"
    if (std::none_of(words.begin(), words.end(), [](const std::string& word) { return hasDigit(word); }))
        return match.others.empty() && beginsName(first, match)
            && (words.size() > 1 || match.isNamed() || ask::Names::shipped().is("Family", first)); // "data"
    return true;
}

// "v2" and "2" are parts of engines' names, and mean nothing alone; "with vllm" is no name, though "vLLM with
// asynchronous scheduling" is.
bool namesEngine(const std::vector<std::string>& words, const NameMatch& match)
{
    const std::string& first = words.front();
    return match.isNamed() && match.others.empty() && first.size() >= 3 && !isDigit(first.front())
        && !ask::Names::shipped().is("NoEngine", first)
        && !ask::Names::shipped().is("NoEngine", words.back());
}

ask::Vocabulary::Find strictly(std::optional<NameMatch> (Catalogue::*match)(std::string_view) const,
                               const Catalogue& catalogue,
                               bool (*names)(const std::vector<std::string>&, const NameMatch&))
{
    return [match, &catalogue, names](std::string_view text) -> std::optional<NameMatch> {
        const std::vector<std::string> words = wordsOf(text);
        // An organisation is one word: "for meta-llama/…" begins with another.
        const std::string_view organisation
            = text.substr(0, text.rfind('/') == std::string_view::npos ? 0 : text.rfind('/'));
        const char after = organisation.empty() ? 'x' : text[organisation.size() + 1];
        const bool apart = std::isalpha(static_cast<unsigned char>(after)) == 0; // "w/ 2s", "800 in/200 out"
        if (words.empty() || apart || organisation.find(' ') != std::string_view::npos)
            return std::nullopt;
        std::optional<NameMatch> found = (catalogue.*match)(text);
        if (!found || !endsName(words, *found) || !names(words, *found))
            return std::nullopt;
        return found;
    };
}

// Gigabytes said of a card, decimal or binary, are those it has.
bool hasMemory(const Catalogue& catalogue, const std::string& gpu, double gigabytes)
{
    constexpr double decimal = 1e9;
    constexpr double binary = 1024.0 * 1024 * 1024;
    constexpr double rounding = 0.02;
    const auto found = catalogue.gpu(gpu);
    if (!found)
        return false;
    const double bytes = (*found)->memorySold.base();
    const auto same = [&](double unit) { return std::abs(gigabytes * unit - bytes) <= rounding * bytes; };
    return same(decimal) || same(binary);
}

// "M4 Max 128GB", "RTX 4090 24G": the memory of a card said behind its name, where no name says it.
ask::Vocabulary::Find withMemory(ask::Vocabulary::Find named, const Catalogue& catalogue)
{
    return [named = std::move(named), &catalogue](std::string_view text) -> std::optional<NameMatch> {
        if (text.find('/') != std::string_view::npos)
            return std::nullopt; // "H100/H200" are two
        if (auto found = named(text))
            return found;
        std::string_view name = text;
        while (!name.empty() && (name.back() == 'b' || name.back() == 'B'))
            name.remove_suffix(1);
        if (name.empty() || (name.back() != 'g' && name.back() != 'G'))
            return std::nullopt;
        name.remove_suffix(1);
        while (name.ends_with(' '))
            name.remove_suffix(1);
        std::size_t digits = name.size();
        while (digits > 0 && isDigit(name[digits - 1]))
            --digits;
        double gigabytes = 0;
        std::from_chars(name.data() + digits, name.data() + name.size(), gigabytes);
        name = name.substr(0, digits);
        while (name.ends_with(' ') || name.ends_with('-'))
            name.remove_suffix(1);
        std::optional<NameMatch> found = name.size() < text.size() ? named(name) : std::nullopt;
        if (!found || gigabytes <= 0)
            return std::nullopt;
        if (hasMemory(catalogue, found->id, gigabytes))
            return found;
        const auto other
            = std::find_if(found->others.begin(), found->others.end(),
                           [&](const std::string& id) { return hasMemory(catalogue, id, gigabytes); });
        if (other == found->others.end())
            return std::nullopt;
        std::swap(found->id, *other);
        return found;
    };
}

// Cards of players: what their makers call so.
bool isConsumer(const Gpu& gpu)
{
    constexpr std::array lines{std::string_view("GeForce"), std::string_view("Radeon RX"),
                               std::string_view("Arc ")};
    return std::any_of(lines.begin(), lines.end(),
                       [&](std::string_view line) { return gpu.name.find(line) != std::string::npos; });
}

// Of the makers whose accelerators are tried where none is named.
std::vector<std::string> gpusSoldAs(const Catalogue& catalogue, std::string_view way)
{
    std::vector<std::string> out;
    for (const std::string_view maker : {"nvidia", "amd"})
        for (std::string& id : catalogue.gpusOfVendor(maker)) {
            const auto gpu = catalogue.gpu(id);
            const auto isIn = [&](std::string_view form) { return (*gpu)->formFactor.starts_with(form); };
            if (gpu
                && (way == "pcie"           ? isIn("PCIe")
                        : way == "sxm"      ? isIn("SXM")
                        : way == "oam"      ? isIn("OAM")
                        : way == "consumer" ? isConsumer(**gpu)
                                            : false))
                out.push_back(std::move(id));
        }
    return out;
}

} // namespace

ask::Vocabulary vocabularyOf(const Catalogue& catalogue)
{
    ask::Vocabulary vocabulary;
    vocabulary.model = strictly(&Catalogue::matchModel, catalogue, namesModel);
    vocabulary.gpu = withMemory(strictly(&Catalogue::matchGpu, catalogue, namesGpu), catalogue);
    vocabulary.engine = strictly(&Catalogue::matchEngine, catalogue, namesEngine);
    vocabulary.inNames = [&catalogue](std::string_view piece) { return catalogue.inNames(piece); };
    vocabulary.gpuName = [&catalogue](std::string_view gpu) { return catalogue.gpuName(gpu); };
    vocabulary.gpusPerBox = [&catalogue](std::string_view gpu) {
        const auto found = catalogue.gpu(std::string(gpu));
        const auto node = found ? catalogue.node((*found)->defaultNode) : refuse(found.error());
        return node ? (*node)->gpusPerNode : 0;
    };
    vocabulary.rents = [&catalogue](std::string_view provider, std::string_view kind, std::string_view gpu) {
        const auto found = catalogue.gpu(std::string(gpu));
        return found
            && std::any_of((*found)->offers.begin(), (*found)->offers.end(), [&](const RentOffer& offer) {
                   return (provider.empty() || offer.provider == provider)
                       && (kind.empty() ? offer.kind == PriceKind::OnDemand : name(offer.kind) == kind);
               });
    };
    vocabulary.nearest = [&catalogue](std::string_view text) {
        std::vector<std::string> out;
        for (const auto* ids : {&catalogue.modelIds(), &catalogue.gpuIds(), &catalogue.engineIds()})
            for (std::string& id : nearestSpellings(text, withBeginnings(*ids, text), 2))
                out.push_back(std::move(id));
        return out;
    };
    vocabulary.gpusOfVendor
        = [&catalogue](std::string_view vendor) { return catalogue.gpusOfVendor(vendor); };
    vocabulary.gpusSoldAs = [&catalogue](std::string_view way) { return gpusSoldAs(catalogue, way); };
    return vocabulary;
}

} // namespace headroom
