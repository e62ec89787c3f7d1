#include "model/ask/phrases.h"

#include <array>

namespace headroom::ask {

namespace {

constexpr std::array rows{
    // Words without which the plan would be the same. Prepositions stand here; what they relate is read from
    // the
    // neighbours. "not", "without", "only" and "except" must never stand here.
    PhraseRow{
        Meaning::Filler, 0,
        "what's|whats|i've|we've|take|takes|push|team|company|wants|read|reads|suits|suit|fitting|a|"
        "an|the|of|for|to|with|on|at|by|from|using|use|via|that|this|it|is|are|be|being|was|do|does|did|i|we|"
        "you|they|me|us|my|our|your|their|its|and|as|so|then|please|pls|hi|hello|hey|thanks|thank "
        "you|ok|okay|just|well|now|here|there|when|while|where|if|what|need|needs|needed|want|wants|require|"
        "required|requires|necessary|should|would|could|will|shall|must|have|has|had|got|get|getting|serve|"
        "serving|serves|served|run|running|runs|host|hosting|deploy|deploying|deployment|inference|infer|put|"
        "make|making|build|set up|setup|give me|give|tell me|show me|tell|show|find|find "
        "me|recommend|suggest|plan|planning|size|sizing|calculate|estimate|let|let's|gets|gives|keep|keeping|"
        "kept|hold|holding|ensure|guarantee|guaranteed|achieve|achieving|reach|reaching|hit|hitting|meet|"
        "meeting|sustain|sustaining|support|supporting|supports|handle|handling|handles|process|processing|"
        "model|models|llm|llms|large language model|instruct|chat|base|it "
        "version|version|variant|checkpoint|parameter|parameters|params|service|system|setup|cluster|machine|"
        "hardware|production|prod|"
        "workload|traffic|load|application|app|assistant|api|endpoint|way|option|configuration|"
        "config|layout|each one|them|these|those|all|which have|who|whom|whose|am|i'm|we're|we'd|i'd|i'd "
        "like|like|looking|look|going|send|sent|sending|sends|receive|receiving|ask|asks|asking|come|coming|"
        "comes|"
        "carry|carries|carrying|chatting|talking|match|matching|how does|how do|how would|cloud|in the "
        "cloud|alone|me alone|just "
        "me|myself|for "
        "myself|self-host|self-hosted|self host|self-hosting|locally|local|on premises|on-premises|on "
        "prem|on-prem|in "
        "house|in-house|in the office|arriving|"
        "arrive|typical|typically|usual|usually|roughly speaking|length|lengths|sized|size "
        "of|target|targets|targeting|goal|sla|slo|slos|requirement|requirements|constraint|constraints|"
        "answer me|question is|precision|quantization|quantisation|dtype|format|type|types|weights "
        "stored as|stored|engine|framework|backend|runtime|inference engine|serving "
        "engine|streaming|window|w/"
        "|any gpu|any gpus|any card|whatever "
        "gpu|ever|really|actually|even|still|also|both|too|able|same|given|assume|assuming|suppose|say|let "
        "me "
        "know|know|wait|waits|waiting|before|active parameters|active "
        "params|nice|good|best|right|proper|suitable|ideal|comfortably|smoothly|properly|适合|选|选择|挑|"
        "跟|与其|张卡的|的|了|呢|啊|吧|呀|嘛|和|与|及|或者说|并且|且|而且|以及|来|去|要|想|想要|希望|请|请问|"
        "问|提问|发|发起|发送|"
        "请帮我|帮我|帮忙|帮|我|我们|咱们|你|我想|我要|我有|有|在|用|使用|采用|基于|通过|给|为|为了|对|对于|"
        "让|把|将|以|按|按照|于|从|时|时候|下|的话|情况下|情况|条件下|满血版|满血|原版|需要|需|要求|满足|"
        "保证|达到|做到|实现|保持|跑|运行|部署|其中|其|等|等待|另加|外加|再加|加|推理|推理服务|服务|提供|"
        "支持|支撑|"
        "承载|处理|供|同时用|"
        "一起用|"
        "使用的|用于|用来|上线|搭建|搭|做|模型|大模型|版|版本|系统|集群|机器|硬件|方案|配置|推荐|一下|下来|"
        "才|就|才能|能|可以|会|应该|得|该|都|也|还|又|最好|最终|大概是|是|为的|个|地|怎样|怎么|一个|一款|"
        "一种|方式|办法|条|份|位|名|台机器上|上|里|"
        "中|内部|左右的|长度|长度为|精度|量化|量化版|格式|类型|引擎|框架|目标|指标|这样|那么|如果|假设|现在|"
        "目前|业务|场景|应用|线上|生产|环境|团队|公司|机器人|单机|"
        "云上|云端|自建|自托管|本地|私有化|放在|放到|占|占用|占据|消耗|花|花掉|跑到|到|能出|能扛|扛|扛得住|"
        "撑得住|"
        "请求长度|平均每个|日常|带|能带|在线服务|在线推理|在线业务|@|\"|'"
        "|`|(|)|[|]|{|}|-|—|_|~|…|→|#|&|;"},
    PhraseRow{Meaning::Comma, 0, ",|.|?|!|:|and then"},

    PhraseRow{Meaning::HowMany, 0,
              "how many|how much|number of|what number of|count "
              "of|how big|how "
              "large|几|几个|几张|几块|几片|几卡|多少|多少个|多少张|多少块|多少片|多少台|几台|多大规模|要几|"
              "要多少|多大|有多大|多长|多大的|多长的"},
    PhraseRow{
        Meaning::Which, 0,
        "which|which one|哪一个|哪一款|what gpu|what gpus|what hardware|what card|what cards|what "
        "machine|what kind of|which of|what do i need|what do we need|what would i need|what should i "
        "buy|what to buy|better|which is better|which one is "
        "better|哪个|哪种|哪款|什么|什么样的|哪些|选什么|买什么|租什么|怎么配|如何配置|怎么选|更好|哪个更好|"
        "哪个好|哪个好些|哪个好一点|哪个更合适|哪个合适|更合适|哪个更适合|更适合|哪个更强|更强"},
    PhraseRow{Meaning::CanRun, 0,
              "can|could i|could we|is it possible|possible|able to run|does it run|will it run|does it "
              "fit|does fit|fit|fits|fit on|fit in|fit into|capable "
              "of|能跑|能跑到|能达到|能否|能不能|可不可以|可否|能运行|能部署|能不能跑|跑得动|跑得了|带得动|"
              "放得下|装得下|"
              "放下|装下|塞得下|跑得起来|能跑起来|能带动|能不能带动|带得起来|能跑得动"},
    PhraseRow{Meaning::Enough, 0, "enough|sufficient|suffice|suffices|够|够吗|够用|够用吗|足够|够不够"},
    PhraseRow{Meaning::HowFast, 0,
              "how fast|how long|how long does it take|how long will it take|how quick|how quickly|what "
              "speed|what throughput|what ttft|what tpot|what "
              "latency|how slow|what "
              "performance|performance|perform|performs|多快|速度如何|速度怎么样|速度是多少|多少速度|"
              "性能如何|性能怎么样|性能|"
              "吞吐是多少|吞吐多少|延迟是多少|延迟多少|多大吞吐|多久|要等多久|等多久|要多久|需要多久|"
              "多长时间|什么速度|有多快|表现"},
    PhraseRow{Meaning::WhatGives, 0,
              "what does|what do|what will|what can|what would|predict|give me on|what is the "
              "speed|什么效果|效果如何|效果怎么样|怎么样|如何|能达到多少|预测"},
    PhraseRow{
        Meaning::MemoryWord, 0,
        "memory|bytes|vram|gpu memory|memory usage|gpu ram|video memory|memory footprint|memory "
        "requirement|memory requirements|vram requirement|vram requirements|vram usage|gpu memory usage|gb "
        "of vram|gb of memory|gb of gpu memory|gb vram|gb memory|gigabytes of vram|gigabytes of "
        "memory|显存|内存|显存占用|显存需求|显存用量|显存大小|gb 显存|g 显存|g 的显存|gb 的显存|占用显存"},
    PhraseRow{Meaning::CostWord, 0,
              "cost|costs|electricity cost|how expensive|what does it cost|how much does it cost|how much "
              "money|bill|expense|expenses|do i pay|do we pay|would i pay|would we pay|what do i pay|what do "
              "we pay|what would i pay|what would we pay|what will i pay|what will we pay|"
              "多少钱|要多少钱|需要多少钱|一共多少钱|总共多少钱|花多少钱|要花多少钱|花费|成本|费用|开销"},
    PhraseRow{Meaning::YesNo, 0, "吗|么|yes or no|行不行|可以吗|行吗"},

    PhraseRow{Meaning::AtMost, 0,
              "under|below|less than|lower than|no more than|not more than|at "
              "most|within|max|maximum|max.|up to|not exceeding|not exceed|shorter than|faster than a time "
              "of|<|<=|≤|=<|no longer than|no slower than a time of|capped at|limit|limit of|upper "
              "bound|longest|largest|以内|之内|以下|不超过|不大于|不高于|不多于|小于|低于|少于|小于等于|最多|"
              "至多|不能超过|"
              "控制在|内|上限|最大|最长"},
    PhraseRow{Meaning::AtLeast, 0,
              "at least|no less than|not less than|more than|over|above|minimum|or more|or better|or "
              "faster|greater than|higher than|faster than|exceeding|>|>=|≥|=>|+|no slower than|no fewer "
              "than|not slower than|minimum "
              "of|至少|不低于|不少于|不小于|大于|高于|超过|以上|起码|最少|最低|不慢于|大于等于"},
    PhraseRow{
        Meaning::About, 0,
        "about|around|approximately|approx|roughly|circa|ca|nearly|almost|some|大约|大概|约|左右|差不多|近"},
    PhraseRow{Meaning::Equals, 0, "=|==|equals|equal to|等于|设为|设置为|固定为"},
    PhraseRow{Meaning::Per, 0, "/|per|a piece"},
    PhraseRow{Meaning::Each, 0,
              "each|per user|per-user|/user|for each user|per stream|per request|per person|apiece|every "
              "user|for every user|each "
              "user|单用户|单个用户|单路|单流|单并发|每用户|每个用户|每人|每路|每个人|每个请求|人均"},
    PhraseRow{Meaning::Every, 0, "every|每|每个|每一个"},
    PhraseRow{Meaning::In, 0, "in"},
    PhraseRow{Meaning::Out, 0, "out"},
    PhraseRow{
        Meaning::Or, 0,
        "or|vs|vs.|versus|compare to|compared to|compared with|compare|comparison of|comparison "
        "between|difference "
        "between|than|比较|比一比|还是|或|或者|对比|相比|差多少|相差多少|差别|区别|有什么区别|有什么差别"},
    PhraseRow{Meaning::Not, 0,
              "not|no|without|except|excluding|don't|never|avoid|other than|instead of|rather than|but "
              "not|but|不要|不用|除了|不|别|没有|无|非"},
    PhraseRow{Meaning::Only, 0, "only|exclusively|仅|只|只用|只能|只有|仅用"},
    PhraseRow{Meaning::Total, 0,
              "total|in total|overall|aggregate|aggregated|altogether|combined|whole "
              "service|system-wide|cluster-wide|总|总共|一共|合计|整体|全部|总计|总的|整个服务"},

    PhraseRow{Meaning::Time, 1e-6, "microsecond|microseconds|微秒"},
    PhraseRow{Meaning::Time, 1e-3, "ms|msec|millis|millisecond|milliseconds|毫秒"},
    PhraseRow{Meaning::Time, 1, "s|sec|secs|second|seconds|秒|秒钟"},
    PhraseRow{Meaning::Time, 60, "minute|minutes|min|mins|分钟"},
    PhraseRow{Meaning::Time, 3600, "h|hr|hrs|hour|hours|小时|时辰|钟头"},
    PhraseRow{Meaning::Time, 86400, "day|days|天|日"},
    PhraseRow{Meaning::Time, 2629800, "month|months|mo|月|个月"},
    PhraseRow{Meaning::Time, 31557600, "year|years|yr|yrs|annum|年"},
    PhraseRow{Meaning::PerTime, 3600, "hourly"},
    PhraseRow{Meaning::PerTime, 86400, "daily"},
    PhraseRow{Meaning::PerTime, 2629800, "monthly|一个月"},
    PhraseRow{Meaning::PerTime, 31557600, "yearly|annually|annual"},
    PhraseRow{Meaning::Token, 1, "token|tokens|tok|toks|t|output token|词元|个 token|个 tokens|个词元"},
    // 1.5 tokens of English text a word: the usual planning figure.
    PhraseRow{Meaning::Token, 1.5, "word|words|个单词|单词"},
    PhraseRow{Meaning::Token, 1, "tokens long|token long"},
    // A Chinese character is about 0.6 tokens: api-docs.deepseek.com/quick_start/token_usage.
    PhraseRow{Meaning::Token, 0.6, "个字|字|个汉字|汉字|个中文字|个中文字符"},
    PhraseRow{Meaning::TokenRate, 1,
              "tps|tok/s|tokens/s|token/s|t/s|toks/s|tokens/sec|tok/sec|token/sec|tokens per second|tokens "
              "per sec|token per second|tok per second|tokens a second|tokens every "
              "second|tokens/second|tok/second|token/秒|tokens/秒|token 每秒|tokens 每秒|个 token/s|个 "
              "token/秒|词元每秒|个 token 每秒"},
    PhraseRow{Meaning::Request, 1,
              "request|requests|req|reqs|question|questions|query|queries|call|calls|message|messages|请求|"
              "个请求|次请求|次调用|"
              "次对话|轮对话|对话|次问答|次|条请求|调用|问题数|个问题|条消息|条提问|次提问"},
    PhraseRow{Meaning::RequestRate, 1,
              "rps|qps|req/s|reqs/s|requests/s|requests/sec|requests per second|request per second|queries "
              "per second|requests a second|req/sec|请求/秒|请求每秒|次/秒|个请求/秒|每秒请求|每秒请求数"},
    PhraseRow{Meaning::RequestRate, 1.0 / 60,
              "rpm|qpm|requests/min|requests per minute|requests a minute|req/min|请求/分钟"},
    PhraseRow{Meaning::RequestRate, 1.0 / 3600, "requests per hour|requests an hour|requests/hour|rph"},
    PhraseRow{Meaning::RequestRate, 1.0 / 86400,
              "requests per day|requests a day|requests/day|requests daily|req/day"},
    PhraseRow{Meaning::User, 1,
              "user|users|registered "
              "users|people|persons|customers|customer|employees|developers|programmers|coders|"
              "engineers|researchers|analysts|colleagues|students|sessions|"
              "clients|readers|chatters|stream|streams|concurrent users|daily active users|daily "
              "users|dau|日活|日活用户|simultaneous users|users at "
              "once|users at the same time|active users|online users|users online|people "
              "online|customers "
              "online|用户|个用户|人|个人|名用户|位用户|人同时|人同时在线|用户同时在线|同时在线用户|个人同时|"
              "用户同时|人同时使用|人在线|在线用户|并发用户|个并发用户|路用户|路|员工|学生|开发者|开发人员|"
              "程序员|工程师|科研人员|研究员|同事|客户|个会话|"
              "会话|注册用户|名注册用户|个注册用户|活跃用户|个活跃用户|人使用|人用"},
    PhraseRow{
        Meaning::Concurrent, 1,
        "concurrency|concurrent|simultaneous|simultaneously|concurrently|active|online|active at once|at any "
        "time|at a time|"
        "are online|online at once|online at the same time|at once|at the same time|in "
        "parallel|in flight|concurrent requests|simultaneous requests|concurrent sessions|concurrent "
        "streams|concurrent chats|chats|parallel requests|parallel streams|parallel users|parallel "
        "sessions|sequence|sequences|concurrent "
        "sequences|requests in flight|requests at once|concurrent chats|concurrent "
        "conversations|conversations|在线率|并发率|同时在线率|活跃率|在线比例|并发比例|并发|个并发|"
        "并发数|并发请求|并发量|路并发|同时|同时在线|同时活跃|"
        "活跃|在线|并行请求|"
        "并发度"},
    PhraseRow{Meaning::Card, 1,
              "gpu|gpus|card|cards|accelerator|accelerators|gpu card|gpu cards|graphics "
              "cards|chips|chip|units|pcs|张|块|片|卡|颗|枚|张卡|块卡|片卡|张显卡|块显卡|显卡|gpu 卡|张 "
              "gpu|块 gpu|个 gpu|颗 gpu|卡机|加速卡|张加速卡"},
    PhraseRow{Meaning::Box, 1,
              "node|nodes|server|servers|box|boxes|machines|hosts|台|节点|个节点|台服务器|服务器|台机器"},
    PhraseRow{Meaning::Percent, 0.01, "%|percent|pct|百分之|per cent"},
    PhraseRow{Meaning::Dollar, 1, "$|usd|dollar|dollars|us$|bucks|美元|美金|刀|美刀"},
    PhraseRow{Meaning::Cent, 0.01, "cent|cents|ct|美分|¢"},
    PhraseRow{Meaning::Yuan, 1, "yuan|rmb|cny|¥|￥|元|块钱|人民币"},
    PhraseRow{Meaning::OtherMoney, 1, "euro|euros|eur|€|欧元|gbp|£|pound|pounds|英镑|yen|jpy|日元"},
    PhraseRow{Meaning::Kwh, 1, "kwh|kw h|kilowatt hour|kilowatt-hour|kilowatt hours|度|度电|千瓦时"},
    PhraseRow{Meaning::Times, 1, "x|*|times|倍"},
    PhraseRow{Meaning::Words, 1, "wpm|words per minute|words/min|words a minute"},

    PhraseRow{
        Meaning::Ttft, 0,
        "ttft|time to first token|time-to-first-token|first token latency|first-token latency|first "
        "token|first-token|first tokens|first word|first words|time to the first token|prefill "
        "latency|prefill time|first token "
        "time|starting|starts|start answering|start responding|start replying|begin|begins|beginning|"
        "开始回答|开始回复|开始输出|开始返回|开始响应|开始生成|开始出字|首字|首字延迟|首字时间|首 token|首 "
        "token 延迟|首 token 时间|首个 token|首个 token "
        "延迟|首包|首包延迟|首词延迟|第一个 token|第一个字|首字响应|首字耗时|首响|首token时延|首字时延|首 "
        "token 时延|出首字|预填充时间|首词元延迟"},
    PhraseRow{Meaning::Tpot, 0,
              "tpot|itl|tbt|inter token latency|inter-token latency|time per output token|time per token|per "
              "token latency|per-token latency|latency per token|token latency|time between tokens|每 token "
              "延迟|每个 token 延迟|每 token 时延|每个 token 的延迟|每个 token 时间|每个 token|单 token "
              "延迟|token 间延迟|token 间隔|字间延迟|每字延迟|每个字延迟|逐字延迟|单token时延|每个 token "
              "时延|每词元延迟|吐字延迟"},
    PhraseRow{Meaning::Latency, 0,
              "latency|e2e|e2el|end to end|end-to-end|end to end latency|end-to-end latency|e2e "
              "latency|total latency|response time|request latency|total time|completion "
              "time|respond|responds|finish|complete|full response|full answer|whole answer|response "
              "latency|turnaround|延迟|时延|端到端|端到端延迟|端到端时延|总延迟|总时延|响应时间|总耗时|"
              "请求延迟|整体延迟|完成时间|回答完|总响应时间|返回|响应"},
    PhraseRow{
        Meaning::Speed, 0,
        "speed|generation speed|decode speed|decoding speed|token speed|output speed|rate|token "
        "rate|generating|generate at|速度|生成速度|解码速度|输出速度|速率|吐字速度|出字速度|decode 速度"},
    PhraseRow{Meaning::Throughput, 0,
              "throughput|total throughput|aggregate throughput|overall throughput|output throughput|system "
              "throughput|吞吐|吞吐量|总吞吐|总吞吐量|整体吞吐|系统吞吐|总的吞吐|输出吞吐"},
    PhraseRow{Meaning::Prompt, 0,
              "prompt|prompts|input|inputs|isl|prompt length|input length|prompt tokens|input "
              "tokens|input_len|input-len|prompt size|prefill|input sequence length|question length|input "
              "sequence|token prompts|token prompt|prompt_len|输入|输入长度|提示词|提示|prompt 长度|输入 "
              "token|输入 tokens|提示词长度|提示长度|问题长度|平均输入|输入平均"},
    PhraseRow{Meaning::Output, 0,
              "output|outputs|osl|completion|completions|response|responses|answer|answers|reply|replies|"
              "generated|generation|generate|generates|output length|output tokens|completion "
              "tokens|output_len|output-len|generated tokens|generations|output sequence length|new "
              "tokens|token answers|token replies|token responses|token outputs|token "
              "completions|output_tokens|response length|输出|输出长度|生成|生成长度|回答|回复|输出 "
              "token|输出 tokens|回答长度|答案|平均输出|输出平均|回复长度"},
    PhraseRow{Meaning::Context, 0,
              "context|contexts|ctx|context length|context window|context size|seq len|sequence "
              "length|seqlen|max model len|max-model-len|max length|max "
              "len|上下文|上下文长度|上下文窗口|最大长度|序列长度|长上下文|文本长度"},
    PhraseRow{Meaning::PrefixHit, 0,
              "prefix cache|prefix cached|prefix cache hit|prefix cache hit rate|cache hit|cache hit "
              "rate|cached prefix|prefix hit|prefix hits|prefix caching|prompt cache|cache hits|of the "
              "prompt cached|cached|prompt cached|shared "
              "prefix|前缀缓存|前缀命中|前缀缓存命中率|缓存命中率|缓存命中|前缀命中率|命中率"},
    PhraseRow{Meaning::Batch, 0,
              "batch|batch size|bs|batchsize|batch_size|batch-size|batches of|批|批大小|批量|批次大小|batch "
              "大小|批次"},
    PhraseRow{Meaning::Tp, 0,
              "tp|tensor parallel|tensor parallelism|tensor-parallel|tensor parallel size|张量并行|tp "
              "size|tensor-parallel-size"},
    PhraseRow{
        Meaning::Pp, 0,
        "pp|pipeline parallel|pipeline parallelism|pipeline-parallel|pipeline stages|流水线并行|流水并行"},
    PhraseRow{Meaning::Ep, 0, "ep|expert parallel|expert parallelism|expert-parallel|专家并行"},
    PhraseRow{Meaning::Dp, 0, "dp|data parallel|data parallelism|data-parallel|dp attention|数据并行"},
    PhraseRow{Meaning::Replicas, 0, "replica|replicas|copies|instances|instance|副本|个副本|实例|个实例"},
    PhraseRow{Meaning::KvCache, 0,
              "kv|kv cache size|kv cache 大小|kv 缓存大小|kv cache|kv-cache|kvcache|kv caches|kv 缓存|kv "
              "cache 精度|键值缓存|kv type|kv dtype"},
    PhraseRow{Meaning::Weights, 0, "weight|weights|权重|参数|model weights"},
    PhraseRow{Meaning::Budget, 0,
              "budget|budget of|spend|spending|预算|花费不超过|成本不超过|费用不超过|cost under|cost "
              "below|costing|costs under|for under|价格不超过"},
    PhraseRow{Meaning::Price, 0,
              "price|priced|price of|rental price|rent|renting|rental|rented|gpu "
              "price|单价|租金|租|价格|每卡价格|租用"},
    PhraseRow{
        Meaning::Buy, 0,
        "buy|buying|bought|purchase|purchased|purchasing|purchase price|purchase budget|capex|spend on "
        "gpus|spend on cards|spend on hardware|spend on machines|买|买卡|购买|采购|购置|采购价|采购预算|买断|"
        "购卡"},
    PhraseRow{Meaning::Electricity, 0,
              "electricity|power price|electricity price|electric power|energy price|electricity costs|power "
              "costs|power at|电价|电费|电|用电"},
    PhraseRow{Meaning::Pue, 0, "pue"},
    PhraseRow{Meaning::Peak, 0,
              "peak|peaks|peak factor|peak load|busy hour|spike|spikes|burst "
              "factor|高峰|峰值|峰值系数|高峰期|峰值倍数"},
    PhraseRow{Meaning::Spare, 0,
              "spare|spares|tolerate one failure|tolerate a failure|survive one failure|survive a "
              "failure|tolerate one replica failing|one replica may fail|if one replica fails|when one "
              "replica fails|允许一个副本失效|容忍一个副本失效|容忍一个副本故障|hot spare|hot spares|hot "
              "standby|热备|冷备|redundancy|redundant|standby|backup|n+1|n + "
              "1|失效冗余|冗余|备份|备用|备机|容灾"},
    PhraseRow{Meaning::Growth, 0,
              "growth|growing|grow|grows|yearly growth|annual growth|增长|年增长|年增长率|增速"},
    PhraseRow{Meaning::ThinkTime, 0,
              "think time|thinking time|between questions|between messages|between requests|between "
              "prompts|between turns|think|thinks|pause|pauses|思考时间|思考|间隔|停顿"},
    PhraseRow{Meaning::Headroom, 0,
              "headroom|margin|reserve|kept free|free capacity|余量|冗余量|预留|裕量|裕度"},
    PhraseRow{Meaning::Utilisation, 0,
              "utilisation|utilization|utilised|utilized|max utilisation|load factor|利用率|使用率"},
    PhraseRow{Meaning::Amortise, 0,
              "amortised|amortized|amortise|amortize|amortisation|amortization|depreciated|depreciation|"
              "written off|摊销|折旧|分摊"},
    PhraseRow{Meaning::Percentile, 0,
              "p|percentile|th percentile|percentiles|of the time|of cases|of the cases|of all "
              "cases|分位|分位数|百分位|%分位"},
    PhraseRow{Meaning::Percentile, 50, "median|中位数|中位"},
    PhraseRow{Meaning::Mean, 0, "mean|average|average of|on average|avg|均值|平均值|平均"},
    PhraseRow{Meaning::Bits, 1, "bit|bits|比特|位量化"},

    // 60 / (words a minute x 1.5 tokens a word), see `readingSpeed`.
    PhraseRow{
        Meaning::ReadSilently, 250,
        "reading speed|human reading speed|as fast as people read|as fast as i can read|as fast as a human "
        "reads|fast as people can read|silent reading|comfortable reading|readable speed|reading pace|normal "
        "reading speed|as fast as people can read|fast enough to read|at reading speed|human-readable "
        "speed|阅读速度|人的阅读速度|正常阅读速度|人类阅读速度|跟上阅读速度|阅读的速度|读得过来"},
    PhraseRow{Meaning::ReadListening, 450,
              "listening speed|speech speed|voice speed|listening|for voice|text to "
              "speech|text-to-speech|听的速度|语音速度|语音播报|语音播报速度|听力速度"},
    PhraseRow{
        Meaning::ReadFast, 700,
        "fast reading speed|fast reading|speed reading|fast readers|faster than people read|faster than "
        "people can read|faster than anyone can read|faster than reading speed|fast visual reading|faster "
        "than i can read|快速阅读|速读|比阅读速度快|快于阅读速度|比人读得快|超过阅读速度"},

    PhraseRow{Meaning::Cheapest, 0,
              "cheapest|lowest cost|least expensive|most affordable|lowest price|minimal cost|minimum "
              "cost|cheapest way|cheap|cheaply|lowest hourly cost|lowest $/hour|lowest "
              "$/"
              "hr|最便宜|最省钱|成本最低|最低成本|花钱最少|价格最低|便宜|省钱|"
              "费用最低|哪个便宜|更便宜|哪个更便宜|cheaper|whichever is cheaper|which is cheaper"},
    PhraseRow{
        Meaning::BestValue, 0,
        "best value|better value|which is better value|which is the better value|which has better value|good "
        "value|value for money|best value for money|better value for "
        "money|best bang for the buck|better bang for the buck|bang for the buck|bang for your buck|best "
        "price performance|better price performance|price performance|price-performance|performance per "
        "dollar|tokens per dollar|worth more|most cost effective|more cost effective|cost "
        "effective|cost-effective|most cost-effective|more cost-effective|cost efficient|most cost "
        "efficient|more cost efficient|most economical|more economical|economical|性价比最高|性价比更高|"
        "性价比高|性价比|最经济|更经济|最划算|划算|更划算|哪个划算|哪个更划算|更值|更值得"},
    PhraseRow{Meaning::CheapestTokens, 0,
              "cheapest per token|cheapest tokens|cheapest per million tokens|lowest cost per token|lowest "
              "cost per million tokens|lowest $/1m tokens|lowest $/m tokens|lowest price per token|lowest "
              "cost per million|lowest cost per 1m tokens|每百万 token 成本最低|每 token 成本最低|单位 token "
              "成本最低|每百万 token 最便宜|token 成本最低|cost per million tokens|cost per 1m tokens|cost "
              "of a million tokens|cost per million|price per million tokens|price per 1m tokens|$/m "
              "tokens|$/1m tokens|$ per million tokens|dollars per million tokens|how much per million "
              "tokens|cost per token|per million tokens|per 1m "
              "tokens|per million output tokens|cost of 1m tokens|per-token cost|per token cost|token "
              "costs|cost per thousand tokens|cost per 1k tokens|price per 1k tokens|每千 token 多少钱|每千 "
              "token 成本|每千 token 价格|price of 1m tokens|cost for a million "
              "tokens|每百万 token 多少钱|每百万 token 成本|每百万 token 的成本|每百万 token "
              "价格|每百万 token 费用|百万 token 成本|百万 token 多少钱|每百万 tokens 多少钱"},
    PhraseRow{
        Meaning::Fewest, 0,
        "minimum hardware|minimal hardware|minimum setup|minimum configuration|minimum requirements|hardware "
        "requirements|最低配置|最低硬件|最低硬件要求|最低要求|硬件要求|fewest|fewest gpus|least "
        "gpus|smallest|minimum number of|minimal number of|as few as "
        "possible|fewest cards|minimum gpus|minimal|smallest number "
        "of|最少的|最少几张|最少需要|最少要|至少需要|至少要|起码要|起码需要|最小|最少几块|最少多少张|"
        "至少几张|用卡最少|卡数最少"},
    PhraseRow{Meaning::LeastEnergy, 0,
              "least energy|lowest energy|lowest power|most efficient|most energy efficient|energy "
              "efficient|greenest|least power|lowest power draw|power "
              "efficient|最省电|能耗最低|功耗最低|最节能|节能|最低功耗|耗电最少"},
    PhraseRow{Meaning::Fastest, 0,
              "fastest|lowest latency|minimum latency|minimal latency|least latency|quickest|as fast as "
              "possible|highest speed|max speed|maximum "
              "speed|which is faster|which one is faster|which has lower latency|which has the lower "
              "latency|哪个延迟低|哪个延迟更低|延迟更低|最快|延迟最低|最低延迟|速度最快|"
              "越快越好|更快|哪个更快|哪个快|谁更快"},
    PhraseRow{Meaning::MostThroughput, 0,
              "highest throughput|higher throughput|which has higher throughput|which has the higher "
              "throughput|which gives more throughput|most throughput|best throughput|max throughput|maximum "
              "throughput|maximise "
              "throughput|maximize throughput|throughput optimised|throughput optimized|as many users as "
              "possible|as many tokens as "
              "possible|吞吐最高|哪个吞吐高|哪个吞吐更高|哪个吞吐大|哪个吞吐更大|吞吐更高|吞吐更大|吞吐最大|"
              "最大吞吐|最高吞吐|吞吐量最大|最大吞吐量|最大化吞吐"},

    PhraseRow{Meaning::Number, 0.5, "half a|half|半"},
    PhraseRow{Meaning::Number, 1, "one|single|一|壹|单"},
    PhraseRow{Meaning::Number, 2, "two|dual|double|couple of|a couple of|pair of|a pair of|两|二|双"},
    PhraseRow{Meaning::Number, 3, "three|triple|三"},
    PhraseRow{Meaning::Number, 4, "four|quad|四"},
    PhraseRow{Meaning::Number, 5, "five|五"},
    PhraseRow{Meaning::Number, 6, "six|六"},
    PhraseRow{Meaning::Number, 7, "seven|七"},
    PhraseRow{Meaning::Number, 8, "eight|octo|八"},
    PhraseRow{Meaning::Number, 9, "nine|九"},
    PhraseRow{Meaning::Number, 10, "ten|十"},
    PhraseRow{Meaning::Number, 12, "twelve|a dozen|dozen|十二"},
    PhraseRow{Meaning::Number, 16, "sixteen|十六"},
    PhraseRow{Meaning::Number, 20, "twenty|二十"},
    PhraseRow{Meaning::Number, 30, "thirty|三十"},
    PhraseRow{Meaning::Number, 32, "thirty-two|thirty two|三十二"},
    PhraseRow{Meaning::Number, 50, "fifty|五十"},
    PhraseRow{Meaning::Number, 64, "sixty-four|sixty four|六十四"},
    PhraseRow{Meaning::Number, 100, "one hundred|一百"},
    PhraseRow{Meaning::Number, 1000, "one thousand|一千"},
    PhraseRow{Meaning::Number, 10000, "ten thousand|一万"},
    // Factors after a number: "5 hundred", "2 千".
    PhraseRow{Meaning::Kilo, 100, "hundred|百"},
    PhraseRow{Meaning::Kilo, 1000, "k|thousand|千"},
    PhraseRow{Meaning::Kilo, 10000, "w|万"},
    PhraseRow{Meaning::Kilo, 1e6, "m|mn|mio|million|百万"},
    PhraseRow{Meaning::Kilo, 1e8, "亿"},
    PhraseRow{Meaning::Kilo, 1e9, "b|bn|billion"},

    PhraseRow{Meaning::Vague, 0,
              "thinking|long|longer|short|large|big|huge|small|low|high|lower|higher|fast|quick|slow|slowly|"
              "quickly|"
              "heavy|light|smooth|many|few|lots "
              "of|several|长提示词|长输入|短输入|长文本|长输出|长|大量|高并发|低延迟|低时延|高吞吐|快|快速|"
              "快一点|流畅|不卡|不卡顿|卡顿|很多|高|低|便宜点"},
    PhraseRow{
        Meaning::Vendor, 0,
        "nvidia|amd|intel|huawei|google|apple|aws|groq|geforce cards|英伟达|华为|国产|英特尔|谷歌|苹果"},
    PhraseRow{Meaning::TrafficPoisson, 0, "poisson|poisson arrivals|random arrivals|泊松|泊松到达|随机到达"},
    PhraseRow{Meaning::TrafficConstant, 0,
              "constant rate|constant arrivals|evenly spaced|匀速|均匀到达|恒定速率"},
    PhraseRow{Meaning::TrafficClosed, 0, "closed loop|closed-loop|闭环"},
    PhraseRow{Meaning::MostUsers, 0,
              "max concurrency|maximum concurrency|most concurrent users|max users|maximum users|max "
              "concurrent users|maximum number of users|最大并发|最大并发数|最大用户数|最高并发|并发上限"},
    PhraseRow{Meaning::Pools, 0,
              "disaggregated|disaggregate|disaggregation|disaggregated serving|disaggregated prefill|prefill "
              "decode disaggregation|prefill/decode disaggregation|prefill-decode disaggregation|pd "
              "disaggregation|p/d disaggregation|separate prefill and decode|separate prefill and decode "
              "pools|prefill and decode separately|split prefill and decode|separate pools|separate prefill "
              "pool|pd separation|pd 分离|p/d 分离|pd "
              "分离部署|预填充解码分离|预填充和解码分离|预填充与解码分离|prefill decode "
              "分离|分离式部署|分离部署|分离架构"},
    PhraseRow{Meaning::Allowed, 0,
              "allowed|allow|allowing|permitted|permit|acceptable|accepted|is fine|are fine|fine|is ok|are "
              "ok|is okay|is acceptable|if needed|if necessary|if it "
              "helps|optionally|optional|try|允许|可接受|也行|也可以|可选|可以接受|能接受|必要时|尝试"},
    PhraseRow{Meaning::Tune, 0,
              "tune|tuned|tuning|tune the engine|engine tuning|autotune|auto-tune|tune batch and chunk "
              "size|tune the batch size|tune the chunk size|best batch size|best chunk "
              "size|调优|调参|自动调参|自动调优|引擎调优"},
    PhraseRow{Meaning::Daily, 0,
              "diurnal|diurnal load|diurnal traffic|daily curve|day curve|daily pattern|daily cycle|through "
              "the day|day and night|昼夜|昼夜曲线|昼夜波动|日曲线|全天曲线|日内波动|白天和晚上"},
    PhraseRow{Meaning::PowerDraw, 0,
              "power draw|power consumption|power usage|how much power|watts|功耗|耗电|耗电量|用电量|功率"},
    PhraseRow{Meaning::AtHome, 0, "at home|home|home lab|homelab|for home use|家里|家用|在家|家庭|个人电脑"},
    PhraseRow{Meaning::Speculation, 0,
              "mtp|eagle|eagle 2|eagle 3|medusa|speculative decoding|speculative|draft model|multi-token "
              "prediction|eagle 1|eagle1|eagle2|eagle3|eagle head|eagle heads|medusa head|medusa heads|mtp "
              "heads|lookahead|lookahead decoding|prompt lookup|prompt lookup decoding|ngram|n-gram|ngram "
              "speculation|n-gram speculation|spec decode|spec decoding|speculative sampling|speculation|"
              "drafting|draft|投机解码|投机采样|投机推理|推测解码|推测采样|推测性解码|前瞻解码|草稿模型|"
              "多 token 预测"},
    // `value`: the row of `useCases`.
    PhraseRow{Meaning::UseCase, 0,
              "chatbot|chatbots|chat bot|chat assistant|customer service|customer support|support "
              "bot|virtual assistant|conversational "
              "ai|聊天机器人|对话机器人|客服|客服机器人|智能客服|聊天助手|一个客服机器人|一个聊天机器人"},
    PhraseRow{Meaning::UseCase, 1,
              "code completion|code completions|autocomplete|code autocomplete|代码补全"},
    PhraseRow{Meaning::UseCase, 2,
              "code generation|coding assistant|coding assistants|code assistant|coding agent|coding "
              "copilot|coding|代码生成|编程助手|代码助手|写代码"},
    PhraseRow{Meaning::UseCase, 3, "translation|translations|translating|machine translation|翻译|机器翻译"},
    PhraseRow{Meaning::UseCase, 4, "content generation|copywriting|内容生成|文案|文案生成"},
    PhraseRow{Meaning::UseCase, 5,
              "summarization|summarisation|summarize|summarise|summarizing|summarising|summaries|document "
              "summarization|摘要|总结|文档摘要|文本摘要"},
    PhraseRow{Meaning::UseCase, 6,
              "rag|retrieval augmented generation|retrieval-augmented generation|document q&a|document "
              "analysis|knowledge base|知识库|知识库问答|文档问答|文档分析|检索增强|检索增强生成"},
    PhraseRow{Meaning::UseCase, 7,
              "long document summarization|long documents|multi-document summarization|legal "
              "analysis|research analysis|长文档|长文档摘要|法律分析|研究分析"},
    PhraseRow{Meaning::Quantised, 0, "quantized|quantised|quant|量化后|量化模型"},
};

} // namespace

std::span<const PhraseRow> phraseRows() { return rows; }

} // namespace headroom::ask
