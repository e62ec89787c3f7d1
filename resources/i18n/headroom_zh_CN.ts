<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Model</name>
    <message>
        <source>that is what was asked for</source>
        <translation>这正是所问的</translation>
    </message>
    <message>
        <source>fewest GPUs that work</source>
        <translation>可行且张数最少</translation>
    </message>
    <message>
        <source>best by what was asked for</source>
        <translation>按所问指标最优</translation>
    </message>
    <message>
        <source>cheapest that works</source>
        <translation>可行且最便宜</translation>
    </message>
    <message>
        <source>safe</source>
        <translation>稳妥</translation>
    </message>
    <message>
        <source>best evidence</source>
        <translation>最有依据</translation>
    </message>
    <message>
        <source>best on another accelerator</source>
        <translation>其他加速卡中最优</translation>
    </message>
    <message>
        <source>what costs least is at least 90 % sure</source>
        <translation>最便宜的方案把握不低于 90 %</translation>
    </message>
    <message>
        <source>what costs least is at least 75 % sure</source>
        <translation>最便宜的方案把握不低于 75 %</translation>
    </message>
    <message>
        <source>what costs least is less than 75 % sure</source>
        <translation>最便宜的方案把握不足 75 %</translation>
    </message>
    <message>
        <source>what costs least is less than 75 % sure, but nothing here is 90 % sure</source>
        <translation>最便宜的方案把握不足 75 %，但这里没有把握达 90 % 的方案</translation>
    </message>
    <message>
        <source>no speed was asked for that could be missed</source>
        <translation>没有提出可能落空的速度要求</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>算力</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>内核启动</translation>
    </message>
    <message>
        <source>link</source>
        <translation>互联</translation>
    </message>
    <message>
        <source>memory bandwidth</source>
        <translation>显存带宽</translation>
    </message>
    <message>
        <source>memory capacity</source>
        <translation>显存容量</translation>
    </message>
    <message>
        <source>launch and host time</source>
        <translation>内核启动与主机开销</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>latency of a request</source>
        <translation>请求延迟</translation>
    </message>
    <message>
        <source>the load</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>the engine&apos;s limit of sequences</source>
        <translation>引擎的序列上限</translation>
    </message>
    <message>
        <source>time to first token</source>
        <translation>首 token 延迟</translation>
    </message>
    <message>
        <source>time between tokens</source>
        <translation>token 间隔</translation>
    </message>
    <message>
        <source>tokens/s for each user</source>
        <translation>每用户 token/s</translation>
    </message>
    <message>
        <source>users</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>prompt tokens</source>
        <translation>输入 token</translation>
    </message>
    <message>
        <source>output tokens</source>
        <translation>输出 token</translation>
    </message>
    <message>
        <source>what is known of the machine</source>
        <translation>硬件效率的不确定性</translation>
    </message>
    <message>
        <source>requests/s</source>
        <translation>请求/秒</translation>
    </message>
    <message>
        <source>another layout</source>
        <translation>换一种并行方案</translation>
    </message>
    <message>
        <source>%1 % of the memory for the engine</source>
        <translation>引擎使用 %1 % 的显存</translation>
    </message>
    <message>
        <source>%1 tokens in a step</source>
        <translation>每步 %1 个 token</translation>
    </message>
    <message>
        <source>%1 % of the memory for the engine, %2 tokens in a step</source>
        <translation>引擎使用 %1 % 的显存，每步 %2 个 token</translation>
    </message>
    <message>
        <source>a replica that does not fit into one box takes whole boxes</source>
        <translation>单机放不下的副本按整机占用</translation>
    </message>
    <message>
        <source>fp8 KV cache</source>
        <translation>fp8 KV 缓存</translation>
    </message>
    <message>
        <source>no accelerator of the catalogue runs this</source>
        <translation>目录中没有加速卡能运行它</translation>
    </message>
    <message>
        <source>no layout can run this</source>
        <translation>任何并行方案都无法运行它</translation>
    </message>
    <message>
        <source>sensitivity, break points and growth keep the engine as it was set here</source>
        <translation>敏感性、临界点与增长按此处的引擎设置计算</translation>
    </message>
    <message>
        <source>no load was stated: figures are for as many users at once as it carries</source>
        <translation>未给出负载：各项数字按可承载的最大并发计</translation>
    </message>
    <message>
        <source>one user at a time decides the size; the most it carries is shown beside it</source>
        <translation>按单用户确定规模，旁注可承载的最大并发</translation>
    </message>
    <message>
        <source>one sequence at a time (batch 1)</source>
        <translation>一次一个序列（批量 1）</translation>
    </message>
    <message>
        <source>its price is not known, so the budget cannot be checked</source>
        <translation>价格未知，无法核对预算</translation>
    </message>
    <message>
        <source>its purchase price is not known, so the budget cannot be checked</source>
        <translation>采购价未知，无法核对预算</translation>
    </message>
    <message>
        <source>%1 to buy, the budget is %2</source>
        <translation>采购共 %1，预算为 %2</translation>
    </message>
    <message>
        <source>a budget of %1 to buy</source>
        <translation>%1 的采购预算</translation>
    </message>
    <message>
        <source>memory: %1 GB on each GPU, %2 GB can be used</source>
        <translation>显存：每张 GPU 需 %1 GB，可用 %2 GB</translation>
    </message>
    <message>
        <source>answers within %1 % of their length, so that users do not move in step</source>
        <translation>输出长度在均值上下 %1 % 内浮动，避免用户步调一致</translation>
    </message>
    <message>
        <source>memory holds the model and %1 users at once (%2 x %3, %4), %5 are asked; an engine lets the others wait</source>
        <translation>显存可容纳模型及 %1 个并发用户（%2 × %3，%4），而要求 %5 个；其余用户需排队</translation>
    </message>
    <message>
        <source>%1 has no arithmetic for %2 weights: few engines have kernels that widen them there; see that yours does</source>
        <translation>%1 没有 %2 权重对应的算力单元：很少有引擎的算子能在其上转换运行，请确认您的引擎支持</translation>
    </message>
    <message>
        <source>%1 has no layers that predict further tokens</source>
        <translation>%1 没有多 token 预测层</translation>
    </message>
    <message>
        <source>&apos;headroom list %1&apos; shows all %2 of them</source>
        <translation>“headroom list %1”列出全部 %2 个</translation>
    </message>
    <message>
        <source>amounts in yuan, %1 to a US dollar</source>
        <translation>金额以人民币计，1 美元合 %1 元</translation>
    </message>
    <message>
        <source>amounts in yuan, %1 to a US dollar (average of %2)</source>
        <translation>金额以人民币计，1 美元合 %1 元（%2 均值）</translation>
    </message>
    <message>
        <source>a budget of %1 an hour</source>
        <translation>每小时 %1 的预算</translation>
    </message>
    <message>
        <source>%1 an hour, the budget is %2</source>
        <translation>每小时 %1，预算为 %2</translation>
    </message>
    <message>
        <source>answers of %1 tokens</source>
        <translation>回答 %1 个 token</translation>
    </message>
    <message>
        <source>prompts of %1 tokens</source>
        <translation>输入 %1 个 token</translation>
    </message>
    <message>
        <source>figures hold with one replica out of service</source>
        <translation>即使 1 个副本停用，各项数字仍成立</translation>
    </message>
    <message>
        <source>figures hold with %1 replicas out of service</source>
        <translation>即使 %1 个副本停用，各项数字仍成立</translation>
    </message>
    <message>
        <source>the whole trace of %1 s decides the size: %2 requests/s</source>
        <translation>由整段 %1 秒的请求记录决定规模：%2 请求/s</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>至多 %1</translation>
    </message>
    <message>
        <source>KV cache in %1</source>
        <translation>KV 缓存为 %1</translation>
    </message>
    <message>
        <source>matrix products in %1</source>
        <translation>矩阵乘法为 %1</translation>
    </message>
    <message>
        <source>weights in %1, as %2 is published</source>
        <translation>权重为 %1，与 %2 发布时一致</translation>
    </message>
    <message>
        <source>the most it carries stood a replay; that of the others is closed form</source>
        <translation>最大负载经过流量回放验证；其他方案的为解析估算</translation>
    </message>
    <message>
        <source>weights in %1: %2 runs no others</source>
        <translation>权重采用 %1：%2 只支持这一种</translation>
    </message>
    <message>
        <source>weights in %1: %2 is published in %3, which %4 on %5 turns into it</source>
        <translation>权重为 %1：%2 以 %3 发布，%4 在 %5 上将其转换</translation>
    </message>
    <message>
        <source>needs %1 GPUs, %2 are given</source>
        <translation>需要 %1 张 GPU，给定 %2 张</translation>
    </message>
    <message>
        <source>no rent is known for %1: give --price, or --buy=yes for its purchase price of %2</source>
        <translation>%1 的租价未知：请给出 --price，或用 --buy=yes 按其购买价 %2 计算</translation>
    </message>
    <message>
        <source>no price is known for %1: give --price</source>
        <translation>%1 的价格未知：请填写价格</translation>
    </message>
    <message>
        <source>the busiest minute decides the size: %1 requests/s, %2 on average</source>
        <translation>按最忙的 1 分钟定规模：每秒 %1 个请求，平均 %2 个</translation>
    </message>
    <message>
        <source>no power is known for %1: power and electricity are left out</source>
        <translation>%1 的功率未知：功耗与电费未计入</translation>
    </message>
    <message>
        <source>of %1&apos;s memory %2 GB are usable: estimated, no published reading</source>
        <translation>%1 的显存可用 %2 GB：估计值，无公开读数</translation>
    </message>
    <message>
        <source>room for %1 prompt in a step beside the running sequences, as public launch scripts give models of latent attention</source>
        <translation>除正在运行的序列外，每步只容纳 %1 个提示词，与 MLA 模型的公开启动脚本一致</translation>
    </message>
    <message>
        <source>ranges allow for servers that others set up in their own way, up to %1 times either way for prompts and %2 for decodes: `validate --fit-engine` with runs of your own takes that out</source>
        <translation>区间为他人以不同方式搭建的服务器留有余地：提示最多 %1 倍，解码最多 %2 倍（上下皆是）；用自己的运行数据执行 `validate --fit-engine` 即可去掉这一部分</translation>
    </message>
    <message>
        <source>answers are streamed every %1 steps, as public launch scripts set it, and the first text comes with the second piece</source>
        <translation>回答每 %1 步推送一次，与公开的启动脚本一致；第一段文字随第二次推送到达</translation>
    </message>
    <message>
        <source>%1 is sold in boxes of %2; %3 rents single ones</source>
        <translation>%1 整机出售，每台 %2 张；%3 可单张租用</translation>
    </message>
    <message>
        <source>%1 is rented in whole instances of %2: all of them are paid</source>
        <translation>%1 只按 %2 张的整实例出租：全部计费</translation>
    </message>
    <message>
        <source>nobody is known to rent %1 so (%2): %3</source>
        <translation>没有已知商家这样出租 %1（%2）：%3</translation>
    </message>
    <message>
        <source>known are %1</source>
        <translation>已知的有 %1</translation>
    </message>
    <message>
        <source>give --price</source>
        <translation>请给出 --price</translation>
    </message>
    <message>
        <source>median of the market, %1</source>
        <translation>市场中位价，%1</translation>
    </message>
    <message>
        <source>one %1 costs %2 an hour on demand (%3)</source>
        <translation>一张 %1 按需每小时 %2（%3）</translation>
    </message>
    <message>
        <source>one %1 costs %2 an hour reserved</source>
        <translation>一张 %1 预留每小时 %2</translation>
    </message>
    <message>
        <source>one %1 costs %2 an hour reserved (%3)</source>
        <translation>一张 %1 预留每小时 %2（%3）</translation>
    </message>
    <message>
        <source>one %1 costs %2 an hour as a spot instance</source>
        <translation>一张 %1 竞价实例每小时 %2</translation>
    </message>
    <message>
        <source>one %1 costs %2 an hour as a spot instance (%3)</source>
        <translation>一张 %1 竞价实例每小时 %2（%3）</translation>
    </message>
    <message>
        <source>no price is known for %1 without its accelerators: give --server</source>
        <translation>没有 %1 不含加速卡的价格：请给出 --server</translation>
    </message>
    <message>
        <source>the rest of a %1 costs %2</source>
        <translation>一台 %1 除加速卡外 %2</translation>
    </message>
    <message>
        <source>the rest of a %1 costs %2 (%3)</source>
        <translation>一台 %1 除加速卡外 %2（%3）</translation>
    </message>
    <message>
        <source>%1 GPUs, at most %2 are allowed</source>
        <translation>%1 张 GPU，最多允许 %2 张</translation>
    </message>
    <message>
        <source>%1 boxes, at most %2 are allowed</source>
        <translation>%1 台机器，最多允许 %2 台</translation>
    </message>
    <message>
        <source>its power is not known, so the cap cannot be checked</source>
        <translation>功耗未知，无法核对功率上限</translation>
    </message>
    <message>
        <source>%1 kW with everything busy, the cap is %2 kW</source>
        <translation>满载 %1 kW，上限 %2 kW</translation>
    </message>
    <message>
        <source>there is no job that could be done by then</source>
        <translation>没有说明要按时完成的作业</translation>
    </message>
    <message>
        <source>a job is told in tokens or in requests, not in both</source>
        <translation>作业用 token 数或请求数之一说明，不能两者都给</translation>
    </message>
    <message>
        <source>of how many users is not said</source>
        <translation>没有说明有多少用户</translation>
    </message>
    <message>
        <source>a job and a load of every month are two questions</source>
        <translation>一次作业与每月负载是两个问题</translation>
    </message>
    <message>
        <source>amounts in euros, %1 to a US dollar</source>
        <translation>金额以欧元计，1 美元合 %1 欧元</translation>
    </message>
    <message>
        <source>amounts in euros, %1 to a US dollar (average of %2)</source>
        <translation>金额以欧元计，1 美元合 %1 欧元（%2 平均）</translation>
    </message>
    <message>
        <source>one %1 costs %2 an hour on demand</source>
        <translation>一张 %1 按需每小时 %2</translation>
    </message>
    <message>
        <source>prompt and output together are %1 tokens, %2 was made for %3</source>
        <translation>输入与输出共 %1 个 token，%2 的设计上限为 %3</translation>
    </message>
    <message>
        <source>the layout needs %1 GPUs, there are %2</source>
        <translation>该并行方案需要 %1 张 GPU，现有 %2 张</translation>
    </message>
    <message>
        <source>%1 % of the capacity kept free</source>
        <translation>保留 %1 % 的容量</translation>
    </message>
    <message>
        <source>%1 users at once</source>
        <translation>并发 %1 个用户</translation>
    </message>
    <message>
        <source>%1 on %2: %3 at once in each</source>
        <translation>%1分布于 %2：每个同时 %3</translation>
    </message>
    <message>
        <source>%1 user</source>
        <translation>%1 个用户</translation>
    </message>
    <message>
        <source>%1 users</source>
        <translation>%1 个用户</translation>
    </message>
    <message>
        <source>%1 replica</source>
        <translation>%1 个副本</translation>
    </message>
    <message>
        <source>%1 sequence</source>
        <translation>%1 个序列</translation>
    </message>
    <message>
        <source>%1 sequences</source>
        <translation>%1 个序列</translation>
    </message>
    <message>
        <source>%1 requests a second keep %2 at once in each replica (Little&apos;s law)</source>
        <translation>每秒 %1 个请求使每副本同时保持 %2（利特尔法则）</translation>
    </message>
    <message>
        <source>%1 requests/s at most, %2 are asked</source>
        <translation>至多 %1 请求/秒，要求 %2</translation>
    </message>
    <message>
        <source>%1 requests/s</source>
        <translation>%1 请求/秒</translation>
    </message>
    <message>
        <source>%1 tokens/s for each user</source>
        <translation>每用户 %1 token/s</translation>
    </message>
    <message>
        <source>%1 tokens/s for each user, %2 are asked</source>
        <translation>每用户 %1 token/s，要求 %2</translation>
    </message>
    <message>
        <source>%1 GPUs instead of %2</source>
        <translation>%1 张 GPU，而非 %2 张</translation>
    </message>
    <message>
        <source>%1 does not run %2 weights</source>
        <translation>%1 不支持 %2 权重</translation>
    </message>
    <message>
        <source>%1 has no %2 KV cache</source>
        <translation>%1 不支持 %2 KV 缓存</translation>
    </message>
    <message>
        <source>%1 has no %2 arithmetic</source>
        <translation>%1 不支持 %2 运算</translation>
    </message>
    <message>
        <source>prompts on GPUs of their own</source>
        <translation>提示由专门的 GPU 处理（预填充与解码分离）</translation>
    </message>
    <message>
        <source>drafts by the model&apos;s own layers, %1 % of them accepted</source>
        <translation>用模型自带的多 token 预测层起草，接受率 %1 %</translation>
    </message>
    <message>
        <source>%1 tokens in a step and %2 sequences at once</source>
        <translation>每步 %1 token、同时 %2 个序列</translation>
    </message>
    <message>
        <source>another setting of the engine</source>
        <translation>更改引擎设置</translation>
    </message>
    <message>
        <source>targets for %1 % of requests</source>
        <translation>只对 %1 % 的请求保证目标</translation>
    </message>
    <message>
        <source>%1 x %2 (%3), %4 users at once</source>
        <translation>%1 × %2（%3），%4 个并发用户</translation>
    </message>
    <message>
        <source>%1 x %2 (%3), %4 tokens/s in total</source>
        <translation>%1 × %2（%3），总吞吐 %4 token/s</translation>
    </message>
    <message>
        <source>%1 x %2 (%3), first token after %4 s</source>
        <translation>%1 × %2（%3），首 token %4 s</translation>
    </message>
    <message>
        <source>%1 x %2 (%3), a request in %4 s</source>
        <translation>%1 × %2（%3），每个请求 %4 s</translation>
    </message>
    <message>
        <source>%1 weights, %2 GPUs instead of %3</source>
        <translation>%1 权重，%2 张 GPU 而非 %3 张</translation>
    </message>
    <message>
        <source>%1 instead, %2 weights</source>
        <translation>改用 %1，%2 权重</translation>
    </message>
    <message>
        <source>%1 tokens/s for each user, %2 weights</source>
        <translation>每用户 %1 token/s，%2 权重</translation>
    </message>
    <message>
        <source>%1 tokens/s for each user, %2 instead</source>
        <translation>每用户 %1 token/s，改用 %2</translation>
    </message>
    <message>
        <source>mean of all requests in a replay of the traffic</source>
        <translation>流量回放中所有请求的平均值</translation>
    </message>
    <message>
        <source>in closed form: %1</source>
        <translation>闭式公式：%1</translation>
    </message>
    <message>
        <source>%1 instead</source>
        <translation>改用 %1</translation>
    </message>
    <message>
        <source>%1 of %2 ms, %3 ms are asked</source>
        <translation>%1为 %2 ms，要求 %3 ms</translation>
    </message>
    <message>
        <source>%1 of %2 s, %3 s are asked</source>
        <translation>%1为 %2 s，要求 %3 s</translation>
    </message>
    <message>
        <source>%1 of %2 s</source>
        <translation>%1为 %2 s</translation>
    </message>
    <message>
        <source>%1 runs at most %2 sequences at once, %3 are asked: the others wait</source>
        <translation>%1 至多同时运行 %2 个序列，要求 %3 个：其余排队</translation>
    </message>
    <message>
        <source>%1 stands in %2 (%3 a box)</source>
        <translation>%1 装在 %2 中（每台 %3 张）</translation>
    </message>
    <message>
        <source>%1 weights and fp8 KV cache</source>
        <translation>%1 权重与 fp8 KV 缓存</translation>
    </message>
    <message>
        <source>%1 weights</source>
        <translation>%1 权重</translation>
    </message>
    <message>
        <source>%1 x %2 (%3), %4 tokens/s for each user</source>
        <translation>%1 × %2（%3），每用户 %4 token/s</translation>
    </message>
    <message>
        <source>meets</source>
        <translation>达标</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>layout</source>
        <translation>并行方案</translation>
    </message>
    <message>
        <source>memory used</source>
        <translation>显存占用</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>能运行</translation>
    </message>
    <message>
        <source>released</source>
        <translation>发布</translation>
    </message>
    <message>
        <source>active</source>
        <translation>激活参数</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV</source>
        <translation>KV</translation>
    </message>
    <message>
        <source>per user</source>
        <translation>每用户</translation>
    </message>
    <message>
        <source>TPOT at this load</source>
        <translation>此负载下 TPOT</translation>
    </message>
    <message>
        <source>per user at this load</source>
        <translation>此负载下每用户</translation>
    </message>
    <message>
        <source>TTFT</source>
        <translation>首 token 延迟</translation>
    </message>
    <message>
        <source>users at most</source>
        <translation>最多用户</translation>
    </message>
    <message>
        <source>cost</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>per 1M tokens</source>
        <translation>每百万 token</translation>
    </message>
    <message>
        <source>confidence</source>
        <translation>把握</translation>
    </message>
    <message>
        <source>limited by</source>
        <translation>瓶颈</translation>
    </message>
    <message>
        <source>why not</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>in interval</source>
        <translation>在区间内</translation>
    </message>
    <message>
        <source>engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>load</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>why not used</source>
        <translation>未采用原因</translation>
    </message>
    <message>
        <source>likely cause</source>
        <translation>可能原因</translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>params</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>kv-per-token</source>
        <translation>每 token 的 KV</translation>
    </message>
    <message>
        <source>kv-capacity</source>
        <translation>KV 容量</translation>
    </message>
    <message>
        <source>max-batch</source>
        <translation>最大批量</translation>
    </message>
    <message>
        <source>prefill-flops</source>
        <translation>预填充运算量</translation>
    </message>
    <message>
        <source>decode-flops</source>
        <translation>解码运算量</translation>
    </message>
    <message>
        <source>ttft</source>
        <translation>首 token 延迟</translation>
    </message>
    <message>
        <source>tpot</source>
        <translation>token 间隔</translation>
    </message>
    <message>
        <source>tpot-under-load</source>
        <translation>负载下的 token 间隔</translation>
    </message>
    <message>
        <source>tps</source>
        <translation>每用户速度</translation>
    </message>
    <message>
        <source>throughput</source>
        <translation>吞吐</translation>
    </message>
    <message>
        <source>power</source>
        <translation>功率</translation>
    </message>
    <message>
        <source>cost-per-million</source>
        <translation>每百万 token 费用</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>阅读速度</translation>
    </message>
    <message>
        <source>no-cache</source>
        <translation>无缓存对照</translation>
    </message>
    <message>
        <source>Time for each token after the first, no prompts beside it</source>
        <translation>首 token 之后每个 token 的时间（无其他提示）</translation>
    </message>
    <message>
        <source>Time to the first token</source>
        <translation>首 token 延迟</translation>
    </message>
    <message>
        <source>Weights on each GPU</source>
        <translation>每张 GPU 的权重</translation>
    </message>
    <message>
        <source>KV cache of one token, whole model</source>
        <translation>单个 token 的 KV 缓存（整个模型）</translation>
    </message>
    <message>
        <source>Memory used on each GPU</source>
        <translation>每张 GPU 已用显存</translation>
    </message>
    <message>
        <source>Tokens of cache that one replica holds</source>
        <translation>单副本可缓存的 token</translation>
    </message>
    <message>
        <source>Sequences that fit one replica</source>
        <translation>单副本可容纳的序列</translation>
    </message>
    <message>
        <source>Arithmetic of one prompt</source>
        <translation>一个输入的运算量</translation>
    </message>
    <message>
        <source>Arithmetic of one decode step</source>
        <translation>一步解码的运算量</translation>
    </message>
    <message>
        <source>ttft_ms</source>
        <translation>首 token 延迟 (ms)</translation>
    </message>
    <message>
        <source>tpot_ms</source>
        <translation>token 间隔 (ms)</translation>
    </message>
    <message>
        <source>e2e_s</source>
        <translation>端到端 (s)</translation>
    </message>
    <message>
        <source>requests_per_s</source>
        <translation>请求/秒</translation>
    </message>
    <message>
        <source>output_throughput_tok_s_total</source>
        <translation>输出吞吐 (tok/s)</translation>
    </message>
    <message>
        <source>total_throughput_tok_s</source>
        <translation>总吞吐 (tok/s)</translation>
    </message>
    <message>
        <source>decode_tok_s_per_user</source>
        <translation>每用户解码 (tok/s)</translation>
    </message>
    <message>
        <source>As fast as someone reads</source>
        <translation>与阅读一样快</translation>
    </message>
    <message>
        <source>Cost of a million output tokens</source>
        <translation>每百万输出 token 费用</translation>
    </message>
    <message>
        <source>Cost of an hour</source>
        <translation>每小时费用</translation>
    </message>
    <message>
        <source>Output tokens a second of the service</source>
        <translation>服务每秒输出 token</translation>
    </message>
    <message>
        <source>Power of the service</source>
        <translation>服务的功率</translation>
    </message>
    <message>
        <source>Time for each token while prompts keep the batch full</source>
        <translation>批次保持满载时每个 token 的时间</translation>
    </message>
    <message>
        <source>Time of a whole request, no prompts beside it</source>
        <translation>完整请求的时间（无其他提示）</translation>
    </message>
    <message>
        <source>Time to the first token of one prompt alone</source>
        <translation>单个提示的首 token 延迟（无其他请求）</translation>
    </message>
    <message>
        <source>Time to the first token at this load</source>
        <translation>此负载下的首 token 延迟</translation>
    </message>
    <message>
        <source>one prompt alone + half of a step under way + the wait behind other prompts</source>
        <translation>单个提示 + 进行中的半步 + 等待其他提示</translation>
    </message>
    <message>
        <source>Time between tokens at this load</source>
        <translation>此负载下每 token 的时间</translation>
    </message>
    <message>
        <source>without prompts + what prompts of a full batch add × (users − 1) / users</source>
        <translation>无其他提示 + 满批提示带来的增量 × (用户 − 1) / 用户</translation>
    </message>
    <message>
        <source>Speed for each user at this load</source>
        <translation>此负载下每用户速度</translation>
    </message>
    <message>
        <source>Time of a whole request at this load</source>
        <translation>此负载下完整请求的时间</translation>
    </message>
    <message>
        <source>Tokens a second for one user, no prompts beside it</source>
        <translation>单用户每秒 token（无其他提示）</translation>
    </message>
    <message>
        <source>What the KV cache buys</source>
        <translation>KV 缓存带来什么</translation>
    </message>
    <message>
        <source>en</source>
        <comment>the language of this translation: zh_CN, …</comment>
        <translation>zh_CN</translation>
    </message>
    <message>
        <source>%1 requests/s arrive, up to %2 can be served, limited by load</source>
        <translation>到达 %1 请求/秒，最多可服务 %2，瓶颈为负载</translation>
    </message>
    <message>
        <source>%1 requests/s arrive, up to %2 can be served, limited by sequences at once</source>
        <translation>到达 %1 请求/秒，最多可服务 %2，瓶颈为同时运行的序列数</translation>
    </message>
    <message>
        <source>%1 requests/s arrive, up to %2 can be served, limited by KV cache</source>
        <translation>到达 %1 请求/秒，最多可服务 %2，瓶颈为 KV 缓存</translation>
    </message>
    <message>
        <source>%1 requests/s arrive, up to %2 can be served, limited by prompt tokens in each step</source>
        <translation>到达 %1 请求/秒，最多可服务 %2，瓶颈为每步的输入 token</translation>
    </message>
    <message>
        <source>%1 requests/s arrive, up to %2 can be served, %3; its busiest minute brings %4 requests/s, more than that, and a queue</source>
        <translation>到达 %1 请求/秒，最多可服务 %2（%3）；最忙的一分钟达 %4 请求/秒，超过上限，会形成排队</translation>
    </message>
    <message>
        <source>%1 % of the time of a prompt is of operators whose calibration missed a condition (%2): their intervals are widened to what it missed</source>
        <translation>预填充阶段 %1 % 的时间来自校准未达标的算子（%2）：其区间已放宽到覆盖留出误差</translation>
    </message>
    <message>
        <source>%1 % of the time of a decode step is of operators whose calibration missed a condition (%2): their intervals are widened to what it missed</source>
        <translation>解码步 %1 % 的时间来自校准未达标的算子（%2）：其区间已放宽到覆盖留出误差</translation>
    </message>
    <message>
        <source>%1 requests/s arrive, up to %2 can be served, %3</source>
        <translation>到达 %1 请求/秒，最多可服务 %2（%3）</translation>
    </message>
    <message>
        <source>the queue grows without end: %1 requests/s arrive, %2 can be served, %3</source>
        <translation>队列无限增长：到达 %1 请求/秒，可服务 %2（%3）</translation>
    </message>
    <message>
        <source>the queue grows in the busiest hour: %1 requests/s arrive, %2 can be served, %3</source>
        <translation>最忙的一小时队列增长：到达 %1 请求/秒，可服务 %2（%3）</translation>
    </message>
    <message>
        <source>all requests come within %1 s, which is no rate; %2 requests/s can be served, %3</source>
        <translation>全部请求在 %1 秒内到达，谈不上速率；每秒可处理 %2 个请求，%3</translation>
    </message>
    <message>
        <source>its only request says nothing of a load</source>
        <translation>仅有一个请求，无从得知负载</translation>
    </message>
    <message>
        <source>overloaded: %1 requests a second are more than %2 can finish; figures are for a full batch, queues grow without end</source>
        <translation>过载：每秒 %1 个请求超出 %2 的处理能力；各项数字按满批计，队列会无限增长</translation>
    </message>
    <message>
        <source>its %1 requests come within %2 s: they say nothing of a load</source>
        <translation>%1 个请求在 %2 秒内全部到达：无从得知负载</translation>
    </message>
    <message>
        <source>a longer trace</source>
        <translation>请用更长的记录</translation>
    </message>
    <message>
        <source>a longer trace, or --rps with it: its lengths at that rate</source>
        <translation>请用更长的记录，或加 --rps：按该速率取其长度</translation>
    </message>
    <message>
        <source>all requests are there at the start; %1 requests/s can be served, %2</source>
        <translation>请求在开始时全部到达；可服务 %1 请求/秒（%2）</translation>
    </message>
    <message>
        <source>%1 users wait for their answers, so no queue can grow; up to %2 requests/s, %3</source>
        <translation>%1 个用户等待回答，队列不会增长；至多 %2 请求/秒（%3）</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>fitting</source>
        <translation>拟合</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>no CUDA device: no NVIDIA driver found</source>
        <translation>没有 CUDA 设备：未找到 NVIDIA 驱动</translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>links</source>
        <translation>互联</translation>
    </message>
    <message>
        <source>launches</source>
        <translation>内核启动</translation>
    </message>
    <message>
        <source>engine&apos;s own time</source>
        <translation>引擎自身时间</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>行数</translation>
    </message>
    <message>
        <source>group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>grouped by</source>
        <translation>分组方式</translation>
    </message>
    <message>
        <source>median error</source>
        <translation>中位误差</translation>
    </message>
    <message>
        <source>nine in ten within</source>
        <translation>90 % 的误差不超过</translation>
    </message>
    <message>
        <source>bias</source>
        <translation>偏差</translation>
    </message>
    <message>
        <source>gpu</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>embedding + mixers + MLPs + routers + experts + shared experts + norms + head</source>
        <translation>嵌入 + 混合层 + MLP + 路由 + 专家 + 共享专家 + 归一化 + 输出头</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>attention and other mixers</source>
        <translation>注意力及其他混合层</translation>
    </message>
    <message>
        <source>dense MLPs</source>
        <translation>稠密 MLP</translation>
    </message>
    <message>
        <source>routers</source>
        <translation>路由</translation>
    </message>
    <message>
        <source>routed experts</source>
        <translation>路由专家</translation>
    </message>
    <message>
        <source>shared experts</source>
        <translation>共享专家</translation>
    </message>
    <message>
        <source>norms</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <source>The head is the embedding table (tied): counted once.</source>
        <translation>输出头就是嵌入表（共享）：只计一次。</translation>
    </message>
    <message>
        <source>A token meets %1 of them: of the experts only those its router chooses.</source>
        <translation>一个 token 只经过其中 %1 个：专家只算路由选中的。</translation>
    </message>
    <message>
        <source>Its publisher counts %1.</source>
        <translation>发布者公布的数目为 %1。</translation>
    </message>
    <message>
        <source>parameters × bytes each, split over the GPUs of a replica</source>
        <translation>参数数 × 每个的字节数，分摊到一个副本的各 GPU</translation>
    </message>
    <message>
        <source>%1 in all; the fullest GPU of %2 holds %3</source>
        <translation>共 %1；%2 中最满的 GPU 存放 %3</translation>
    </message>
    <message>
        <source>bits of a weight</source>
        <translation>每个权重的位数</translation>
    </message>
    <message>
        <source>attention and dense MLPs</source>
        <translation>注意力与稠密 MLP</translation>
    </message>
    <message>
        <source>norms, routers, biases</source>
        <translation>归一化、路由、偏置</translation>
    </message>
    <message>
        <source>counted from %1</source>
        <translation>据 %1 统计</translation>
    </message>
    <message>
        <source>model file: %1</source>
        <translation>模型文件：%1</translation>
    </message>
    <message>
        <source>2 × layers × KV heads × head width × bytes (MLA: layers × (latent + rope) × bytes)</source>
        <translation>2 × 层数 × KV 头数 × 头宽 × 字节数（MLA：层数 × (潜向量 + rope) × 字节数）</translation>
    </message>
    <message>
        <source>bytes of a value</source>
        <translation>每个值的字节数</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>constant state of a sequence</source>
        <translation>每个序列的固定状态</translation>
    </message>
    <message>
        <source>1,024 tokens take %1; %2 × %3 take %4.</source>
        <translation>1,024 个 token 占 %1；%2 × %3 占 %4。</translation>
    </message>
    <message>
        <source>weights + KV cache + activations + runtime, against driver&apos;s capacity × engine&apos;s share</source>
        <translation>权重 + KV 缓存 + 激活 + 运行时，对照驱动可见容量 × 引擎占用比例</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>runtime</source>
        <translation>运行时</translation>
    </message>
    <message>
        <source>capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>usable</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>sequences at their mean length, in pages of the engine</source>
        <translation>各序列取平均长度，按引擎的页计</translation>
    </message>
    <message>
        <source>the widest step, as the engine reserves it: see &apos;usable&apos;</source>
        <translation>最宽的一步，按引擎预留：见“可用”</translation>
    </message>
    <message>
        <source>context, communication buffers, graphs: see &apos;usable&apos;</source>
        <translation>上下文、通信缓冲、计算图：见“可用”</translation>
    </message>
    <message>
        <source>%1 fills %2 of the card: %3</source>
        <translation>%1 占用显卡的 %2：%3</translation>
    </message>
    <message>
        <source>room left on the fullest GPU / what it holds of one token</source>
        <translation>最满 GPU 的剩余空间 ÷ 它为每个 token 存放的量</translation>
    </message>
    <message>
        <source>%1 of room on each GPU hold %2 (with %3)</source>
        <translation>每张 GPU 的 %1 空间可存 %2（%3）</translation>
    </message>
    <message>
        <source>%1 data-parallel rank</source>
        <translation>%1 个数据并行组</translation>
    </message>
    <message>
        <source>%1 data-parallel ranks</source>
        <translation>%1 个数据并行组</translation>
    </message>
    <message>
        <source>room for the cache</source>
        <translation>缓存可用空间</translation>
    </message>
    <message>
        <source>usable less weights, activations, runtime</source>
        <translation>可用显存减去权重、激活与运行时</translation>
    </message>
    <message>
        <source>one token, whole model</source>
        <translation>一个 token，整个模型</translation>
    </message>
    <message>
        <source>cache capacity / tokens of one sequence at its end, in whole pages</source>
        <translation>缓存容量 ÷ 一个序列结束时的 token 数，按整页计</translation>
    </message>
    <message>
        <source>cache capacity</source>
        <translation>缓存容量</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>2 for each weight a token meets + attention 4 × heads × width × context (half over a causal prompt) + head for one row</source>
        <translation>token 经过的每个权重 2 次 + 注意力 4 × 头数 × 宽度 × 上下文（因果输入取一半）+ 一行的输出头</translation>
    </message>
    <message>
        <source>rule of thumb 2 × %1 × %2 = %3; counted operator by operator %4 (%5)</source>
        <translation>经验法则 2 × %1 × %2 = %3；逐算子统计为 %4（%5）</translation>
    </message>
    <message>
        <source>active parameters</source>
        <translation>激活参数</translation>
    </message>
    <message>
        <source>new prompt tokens</source>
        <translation>新的输入 token</translation>
    </message>
    <message>
        <source>The count leaves out the embedding (a gather) and the head of unsampled rows, and adds attention.</source>
        <translation>统计不含嵌入（只是查表）与未采样行的输出头，并计入注意力。</translation>
    </message>
    <message>
        <source>2 × active parameters × sequences + attention over the cache</source>
        <translation>2 × 激活参数 × 序列数 + 对缓存的注意力</translation>
    </message>
    <message>
        <source>rule of thumb 2 × %1 × %2 = %3; counted %4</source>
        <translation>经验法则 2 × %1 × %2 = %3；统计为 %4</translation>
    </message>
    <message>
        <source>bytes moved</source>
        <translation>搬运的字节</translation>
    </message>
    <message>
        <source>weights once, cache of every sequence, activations</source>
        <translation>权重一次、每个序列的缓存、激活</translation>
    </message>
    <message>
        <source>FLOPs for each byte</source>
        <translation>每字节的 FLOP</translation>
    </message>
    <message>
        <source>the two above</source>
        <translation>上两项之比</translation>
    </message>
    <message>
        <source>FLOPs for each byte at the ridge</source>
        <translation>脊点处每字节的 FLOP</translation>
    </message>
    <message>
        <source>Below the ridge: memory bandwidth decides, arithmetic waits.</source>
        <translation>低于脊点：由显存带宽决定，算力在等待。</translation>
    </message>
    <message>
        <source>Above the ridge: arithmetic decides.</source>
        <translation>高于脊点：由算力决定。</translation>
    </message>
    <message>
        <source>admission + prefill: sum over operators of arithmetic and memory (the longer rules) + links + launches + engine, at least launching every kernel outside captured graphs</source>
        <translation>接收 + 预填充：逐算子取算力与访存的较长者之和 + 互联 + 启动 + 引擎，在已捕获的图之外不短于逐个启动全部内核</translation>
    </message>
    <message>
        <source>%1 of admission + %2 of prefill for %3</source>
        <translation>接收 %1 + 预填充 %2（%3）</translation>
    </message>
    <message>
        <source>%1 of admission + %2 of prefill for %3 + %4 until the first piece of the answer</source>
        <translation>接收 %1 + 预填充 %2（%3）+ 至推送第一段回答 %4</translation>
    </message>
    <message>
        <source>one decode step: sum over operators of arithmetic and memory (the longer rules) + links + launches + engine, at least launching every kernel outside captured graphs</source>
        <translation>一个解码步：逐算子取算力与访存的较长者之和 + 互联 + 启动 + 引擎，在已捕获的图之外不短于逐个启动全部内核</translation>
    </message>
    <message>
        <source>%1 moved over %2 × %3 are %4 at best; with efficiencies, links and launches %5</source>
        <translation>在 %2 × %3 上搬运 %1 最快需 %4；计入效率、互联与启动后为 %5</translation>
    </message>
    <message>
        <source>FLOPs / (peak × efficiency), %1</source>
        <translation>FLOP ÷（峰值 × 效率），%1</translation>
    </message>
    <message>
        <source>bytes / (bandwidth × efficiency), %1</source>
        <translation>字节 ÷（带宽 × 效率），%1</translation>
    </message>
    <message>
        <source>efficiencies &apos;%1&apos;: measured here</source>
        <translation>效率“%1”：在本机实测</translation>
    </message>
    <message>
        <source>efficiencies &apos;%1&apos;: measured, published</source>
        <translation>效率“%1”：已发表实测</translation>
    </message>
    <message>
        <source>efficiencies &apos;%1&apos;: same family</source>
        <translation>效率“%1”：同系列</translation>
    </message>
    <message>
        <source>efficiencies &apos;%1&apos;: prior</source>
        <translation>效率“%1”：先验</translation>
    </message>
    <message>
        <source>Longest operators: %1</source>
        <translation>耗时最长的算子：%1</translation>
    </message>
    <message>
        <source>%1 layers × %2 B = %3 B a token</source>
        <translation>%1 层 × %2 B = 每 token %3 B</translation>
    </message>
    <message>
        <source>(%1 latent + %2 rope) × %3</source>
        <translation>（%1 潜向量 + %2 rope）× %3</translation>
    </message>
    <message>
        <source>(%1 of latent and rope + %2 of the index key)</source>
        <translation>（潜向量与 RoPE %1 + 索引键 %2）</translation>
    </message>
    <message>
        <source>(%1 key + %2 index) / %3 merged tokens × %4</source>
        <translation>（%1 键 + %2 索引）/ %3 个合并 token × %4</translation>
    </message>
    <message>
        <source>2 × %1 KV heads × %2</source>
        <translation>2 × %1 个 KV 头 × %2</translation>
    </message>
    <message>
        <source>%1 + %2 + %3 + %4 = %5 of %6</source>
        <translation>%1 + %2 + %3 + %4 = %5，可用 %6</translation>
    </message>
    <message>
        <source>with the cache %1</source>
        <translation>有缓存时 %1</translation>
    </message>
    <message>
        <source>%1 layers × %2 B = %3 B a token, the last %4 tokens only</source>
        <translation>%1 层 × %2 B = 每 token %3 B，仅最近 %4 个 token</translation>
    </message>
    <message>
        <source>%1 layers × %2 B = %3 B a token, its chunk of %4 tokens only</source>
        <translation>%1 层 × %2 B = 每 token %3 B，仅所在的 %4 个 token 的块</translation>
    </message>
    <message>
        <source>%1 layers × %2 B = %3 B a token, beside the last %4 tokens whole</source>
        <translation>%1 层 × %2 B = 每 token %3 B，另完整保留最近 %4 个 token</translation>
    </message>
    <message>
        <source>The engine computes the prompt in %1 parts of %2 each.</source>
        <translation>引擎把提示词分成 %1 段计算，每段 %2。</translation>
    </message>
    <message>
        <source>10th to 90th percentile: %1 to %2.</source>
        <translation>第 10 到第 90 百分位：%1 至 %2。</translation>
    </message>
    <message>
        <source>each finished request is followed by a prompt: batch / output prompts for each token</source>
        <translation>每个完成的请求后面跟着一个输入：每个 token 对应 批量 ÷ 输出长度 个输入</translation>
    </message>
    <message>
        <source>%1 × %2 / %3 prompts in each step: %4 becomes %5</source>
        <translation>每步 %1 × %2 ÷ %3 个输入：%4 变为 %5</translation>
    </message>
    <message>
        <source>without prompts</source>
        <translation>没有输入时</translation>
    </message>
    <message>
        <source>one prompt</source>
        <translation>一个输入</translation>
    </message>
    <message>
        <source>1 / TPOT</source>
        <translation>1 ÷ TPOT</translation>
    </message>
    <message>
        <source>1 / %1</source>
        <translation>1 ÷ %1</translation>
    </message>
    <message>
        <source>Over a whole request, with the wait for the first token, it is output / latency:</source>
        <translation>按整个请求计（含等待首 token），为 输出 ÷ 时延：</translation>
    </message>
    <message>
        <source>batch × replicas × output / (admission + output × TPOT under load)</source>
        <translation>批量 × 副本数 × 输出 ÷（接纳时间 + 输出 × 负载下的 TPOT）</translation>
    </message>
    <message>
        <source>admission, before a prompt is computed</source>
        <translation>接纳时间，提示计算之前</translation>
    </message>
    <message>
        <source>TPOT under load</source>
        <translation>负载下的 TPOT</translation>
    </message>
    <message>
        <source>requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>output tokens / tokens of a request</source>
        <translation>输出 token ÷ 每个请求的 token 数</translation>
    </message>
    <message>
        <source>a straight line, y = k·x + b: TPOT × tokens after the first + TTFT</source>
        <translation>一条直线 y = k·x + b：TPOT × 首 token 之后的 token 数 + TTFT</translation>
    </message>
    <message>
        <source>k, TPOT</source>
        <translation>k，TPOT</translation>
    </message>
    <message>
        <source>x, tokens after the first</source>
        <translation>x，首 token 之后的 token 数</translation>
    </message>
    <message>
        <source>b, TTFT</source>
        <translation>b，TTFT</translation>
    </message>
    <message>
        <source>Some write latency = TTFT + TPOT × N with N all output tokens; here the first token comes with TTFT.</source>
        <translation>有人写作 时延 = TTFT + TPOT × N，N 为全部输出 token；此处首个 token 已含在 TTFT 中。</translation>
    </message>
    <message>
        <source>GPUs × price of one + boxes × price of a box + power × price of a kWh × PUE</source>
        <translation>GPU 数 × 单价 + 机器数 × 每台价格 + 功率 × 每千瓦时电价 × PUE</translation>
    </message>
    <message>
        <source>price of a box</source>
        <translation>每台价格</translation>
    </message>
    <message>
        <source>those that are paid: they come in whole boxes or instances</source>
        <translation>计费的数量：按整机或整实例</translation>
    </message>
    <message>
        <source>GPUs × price of one</source>
        <translation>GPU 数 × 单价</translation>
    </message>
    <message>
        <source>GPUs × price of one + power × price of a kWh × PUE</source>
        <translation>GPU 数 × 单价 + 功率 × 每千瓦时电价 × PUE</translation>
    </message>
    <message>
        <source>no power is known for this accelerator</source>
        <translation>该加速卡的功率未知</translation>
    </message>
    <message>
        <source>no price is known: give --price</source>
        <translation>价格未知：请给出 --price</translation>
    </message>
    <message>
        <source>price of one</source>
        <translation>单价</translation>
    </message>
    <message>
        <source>given in the scenario</source>
        <translation>场景中给定</translation>
    </message>
    <message>
        <source>Others ask: %1</source>
        <translation>其他报价：%1</translation>
    </message>
    <message>
        <source>cost of an hour / output tokens of an hour × 1,000,000</source>
        <translation>每小时费用 ÷ 每小时输出 token × 1,000,000</translation>
    </message>
    <message>
        <source>cost of an hour</source>
        <translation>每小时费用</translation>
    </message>
    <message>
        <source>At this batch around the clock: an idle hour costs the same and yields nothing.</source>
        <translation>按此批量全天运行计：空闲的一小时同样花钱，却没有产出。</translation>
    </message>
    <message>
        <source>GPUs × (idle share + share that grows with utilisation of arithmetic and memory, + the host&apos;s)</source>
        <translation>GPU 数 ×（空闲份额 + 随算力与访存利用率增长的份额，+ 主机份额）</translation>
    </message>
    <message>
        <source>board power at most</source>
        <translation>板卡最大功率</translation>
    </message>
    <message>
        <source>rest of the box</source>
        <translation>机箱其余部分</translation>
    </message>
    <message>
        <source>arithmetic in use</source>
        <translation>算力利用</translation>
    </message>
    <message>
        <source>memory bandwidth in use</source>
        <translation>显存带宽利用</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>%1 for each output token; a building adds its PUE.</source>
        <translation>每个输出 token %1；机房还要乘以 PUE。</translation>
    </message>
    <message>
        <source>TPOT = 60 / (words a minute × tokens a word)</source>
        <translation>TPOT = 60 ÷（每分钟词数 × 每词 token 数）</translation>
    </message>
    <message>
        <source>this deployment: %1 a token, %2</source>
        <translation>本部署：每 token %1，%2</translation>
    </message>
    <message>
        <source>silent reading</source>
        <translation>默读</translation>
    </message>
    <message>
        <source>listening</source>
        <translation>聆听</translation>
    </message>
    <message>
        <source>fast visual reading</source>
        <translation>快速浏览</translation>
    </message>
    <message>
        <source>%1 words a minute × %2 tokens a word: %3 a token</source>
        <translation>每分钟 %1 词 × 每词 %2 个 token：每 token %3</translation>
    </message>
    <message>
        <source>20 tokens a second satisfies nearly everyone who reads; programs want more.</source>
        <translation>每秒 20 个 token 几乎能满足所有读者；程序则要求更多。</translation>
    </message>
    <message>
        <source>without it every token computes its whole prompt again: GPUs × peak × utilisation / (2 × parameters × prompt)</source>
        <translation>没有它，每个 token 都要重算整个输入：GPU 数 × 峰值 × 利用率 ÷（2 × 参数 × 输入）</translation>
    </message>
    <message>
        <source>utilisation in prefill</source>
        <translation>预填充利用率</translation>
    </message>
    <message>
        <source>All answers together, one token each a second: divide among the users.</source>
        <translation>所有回答合计；按用户数均分。</translation>
    </message>
    <message>
        <source>%1 in prefill</source>
        <translation>预填充中的 %1</translation>
    </message>
    <message>
        <source>%1 in decode</source>
        <translation>解码中的 %1</translation>
    </message>
    <message>
        <source>executions × (the longer of FLOPs / (peak × efficiency) and bytes / (bandwidth × efficiency), their overlap, + link + launch)</source>
        <translation>执行次数 ×（FLOP ÷（峰值 × 效率）与 字节 ÷（带宽 × 效率）的较长者，计重叠，+ 互联 + 启动）</translation>
    </message>
    <message>
        <source>%1 × %2 = %3, %4 % of the step</source>
        <translation>%1 × %2 = %3，占该步的 %4 %</translation>
    </message>
    <message>
        <source>FLOPs of one</source>
        <translation>单次 FLOP</translation>
    </message>
    <message>
        <source>bytes of one</source>
        <translation>单次字节</translation>
    </message>
    <message>
        <source>counted from the model&apos;s shapes</source>
        <translation>由模型形状统计</translation>
    </message>
    <message>
        <source>weights, cache and activations it moves</source>
        <translation>它搬运的权重、缓存与激活</translation>
    </message>
    <message>
        <source>achieved</source>
        <translation>实际达到</translation>
    </message>
    <message>
        <source>FLOPs over the whole time</source>
        <translation>FLOP ÷ 全部时间</translation>
    </message>
    <message>
        <source>Bound by %1.</source>
        <translation>瓶颈：%1。</translation>
    </message>
    <message>
        <source>How sure it is that the targets are met</source>
        <translation>达到目标的把握</translation>
    </message>
    <message>
        <source>probability that the time to the first token keeps its target × probability that the times between tokens keep theirs</source>
        <translation>首 token 时间达标的概率 × token 间隔达标的概率</translation>
    </message>
    <message>
        <source>each from a log-normal through the 10th, 50th and 90th percentile of its estimate</source>
        <translation>各取自经过估计值第 10、50、90 百分位的对数正态分布</translation>
    </message>
    <message>
        <source>first token, target</source>
        <translation>首 token，目标</translation>
    </message>
    <message>
        <source>first token, expected</source>
        <translation>首 token，预计</translation>
    </message>
    <message>
        <source>each token, target</source>
        <translation>每 token，目标</translation>
    </message>
    <message>
        <source>each token, expected</source>
        <translation>每 token，预计</translation>
    </message>
    <message>
        <source>each token at the wanted speed, target</source>
        <translation>按所求速度的每 token，目标</translation>
    </message>
    <message>
        <source>each token at the wanted speed, expected</source>
        <translation>按所求速度的每 token，预计</translation>
    </message>
    <message>
        <source>whole answer, target</source>
        <translation>整个回答，目标</translation>
    </message>
    <message>
        <source>whole answer, expected</source>
        <translation>整个回答，预计</translation>
    </message>
    <message>
        <source>the question</source>
        <translation>所提的问题</translation>
    </message>
    <message>
        <source>%1 to %2 in eight of ten cases, %3</source>
        <translation>有八成可能介于 %1 与 %2，%3</translation>
    </message>
    <message>
        <source>No target was set: whatever fits is as sure as anything.</source>
        <translation>没有设定目标：放得下即可。</translation>
    </message>
    <message>
        <source>Users at once with all targets met</source>
        <translation>满足全部目标的并发用户数</translation>
    </message>
    <message>
        <source>the largest number of users at which every target is still kept and the cache still fits, found by halving</source>
        <translation>仍满足全部目标且缓存放得下的最大用户数，用二分法求得</translation>
    </message>
    <message>
        <source>%1 of %2 each</source>
        <translation>%1，各 %2</translation>
    </message>
    <message>
        <source>requests a second</source>
        <translation>每秒请求数</translation>
    </message>
    <message>
        <source>users / time of a whole answer at that load</source>
        <translation>用户数 ÷ 该负载下整个回答的时间</translation>
    </message>
    <message>
        <source>sequences that memory holds</source>
        <translation>显存可容纳的序列数</translation>
    </message>
    <message>
        <source>One more would not fit into memory.</source>
        <translation>再多一个就放不进显存。</translation>
    </message>
    <message>
        <source>One more is beyond what the engine runs at once.</source>
        <translation>再多一个就超出引擎的并发上限。</translation>
    </message>
    <message>
        <source>One more would miss a target.</source>
        <translation>再多一个就达不到目标。</translation>
    </message>
    <message>
        <source>What moves the answer: %1</source>
        <translation>影响方案的因素：%1</translation>
    </message>
    <message>
        <source>the plan made again with this input lower and higher, everything else as it is</source>
        <translation>将此输入调低与调高后重新规划，其余不变</translation>
    </message>
    <message>
        <source>speed at the lower end</source>
        <translation>低端的速度</translation>
    </message>
    <message>
        <source>speed at the upper end</source>
        <translation>高端的速度</translation>
    </message>
    <message>
        <source>GPUs at the lower end</source>
        <translation>低端所需 GPU</translation>
    </message>
    <message>
        <source>GPUs at the upper end</source>
        <translation>高端所需 GPU</translation>
    </message>
    <message>
        <source>every request played through the engine&apos;s scheduler, step by step; each step timed as the prediction times it</source>
        <translation>每个请求逐步经过引擎的调度器；每一步的时间与预测同法计算</translation>
    </message>
    <message>
        <source>the times of the measured requests in order, interpolated between two of them</source>
        <translation>将统计请求的时间排序，在相邻两个之间插值</translation>
    </message>
    <message>
        <source>requests measured</source>
        <translation>统计的请求</translation>
    </message>
    <message>
        <source>without the first tenth of arrivals</source>
        <translation>不含最先到达的十分之一</translation>
    </message>
    <message>
        <source>requests in all</source>
        <translation>全部请求</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>served a second</source>
        <translation>每秒完成</translation>
    </message>
    <message>
        <source>measured requests over their time</source>
        <translation>统计请求 ÷ 其时长</translation>
    </message>
    <message>
        <source>%1 requests/s: no load was given, so it is offered %2 % of what it can serve</source>
        <translation>每秒 %1 个请求：未给出负载，因此按其能力的 %2 % 提供</translation>
    </message>
    <message>
        <source>%1 requests/s: no load was given, so it is offered %2 % of what it carries within the targets</source>
        <translation>每秒 %1 个请求：未给出负载，因此按其满足目标时承载能力的 %2 % 提供</translation>
    </message>
    <message>
        <source>one user waits for the answer and asks again</source>
        <translation>1 个用户等到回答后再次提问</translation>
    </message>
    <message>
        <source>%1 users wait for their answer and ask again</source>
        <translation>%1 个用户得到回答后再次提问</translation>
    </message>
    <message>
        <source>%1 requests/s, the busy hour of the stated load</source>
        <translation>每秒 %1 个请求，即所述负载的忙时</translation>
    </message>
    <message>
        <source>these requests arrive in the first %1 hours of the day, before its busiest hour, %2: --requests %3 are a whole one</source>
        <translation>这些请求在一天的前 %1 小时内到达，在最忙的 %2 时之前：一整天需要 --requests %3</translation>
    </message>
    <message>
        <source>these requests arrive in the first %1 hours of the day: --requests %2 are a whole one</source>
        <translation>这些请求在一天的前 %1 小时内到达：一整天需要 --requests %2</translation>
    </message>
    <message>
        <source>several accelerators are named, this is about the first: `compare` and `size` look at all %1</source>
        <translation>写了多个加速器，这里只看第一个：`compare` 和 `size` 会看全部 %1 个</translation>
    </message>
    <message>
        <source>limited by KV cache</source>
        <translation>瓶颈为 KV 缓存</translation>
    </message>
    <message>
        <source>limited by load</source>
        <translation>瓶颈为负载</translation>
    </message>
    <message>
        <source>limited by sequences at once</source>
        <translation>瓶颈为并发序列数</translation>
    </message>
    <message>
        <source>limited by prompt tokens in each step</source>
        <translation>瓶颈为每步的输入 token 数</translation>
    </message>
    <message>
        <source>the first 10 % of arrivals warm the service up and are not measured</source>
        <translation>最先到达的 10 % 用于预热，不计入统计</translation>
    </message>
    <message>
        <source>%1 accelerators of NVIDIA and AMD were compared; others are tried when they are named</source>
        <translation>比较了 NVIDIA 与 AMD 的 %1 种加速器；其他的需点名才会考虑</translation>
    </message>
    <message>
        <source>expected a length in tokens or a distribution of them, got &apos;%1&apos;</source>
        <translation>应为 token 长度或其分布，却是“%1”</translation>
    </message>
    <message>
        <source>for example 1024, 8k, uniform:128-2048, lognormal:mean=1155,p99=7000 or file:lengths.csv</source>
        <translation>例如 1024、8k、uniform:128-2048、lognormal:mean=1155,p99=7000 或 file:lengths.csv</translation>
    </message>
    <message>
        <source>expected %1, got &apos;%2&apos;</source>
        <translation>应为%1，却是“%2”</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a whole number from %1 to %2</source>
        <translation>%1 至 %2 的整数</translation>
    </message>
    <message>
        <source>a number from %1 to %2</source>
        <translation>%1 至 %2 的数</translation>
    </message>
    <message>
        <source>a number above 0</source>
        <translation>大于 0 的数</translation>
    </message>
    <message>
        <source>a number from 0 up</source>
        <translation>不小于 0 的数</translation>
    </message>
    <message>
        <source>a fraction from %1 to %2</source>
        <translation>%1 至 %2 的比例</translation>
    </message>
    <message>
        <source>a percentile from %1 to %2</source>
        <translation>%1 至 %2 的百分位</translation>
    </message>
    <message>
        <source>a factor from 1 up</source>
        <translation>不小于 1 的倍数</translation>
    </message>
    <message>
        <source>a time in seconds above 0 and up to %1, such as 0.5 or 500ms</source>
        <translation>大于 0 且不超过 %1 的秒数，如 0.5 或 500ms</translation>
    </message>
    <message>
        <source>expected a kind of arrivals, got &apos;%1&apos;</source>
        <translation>应为到达方式，实为“%1”</translation>
    </message>
    <message>
        <source>write poisson, constant, gamma:cv=2, weibull:cv=3, at-once, closed or closed:think=20; a day of traffic is poisson:peak=2.5,hour=14</source>
        <translation>可写 poisson、constant、gamma:cv=2、weibull:cv=3、at-once、closed 或 closed:think=20；一天的流量写作 poisson:peak=2.5,hour=14</translation>
    </message>
    <message>
        <source>expected a setting such as cv=2, got &apos;%1&apos;</source>
        <translation>应为 cv=2 这样的设置，实为“%1”</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is said twice</source>
        <translation>“%1”说了两次</translation>
    </message>
    <message>
        <source>unknown setting &apos;%1&apos;</source>
        <translation>未知设置“%1”</translation>
    </message>
    <message>
        <source>&apos;%1&apos; does not go with this kind of arrivals</source>
        <translation>“%1”不适用于这种到达方式</translation>
    </message>
    <message>
        <source>expected %1 from %2 to %3, got %4</source>
        <translation>应为 %2 至 %3 的%1，实为 %4</translation>
    </message>
    <message>
        <source>a coefficient of variation</source>
        <translation>变异系数</translation>
    </message>
    <message>
        <source>a shape</source>
        <translation>形状参数</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒数</translation>
    </message>
    <message>
        <source>a peak over the mean</source>
        <translation>峰值与均值之比</translation>
    </message>
    <message>
        <source>an hour of the day</source>
        <translation>一天中的小时</translation>
    </message>
    <message>
        <source>expected how tokens are drafted, got &apos;%1&apos;</source>
        <translation>应为起草 token 的方式，实为“%1”</translation>
    </message>
    <message>
        <source>draft:MODEL:g=4,a=0.7, ngram:g=4,a=0.4 or mtp:g=1,a=0.8 (g drafted tokens, each accepted with probability a)</source>
        <translation>draft:MODEL:g=4,a=0.7、ngram:g=4,a=0.4 或 mtp:g=1,a=0.8（起草 g 个 token，每个以概率 a 被接受）</translation>
    </message>
    <message>
        <source>and %1 more problems</source>
        <translation>另有 %1 个问题</translation>
    </message>
    <message>
        <source>expected lower-case letters, figures, dots and hyphens, got &apos;%1&apos;</source>
        <translation>应为小写字母、数字、点和连字符，实为“%1”</translation>
    </message>
    <message>
        <source>expected one line without control characters</source>
        <translation>应为不含控制字符的一行</translation>
    </message>
    <message>
        <source>&apos;%1&apos; would be taken for an option</source>
        <translation>“%1”会被当作选项</translation>
    </message>
    <message>
        <source>no hyphen at the start</source>
        <translation>开头不要用连字符</translation>
    </message>
    <message>
        <source>the checkpoint of %1 has no name that a program can be given</source>
        <translation>%1 的检查点没有可以交给程序的名称</translation>
    </message>
    <message>
        <source>hf_id or id of its file: no hyphen at the start, no control characters</source>
        <translation>其文件的 hf_id 或 id：开头不要用连字符，不含控制字符</translation>
    </message>
    <message>
        <source>an arrival is at most %1 s, got &apos;%2&apos;</source>
        <translation>到达时刻最多为 %1 s，实为“%2”</translation>
    </message>
    <message>
        <source>an arrival is at most %1 s, got %2</source>
        <translation>到达时刻最多为 %1 s，实为 %2</translation>
    </message>
    <message>
        <source>%1: another calibration is writing this file; wait for its end, or give another file with -o</source>
        <translation>%1：另一个校准正在写这个文件；请等它结束，或用 -o 另给一个文件</translation>
    </message>
    <message>
        <source>a name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>a number type</source>
        <translation>数值类型</translation>
    </message>
    <message>
        <source>an arithmetic type</source>
        <translation>运算类型</translation>
    </message>
    <message>
        <source>what to optimise</source>
        <translation>优化目标</translation>
    </message>
    <message>
        <source>the name of an accelerator, or several with commas</source>
        <translation>加速器名称，多个用逗号分隔</translation>
    </message>
    <message>
        <source>one of %1</source>
        <translation>可取 %1</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 token/s</translation>
    </message>
    <message>
        <source>%1 replicas</source>
        <translation>%1 个副本</translation>
    </message>
    <message>
        <source>%1, %2 replicas</source>
        <translation>%1，%2 个副本</translation>
    </message>
    <message>
        <source>1 GPU</source>
        <translation>单卡</translation>
    </message>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1（%2–%3）</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>%1 &apos;%2&apos; is read as %3 (%4)</source>
        <translation>%1“%2”理解为 %3（%4）</translation>
    </message>
    <message>
        <source>%1 &apos;%2&apos; is read as %3 (%4); it could also mean %5</source>
        <translation>%1“%2”理解为 %3（%4）；也可能是 %5</translation>
    </message>
    <message>
        <source>alias</source>
        <translation>别名</translation>
    </message>
    <message>
        <source>the only one that &apos;%1&apos; fits</source>
        <translation>唯一符合“%1”的</translation>
    </message>
    <message>
        <source>the usual one of %1 that &apos;%2&apos; can mean</source>
        <translation>“%2”可指 %1 种，取最常见的</translation>
    </message>
    <message>
        <source>newest of %1 that &apos;%2&apos; can mean</source>
        <translation>“%2”可指 %1 种，取最新的</translation>
    </message>
    <message>
        <source>node</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>a GPU bought for %1 and written off over %2 years costs %3 an hour; electricity, the power shown times a PUE of %4, is %5 a kWh</source>
        <translation>一张 GPU 采购价 %1，按 %2 年摊销，每小时 %3；电费另计：所示功率 × PUE %4，每千瓦时 %5</translation>
    </message>
    <message>
        <source>overloaded: %1</source>
        <translation>过载：%1</translation>
    </message>
    <message>
        <source>under traffic %1 % of requests meet the targets, %2 % are asked</source>
        <translation>负载仿真中 %1 % 的请求达标，要求 %2 %</translation>
    </message>
    <message>
        <source>%1; what holds on average does not stand a replay of the traffic</source>
        <translation>%1；平均值达标的方案经不起流量仿真</translation>
    </message>
    <message>
        <source>%1: at best %2 on any number of GPUs</source>
        <translation>%1：无论多少张 GPU，最好也只有%2</translation>
    </message>
    <message>
        <source>%1: at best %2 on these GPUs</source>
        <translation>%1：这些 GPU 上最好也只有%2</translation>
    </message>
    <message>
        <source>limited by %1 of the prefill pool</source>
        <translation>瓶颈为预填充池的%1</translation>
    </message>
    <message>
        <source>sequences at once</source>
        <translation>同时处理的序列数</translation>
    </message>
    <message>
        <source>prompt tokens in each step</source>
        <translation>每步的输入 token 数</translation>
    </message>
    <message>
        <source>%1; its busiest minute brings %2 requests/s, more than that, and a queue</source>
        <translation>%1；最忙的一分钟达到 %2 请求/秒，超过上限而排队</translation>
    </message>
    <message>
        <source>the calibration is of %1, %2: intervals are %3 times wider and %4 % for the difference</source>
        <translation>校准来自 %1，%2：区间放宽 %3 倍，并为差异加 %4 %</translation>
    </message>
    <message>
        <source>another one of its family</source>
        <translation>同系列的另一款</translation>
    </message>
    <message>
        <source>a data-centre part of another family</source>
        <translation>另一系列的数据中心卡</translation>
    </message>
    <message>
        <source>of another class</source>
        <translation>另一类加速卡</translation>
    </message>
    <message>
        <source>nothing like it</source>
        <translation>完全不同的机器</translation>
    </message>
    <message>
        <source>the same accelerator</source>
        <translation>同一款加速卡</translation>
    </message>
    <message>
        <source>the calibration is not trusted (%1): intervals are %2 times wider</source>
        <translation>校准不可信（%1）：区间放宽 %2 倍</translation>
    </message>
    <message>
        <source>single forms of the calibration missed a condition (%1): they are wider by as much</source>
        <translation>校准中个别算子未达到条件（%1）：其区间按差距放宽</translation>
    </message>
    <message>
        <source>your calibration %1 cannot be read: `headroom check` says why</source>
        <translation>你的校准 %1 无法读取：`headroom check` 会说明原因</translation>
    </message>
    <message>
        <source>operator times measured on %1 on %2</source>
        <translation>算子时间于 %2 在 %1 上实测</translation>
    </message>
    <message>
        <source>operator times measured on %1 on %2, driver %3</source>
        <translation>算子时间于 %2 在 %1 上实测，驱动 %3</translation>
    </message>
    <message>
        <source>rates of the machine measured on %1 on %2</source>
        <translation>机器速率于 %2 在 %1 上实测</translation>
    </message>
    <message>
        <source>rates of the machine measured on %1 on %2, driver %3</source>
        <translation>机器速率于 %2 在 %1 上实测，驱动 %3</translation>
    </message>
    <message>
        <source>of the maker&apos;s libraries, measured here: %1</source>
        <translation>厂商库的算子为本机实测：%1</translation>
    </message>
    <message>
        <source>of the calibration&apos;s own kernels, faster than what is known of %1&apos;s: %2</source>
        <translation>以下算子取校准自带的内核，比已知的 %1 内核更快：%2</translation>
    </message>
    <message>
        <source>all other operators by %1&apos;s forms, which are shares of this machine&apos;s rates</source>
        <translation>其余算子按 %1 的公式计算，以本机速率的占比表示</translation>
    </message>
    <message>
        <source>all other operators by %1&apos;s published forms, scaled to this machine: bandwidth %2, 16-bit arithmetic %3, 8-bit %4 of the published rate</source>
        <translation>其余算子按 %1 的公开公式计算，并换算到本机：带宽为公开速率的 %2，16 位运算 %3，8 位 %4</translation>
    </message>
    <message>
        <source>the calibration holds runs of %1, this is %2: only the machine&apos;s rates are used</source>
        <translation>校准含 %1 的实测运行，此处为 %2：仅采用机器速率</translation>
    </message>
    <message>
        <source>fitted to %1 runs of %2 on %3</source>
        <translation>于 %3 按 %2 的 %1 次运行拟合</translation>
    </message>
    <message>
        <source>your calibration of this machine is used: %1 (--calibration none leaves it out)</source>
        <translation>已采用你为本机所做的校准：%1（--calibration none 可不用）</translation>
    </message>
    <message>
        <source>on %1, which the calibration is of</source>
        <translation>采用校准所属的 %1</translation>
    </message>
    <message>
        <source>the calibration is by %1, this is headroom %2: intervals are %3 times wider</source>
        <translation>校准由 %1 生成，当前为 headroom %2：区间放宽 %3 倍</translation>
    </message>
    <message>
        <source>exchanges measured between %1 ranks of one machine on %2 with %3</source>
        <translation>通信时间于 %2 用 %3 在一台机器的 %1 个进程之间实测</translation>
    </message>
    <message>
        <source>exchanges measured between %1 ranks in %2 machines on %3 with %4</source>
        <translation>通信时间于 %3 用 %4 在 %2 台机器的 %1 个进程之间实测</translation>
    </message>
    <message>
        <source>the calibration&apos;s links are those of %1, this is %2: exchanges keep the catalogue&apos;s figures</source>
        <translation>校准中的链路属于 %1，而这里是 %2：通信沿用目录中的数值</translation>
    </message>
    <message>
        <source>nothing is known of the box that %1 stands in</source>
        <translation>%1 所在的机型未知</translation>
    </message>
    <message>
        <source>name one with --node; `list nodes` shows them</source>
        <translation>用 --node 指定；`list nodes` 可列出</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>缺少</translation>
    </message>
    <message>
        <source>for example --model llama-3.1-70b; `list models` shows them</source>
        <translation>例如 --model llama-3.1-70b；`list models` 可列出</translation>
    </message>
    <message>
        <source>for example --gpu h100-sxm-80gb; `list gpus` shows them</source>
        <translation>例如 --gpu h100-sxm-80gb；`list gpus` 可列出</translation>
    </message>
    <message>
        <source>it runs %1</source>
        <translation>它支持 %1</translation>
    </message>
    <message>
        <source>it has %1</source>
        <translation>它有 %1</translation>
    </message>
    <message>
        <source>no layout divides this model</source>
        <translation>任何并行方案都无法切分该模型</translation>
    </message>
    <message>
        <source>%1 GPUs hold %2 of %3</source>
        <translation>%1 张 GPU 放 %2，每个 %3 张</translation>
    </message>
    <message>
        <source>%1 GPUs hold %2 of %3, the rest stand idle</source>
        <translation>%1 张 GPU 放 %2，每个 %3 张，其余闲置</translation>
    </message>
    <message>
        <source>tensor parallel over %1 GPUs leaves the %2 of one %3 and goes over the network</source>
        <translation>%1 张 GPU 的张量并行超出一台 %3 的 %2 张，要走网络</translation>
    </message>
    <message>
        <source>%1 has no speculative decoding</source>
        <translation>%1 不支持投机解码</translation>
    </message>
    <message>
        <source>no lengths were read</source>
        <translation>没有读到长度</translation>
    </message>
    <message>
        <source>the file must hold at least one length</source>
        <translation>文件中至少要有一个长度</translation>
    </message>
    <message>
        <source>prompts on %1</source>
        <translation>预填充 %1</translation>
    </message>
    <message>
        <source>%1; prompts on %2</source>
        <translation>%1；预填充池 %2</translation>
    </message>
    <message>
        <source>%1 weights and %2 KV cache, as was allowed</source>
        <translation>权重 %1、KV 缓存 %2（允许使用）</translation>
    </message>
    <message>
        <source>%1 set to %2 tokens in a step and %3 sequences at once, as was allowed</source>
        <translation>%1 设为每步 %2 个 token、同时 %3 个序列（允许调优）</translation>
    </message>
    <message>
        <source>both pools use the same accelerator; others are paired when they are named</source>
        <translation>两个池使用同一种加速卡；点名其他卡才会组合</translation>
    </message>
    <message>
        <source>the busiest %1 minutes decide the size: %2 requests/s, %3 on average</source>
        <translation>按最忙的 %1 分钟定规模：%2 请求/秒，平均 %3</translation>
    </message>
    <message>
        <source>lengths as recorded: %1 prompt and %2 output tokens on average</source>
        <translation>长度按记录：平均输入 %1、输出 %2 个 token</translation>
    </message>
    <message>
        <source>the pool for prompts would be busy %1 % of the time</source>
        <translation>预填充池将有 %1 % 的时间忙碌</translation>
    </message>
    <message>
        <source>layouts that look better in closed form were not replayed: the runs that one answer may take went to others</source>
        <translation>闭式估算更好的一些方案未经流量仿真：每个答案的仿真次数有限，已用于其他方案</translation>
    </message>
    <message>
        <source>not replayed: the runs that one answer may take went to others</source>
        <translation>未经流量仿真：每个答案的仿真次数有限，已用于其他方案</translation>
    </message>
    <message>
        <source>the answer and its break points stood a replay of the traffic; sensitivity and growth are closed form</source>
        <translation>答案及其临界点经过流量仿真；敏感性与增长为闭式估算</translation>
    </message>
    <message>
        <source>%1, closed form</source>
        <translation>%1（闭式估算）</translation>
    </message>
    <message>
        <source>no purchase price is known for %1: give --purchase</source>
        <translation>%1 的采购价未知：请给出 --purchase</translation>
    </message>
    <message>
        <source>%1 keeps prompts and decodes together</source>
        <translation>%1 不支持 PD 分离</translation>
    </message>
    <message>
        <source>vllm, sglang and tensorrt-llm run them apart</source>
        <translation>vllm、sglang、tensorrt-llm 支持 PD 分离</translation>
    </message>
    <message>
        <source>holds no requests</source>
        <translation>不含任何请求</translation>
    </message>
    <message>
        <source>trace</source>
        <translation>请求记录</translation>
    </message>
    <message>
        <source>disaggregate</source>
        <translation>PD 分离</translation>
    </message>
    <message>
        <source>one of no, try, only</source>
        <translation>可选 no、try、only</translation>
    </message>
    <message>
        <source>no speed was asked for: at least %1 tokens/s for each user and a first token within %2 s</source>
        <translation>未要求速度：按每用户至少 %1 token/s、首 token 不超过 %2 秒</translation>
    </message>
    <message>
        <source>the first token comes after %1 s</source>
        <translation>首 token 要等 %1 秒</translation>
    </message>
    <message>
        <source>nothing here rests on such timings</source>
        <translation>没有方案依据这类实测</translation>
    </message>
    <message>
        <source>what figures may rest on</source>
        <translation>数字可以依据什么</translation>
    </message>
    <message>
        <source>one of any, family, measured</source>
        <translation>可选 any、family、measured</translation>
    </message>
    <message>
        <source>files of traces are not read here</source>
        <translation>此处不读取流量记录文件</translation>
    </message>
    <message>
        <source>%1 tokens/s for each user are slower than people read (%2): no speed was asked for</source>
        <translation>每用户 %1 token/s，慢于阅读速度（%2）：未要求速度</translation>
    </message>
    <message>
        <source>of %1 GPUs that are there the use that is fastest for each user</source>
        <translation>现有 %1 张 GPU，取每用户最快的用法</translation>
    </message>
    <message>
        <source>machines of stated sizes were compared by the objective</source>
        <translation>按优化目标比较了给定规模的几台机器</translation>
    </message>
    <message>
        <source>machines of stated sizes were compared: the cheapest that meets the targets is the answer</source>
        <translation>比较了给定规模的几台机器：答案是满足目标中最便宜的一台</translation>
    </message>
    <message>
        <source>machines of stated sizes were compared: the fastest for each user is the answer</source>
        <translation>比较了给定规模的几台机器：答案是每个用户速度最快的一台</translation>
    </message>
    <message>
        <source>%1 are asked for, but every accelerator has its own number</source>
        <translation>要求 %1 张，但每种加速卡已各有数量</translation>
    </message>
    <message>
        <source>for example --gpu 8xh100-sxm-80gb,4xb200-sxm-180gb without --gpus</source>
        <translation>例如 --gpu 8xh100-sxm-80gb,4xb200-sxm-180gb，不加 --gpus</translation>
    </message>
    <message>
        <source>a number before each of them, or the same for all</source>
        <translation>每种前面各有一个数量，或全部相同</translation>
    </message>
    <message>
        <source>there are not as many numbers as accelerators</source>
        <translation>数量的个数与加速卡的种数不一致</translation>
    </message>
    <message>
        <source>%1 of %2 %3 are used: costs are of those, the rest stand idle</source>
        <translation>只用了 %1 张（共 %2 张 %3）：费用按所用计，其余闲置</translation>
    </message>
    <message>
        <source>for example 8xh100-sxm-80gb,4xb200-sxm-180gb</source>
        <translation>例如 8xh100-sxm-80gb,4xb200-sxm-180gb</translation>
    </message>
    <message>
        <source>no layout holds the model in memory: the nearest, %1 x %2 (%3), needs %4 GB on each GPU and can use %5 GB</source>
        <translation>任何并行方案都放不下该模型：最接近的 %1 × %2（%3）每张 GPU 需 %4 GB，可用 %5 GB</translation>
    </message>
    <message>
        <source>%1 server, %2 OAM</source>
        <translation>%1 服务器（%2 OAM）</translation>
    </message>
    <message>
        <source>%1 platform, %2 OAM, air-cooled</source>
        <translation>%1 平台（%2 OAM，风冷）</translation>
    </message>
    <message>
        <source>Atlas %1 cabinet, %2 Ascend %3</source>
        <translation>Atlas %1 机柜，%2 张昇腾 %3</translation>
    </message>
    <message>
        <source>Trn3 Gen%1 UltraServer, %2 chips</source>
        <translation>Trn3 Gen%1 UltraServer，%2 颗芯片</translation>
    </message>
    <message>
        <source>Cloud TPU7x VM with %1 chips</source>
        <translation>Cloud TPU7x VM，%1 颗芯片</translation>
    </message>
    <message>
        <source>%1 platform, %2 OAM</source>
        <translation>%1 平台（%2 OAM）</translation>
    </message>
    <message>
        <source>%1 server, %2 cards in a bridged ring</source>
        <translation>%1 服务器（%2 卡桥接成环）</translation>
    </message>
    <message>
        <source>PCIe %1 server, pairs joined by NVLink %2 bridge of %3 GB/s</source>
        <translation>PCIe %1 服务器，两两以 NVLink %2 桥互联（%3 GB/s）</translation>
    </message>
    <message>
        <source>PCIe %1 server, pairs joined by NVLink %2 bridge (cut) of %3 GB/s</source>
        <translation>PCIe %1 服务器，两两以 NVLink %2 桥互联（限速至 %3 GB/s）</translation>
    </message>
    <message>
        <source>PCIe %1 server, four %2 joined by a bridge</source>
        <translation>PCIe %1 服务器，四张 %2 桥接</translation>
    </message>
    <message>
        <source>PCIe %1 server with %2 GeForce cards</source>
        <translation>PCIe %1 服务器（%2 张 GeForce）</translation>
    </message>
    <message>
        <source>PCIe %1 server with %2 cards</source>
        <translation>PCIe %1 服务器（%2 卡）</translation>
    </message>
    <message>
        <source>Workstation with GeForce cards on PCIe %1</source>
        <translation>GeForce 工作站（PCIe %1）</translation>
    </message>
    <message>
        <source>Workstation with bridged pairs on PCIe %1</source>
        <translation>双卡桥接工作站（PCIe %1）</translation>
    </message>
    <message>
        <source>Workstation with up to %1 cards on PCIe %2</source>
        <translation>工作站（最多 %1 卡，PCIe %2）</translation>
    </message>
    <message>
        <source>Workstation with one card</source>
        <translation>单卡工作站</translation>
    </message>
    <message>
        <source>Single machine with unified memory</source>
        <translation>统一内存单机</translation>
    </message>
    <message>
        <source>One processor socket</source>
        <translation>单路处理器</translation>
    </message>
    <message>
        <source>%1 single superchip server</source>
        <translation>%1 单超级芯片服务器</translation>
    </message>
    <message>
        <source>DGX Spark, one or two units</source>
        <translation>DGX Spark（一台或两台）</translation>
    </message>
    <message>
        <source>GroqNode, %1 cards</source>
        <translation>GroqNode（%1 卡）</translation>
    </message>
    <message>
        <source>HGX %1 with one %2 GbE port</source>
        <translation>HGX %1（单个 %2 GbE 网口）</translation>
    </message>
    <message>
        <source>HGX %1 with %2x RoCE %3</source>
        <translation>HGX %1（%2x RoCE %3）</translation>
    </message>
    <message>
        <source>TPU %1 host with %2 chips</source>
        <translation>TPU %1 主机（%2 芯片）</translation>
    </message>
    <message>
        <source>%1th percentile</source>
        <translation>第 %1 百分位</translation>
    </message>
    <message>
        <source>− what runs at the same time</source>
        <translation>− 同时进行的部分</translation>
    </message>
    <message>
        <source>arithmetic and memory overlap: the longer one rules</source>
        <translation>计算与访存重叠进行：以较长者为准</translation>
    </message>
    <message>
        <source>other stages and launching</source>
        <translation>其他流水级与内核启动</translation>
    </message>
    <message>
        <source>the other stages of a pipeline, and kernels launched later than they could run</source>
        <translation>流水线的其他各级，以及晚于可运行时刻才启动的内核</translation>
    </message>
    <message>
        <source>admission</source>
        <translation>接纳</translation>
    </message>
    <message>
        <source>until the first piece</source>
        <translation>到第一段输出为止</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>Series</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>From</source>
        <translation>起</translation>
    </message>
    <message>
        <source>To</source>
        <translation>止</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>Headroom %1 · %2</source>
        <translation>Headroom %1 · %2</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>%1: drawn in the PDF and HTML report</source>
        <translation>%1：见 PDF 与 HTML 报告中的图</translation>
    </message>
</context>
<context>
    <name>ScenarioField</name>
    <message>
        <source>gpus</source>
        <translation>GPU 最少</translation>
    </message>
    <message>
        <source>hour</source>
        <translation>每小时最便宜</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>energy</source>
        <translation>最省电</translation>
    </message>
    <message>
        <source>throughput</source>
        <translation>吞吐最大</translation>
    </message>
    <message>
        <source>users</source>
        <translation>用户最多</translation>
    </message>
    <message>
        <source>speed</source>
        <translation>单用户最快</translation>
    </message>
    <message>
        <source>chunked-prefill</source>
        <translation>分块预填充</translation>
    </message>
    <message>
        <source>prefill-first</source>
        <translation>预填充优先</translation>
    </message>
    <message>
        <source>static</source>
        <translation>静态</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Box</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>How weights are stored</source>
        <translation>权重的存储类型</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>How the KV cache is stored</source>
        <translation>KV 缓存的存储类型</translation>
    </message>
    <message>
        <source>Arithmetic</source>
        <translation>运算精度</translation>
    </message>
    <message>
        <source>Arithmetic of the matrix products</source>
        <translation>矩阵乘法的运算精度</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>GPUs in all</source>
        <translation>GPU 总数</translation>
    </message>
    <message>
        <source>Accelerators in the whole service; empty: as many as needed</source>
        <translation>整个服务的加速卡数；留空：按需</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Serving engine; &apos;ideal&apos; is the physical floor</source>
        <translation>服务引擎；ideal 为物理下限</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>流量</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>A length, or a distribution such as lognormal:mean=1155,p99=7000</source>
        <translation>长度，或分布，如 lognormal:mean=1155,p99=7000</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>A length, or a distribution such as uniform:128-2048</source>
        <translation>长度，或分布，如 uniform:128-2048</translation>
    </message>
    <message>
        <source>Users at once</source>
        <translation>并发用户</translation>
    </message>
    <message>
        <source>Requests in flight in the whole service</source>
        <translation>整个服务中同时进行的请求</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>per s</source>
        <translation>每秒</translation>
    </message>
    <message>
        <source>Arriving in the whole service each second</source>
        <translation>整个服务每秒到达的请求</translation>
    </message>
    <message>
        <source>Prefix cached</source>
        <translation>前缀缓存</translation>
    </message>
    <message>
        <source>share</source>
        <translation>比例</translation>
    </message>
    <message>
        <source>Share of the prompt found in the prefix cache</source>
        <translation>输入中命中前缀缓存的比例</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Speed for each user</source>
        <translation>每用户速度</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>tok/s</translation>
    </message>
    <message>
        <source>Tokens per second in every user&apos;s stream</source>
        <translation>每个用户每秒收到的 token</translation>
    </message>
    <message>
        <source>First token within</source>
        <translation>首 token 不超过</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>Time from asking to the first token</source>
        <translation>从提问到首 token 的时间</translation>
    </message>
    <message>
        <source>Each token within</source>
        <translation>每 token 不超过</translation>
    </message>
    <message>
        <source>Time between two tokens of a stream</source>
        <translation>相邻两个 token 的时间</translation>
    </message>
    <message>
        <source>Answer within</source>
        <translation>回答不超过</translation>
    </message>
    <message>
        <source>Time from asking to the last token</source>
        <translation>从提问到最后一个 token 的时间</translation>
    </message>
    <message>
        <source>For</source>
        <translation>适用于</translation>
    </message>
    <message>
        <source>% of requests</source>
        <translation>% 的请求</translation>
    </message>
    <message>
        <source>Share of the requests that must meet the targets</source>
        <translation>必须达标的请求比例</translation>
    </message>
    <message>
        <source>Money</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>Look for</source>
        <translation>优化目标</translation>
    </message>
    <message>
        <source>What the best answer is</source>
        <translation>按什么挑选最优方案</translation>
    </message>
    <message>
        <source>GPU price</source>
        <translation>GPU 价格</translation>
    </message>
    <message>
        <source>Rent of one GPU for an hour; empty: the catalogue&apos;s cloud price</source>
        <translation>单张 GPU 每小时租金；留空：目录中的云价格</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>预算</translation>
    </message>
    <message>
        <source>Most the service may cost an hour</source>
        <translation>服务每小时最多花费</translation>
    </message>
    <message>
        <source>Purchase price</source>
        <translation>采购价</translation>
    </message>
    <message>
        <source>Price of one GPU when it is bought</source>
        <translation>单张 GPU 的采购价</translation>
    </message>
    <message>
        <source>Purchase budget</source>
        <translation>采购预算</translation>
    </message>
    <message>
        <source>Most that all GPUs may cost when they are bought</source>
        <translation>采购全部 GPU 的最高总价</translation>
    </message>
    <message>
        <source>Written off over</source>
        <translation>折旧年限</translation>
    </message>
    <message>
        <source>years</source>
        <translation>年</translation>
    </message>
    <message>
        <source>Years over which a purchase is written off</source>
        <translation>购买成本的折旧年数</translation>
    </message>
    <message>
        <source>Electricity</source>
        <translation>电价</translation>
    </message>
    <message>
        <source>Price of electricity</source>
        <translation>电力价格</translation>
    </message>
    <message>
        <source>PUE</source>
        <translation>PUE</translation>
    </message>
    <message>
        <source>Power of the building over that of the machines</source>
        <translation>机房总功率与机器功率之比</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>并行方案</translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>GPUs that share every layer</source>
        <translation>共同计算每一层的 GPU</translation>
    </message>
    <message>
        <source>Pipeline stages</source>
        <translation>流水线阶段</translation>
    </message>
    <message>
        <source>Groups of layers on different GPUs</source>
        <translation>分布在不同 GPU 上的层组</translation>
    </message>
    <message>
        <source>Expert parallel</source>
        <translation>专家并行</translation>
    </message>
    <message>
        <source>GPUs that experts are spread over</source>
        <translation>专家分布的 GPU 数</translation>
    </message>
    <message>
        <source>Redundant experts</source>
        <translation>冗余专家</translation>
    </message>
    <message>
        <source>Further copies of experts, spread with the others</source>
        <translation>专家的额外副本，与其他专家一同分布</translation>
    </message>
    <message>
        <source>Experts&apos; load</source>
        <translation>专家负载</translation>
    </message>
    <message>
        <source>As tokens are routed, or moved by a load balancer (EPLB)</source>
        <translation>按路由结果，或由负载均衡器（EPLB）调整</translation>
    </message>
    <message>
        <source>Overlapped batches</source>
        <translation>批次重叠</translation>
    </message>
    <message>
        <source>Two micro-batches: one exchanges experts&apos; tokens while the other computes</source>
        <translation>两个微批次：一个交换专家的词元，另一个计算</translation>
    </message>
    <message>
        <source>Attention ranks</source>
        <translation>注意力并行组</translation>
    </message>
    <message>
        <source>Prompts: stages</source>
        <translation>预填充池流水线级数</translation>
    </message>
    <message>
        <source>Pipeline stages in the pool for prompts</source>
        <translation>预填充池的流水线级数</translation>
    </message>
    <message>
        <source>Prompts: expert par.</source>
        <translation>预填充池专家并行</translation>
    </message>
    <message>
        <source>GPUs that experts are spread over in the pool for prompts</source>
        <translation>预填充池中分摊专家的 GPU 数</translation>
    </message>
    <message>
        <source>Prompts: attention ranks</source>
        <translation>预填充池注意力并行</translation>
    </message>
    <message>
        <source>Data-parallel attention ranks in the pool for prompts</source>
        <translation>预填充池副本内数据并行的注意力路数</translation>
    </message>
    <message>
        <source>Prompts: tensor par.</source>
        <translation>预填充池张量并行</translation>
    </message>
    <message>
        <source>GPUs that share every layer in the pool for prompts</source>
        <translation>预填充池中共同计算每一层的 GPU 数</translation>
    </message>
    <message>
        <source>Prompts: replicas</source>
        <translation>预填充池副本</translation>
    </message>
    <message>
        <source>Replicas of the pool for prompts</source>
        <translation>预填充池的副本数</translation>
    </message>
    <message>
        <source>Data-parallel attention ranks inside a replica</source>
        <translation>副本内数据并行的注意力组</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>副本</translation>
    </message>
    <message>
        <source>Independent copies of the service</source>
        <translation>服务的独立副本</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批量</translation>
    </message>
    <message>
        <source>per replica</source>
        <translation>每副本</translation>
    </message>
    <message>
        <source>Concurrent sequences in one replica</source>
        <translation>单副本并发序列</translation>
    </message>
    <message>
        <source>Capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>Kept free</source>
        <translation>保留余量</translation>
    </message>
    <message>
        <source>Share of capacity kept free</source>
        <translation>保留不用的容量比例</translation>
    </message>
    <message>
        <source>Peak over mean</source>
        <translation>峰均比</translation>
    </message>
    <message>
        <source>Busy hour over the stated load</source>
        <translation>忙时负载与所述负载之比</translation>
    </message>
    <message>
        <source>Spare replicas</source>
        <translation>备用副本</translation>
    </message>
    <message>
        <source>Replicas that may fail</source>
        <translation>允许故障的副本数</translation>
    </message>
    <message>
        <source>Growth</source>
        <translation>增长</translation>
    </message>
    <message>
        <source>per year</source>
        <translation>每年</translation>
    </message>
    <message>
        <source>Of the load in a year: 0.4 is 40 %</source>
        <translation>负载的年增长：0.4 即 40 %</translation>
    </message>
    <message>
        <source>Engine settings</source>
        <translation>引擎设置</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>调度器</translation>
    </message>
    <message>
        <source>How requests become batches</source>
        <translation>请求如何组成批次</translation>
    </message>
    <message>
        <source>Memory fraction</source>
        <translation>显存比例</translation>
    </message>
    <message>
        <source>Share of a card that the engine may fill</source>
        <translation>引擎可占用的显存比例</translation>
    </message>
    <message>
        <source>Tokens in a step</source>
        <translation>每步 token</translation>
    </message>
    <message>
        <source>Largest step of the engine</source>
        <translation>引擎单步最大 token 数</translation>
    </message>
    <message>
        <source>Sequences at once</source>
        <translation>同时序列</translation>
    </message>
    <message>
        <source>Running at once in a replica</source>
        <translation>单副本同时运行的序列</translation>
    </message>
    <message>
        <source>KV page</source>
        <translation>KV 页</translation>
    </message>
    <message>
        <source>Page of the KV cache</source>
        <translation>KV 缓存的页大小</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>投机解码</translation>
    </message>
    <message>
        <source>draft:MODEL:g=4,a=0.7, ngram:g=4,a=0.4 or mtp:g=1,a=0.8</source>
        <translation>draft:模型:g=4,a=0.7、ngram:g=4,a=0.4 或 mtp:g=1,a=0.8</translation>
    </message>
    <message>
        <source>LoRA adapters</source>
        <translation>LoRA 适配器</translation>
    </message>
    <message>
        <source>Kept on the GPUs</source>
        <translation>常驻 GPU 的数量</translation>
    </message>
    <message>
        <source>LoRA rank</source>
        <translation>LoRA 秩</translation>
    </message>
    <message>
        <source>Rank of the adapters</source>
        <translation>适配器的秩</translation>
    </message>
    <message>
        <source>Beams</source>
        <translation>束宽</translation>
    </message>
    <message>
        <source>Width of beam search</source>
        <translation>束搜索宽度</translation>
    </message>
    <message>
        <source>Compute overhead</source>
        <translation>计算开销</translation>
    </message>
    <message>
        <source>factor</source>
        <translation>倍数</translation>
    </message>
    <message>
        <source>Multiplies compute, as privacy-preserving inference does</source>
        <translation>计算量倍数，例如隐私保护推理</translation>
    </message>
    <message>
        <source>Prefill skipped</source>
        <translation>跳过预填充</translation>
    </message>
    <message>
        <source>Prefill compute saved by the model&apos;s design</source>
        <translation>模型设计省去的预填充计算</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>File with measured efficiencies of a machine of yours</source>
        <translation>自有机器实测效率的文件</translation>
    </message>
    <message>
        <source>Simulation</source>
        <translation>仿真</translation>
    </message>
    <message>
        <source>Arrivals</source>
        <translation>到达过程</translation>
    </message>
    <message>
        <source>Looks at arrivals</source>
        <translation>查看新请求</translation>
    </message>
    <message>
        <source>Steps between two looks of the engine at what has arrived</source>
        <translation>引擎两次查看新到请求之间的步数</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Load tool</source>
        <translation>压测工具</translation>
    </message>
    <message>
        <source>The load as a benchmark client sends it: all users at once, lengths as stated, every request counted</source>
        <translation>像压测客户端那样施加负载：所有用户同时开始，长度如所述，每个请求都计入</translation>
    </message>
    <message>
        <source>poisson, constant, gamma:cv=2, weibull:… or closed</source>
        <translation>poisson、constant、gamma:cv=2、weibull:… 或 closed</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>请求记录</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Arrivals and lengths as recorded</source>
        <translation>记录的到达时间与长度</translation>
    </message>
    <message>
        <source>Simulated in one run</source>
        <translation>一次仿真的请求数</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Of random arrivals and lengths</source>
        <translation>随机到达与长度的种子</translation>
    </message>
    <message>
        <source>Types to try</source>
        <translation>可尝试类型</translation>
    </message>
    <message>
        <source>Number types that a search may try besides, with commas: fp8,int4</source>
        <translation>搜索时还可尝试的数值类型，用逗号分隔：fp8,int4</translation>
    </message>
    <message>
        <source>Prompts apart</source>
        <translation>PD 分离</translation>
    </message>
    <message>
        <source>Prompts on GPUs of their own, their cache sent to those that decode</source>
        <translation>预填充使用独立的 GPU，缓存再传给解码的 GPU</translation>
    </message>
    <message>
        <source>GPU for prompts</source>
        <translation>预填充 GPU</translation>
    </message>
    <message>
        <source>Accelerator of the pool that computes prompts; empty: the same</source>
        <translation>预填充池的加速卡；留空则相同</translation>
    </message>
    <message>
        <source>Tune the engine</source>
        <translation>引擎调优</translation>
    </message>
    <message>
        <source>Whether a search may try other batch limits and chunk sizes</source>
        <translation>搜索时可否尝试其他批上限与分块大小</translation>
    </message>
    <message>
        <source>Buy</source>
        <translation>购买</translation>
    </message>
    <message>
        <source>Purchase price, power and electricity in place of rent</source>
        <translation>采购价、功耗与电费，而非租金</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>try</source>
        <translation>可以</translation>
    </message>
    <message>
        <source>only</source>
        <translation>必须</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>US$/h</source>
        <translation>美元/小时</translation>
    </message>
    <message>
        <source>US$ per GPU</source>
        <translation>美元/GPU</translation>
    </message>
    <message>
        <source>US$</source>
        <translation>美元</translation>
    </message>
    <message>
        <source>US$/kWh</source>
        <translation>美元/千瓦时</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>Of the load in a year</source>
        <translation>每年负载的增长</translation>
    </message>
    <message>
        <source>fewest GPUs</source>
        <translation>GPU 最少</translation>
    </message>
    <message>
        <source>lowest cost an hour</source>
        <translation>每小时费用最低</translation>
    </message>
    <message>
        <source>cheapest tokens</source>
        <translation>每 token 最便宜</translation>
    </message>
    <message>
        <source>least energy</source>
        <translation>能耗最低</translation>
    </message>
    <message>
        <source>most users and tokens</source>
        <translation>用户数与 token 数最多</translation>
    </message>
    <message>
        <source>fastest answers</source>
        <translation>回答最快</translation>
    </message>
</context>
<context>
    <name>headroom::app</name>
    <message>
        <source>sliding window</source>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <source>%1, %2 active</source>
        <translation>%1，激活 %2</translation>
    </message>
    <message>
        <source>%1 tokens of context</source>
        <translation>上下文 %1 个 token</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>16-bit peak</source>
        <translation>16 位峰值</translation>
    </message>
    <message>
        <source>Cloud price</source>
        <translation>云价格</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>互联</translation>
    </message>
    <message>
        <source>%1 weights</source>
        <translation>%1 权重</translation>
    </message>
    <message>
        <source>%1 KV cache</source>
        <translation>%1 KV 缓存</translation>
    </message>
    <message>
        <source>%1 replicas</source>
        <translation>%1 个副本</translation>
    </message>
    <message>
        <source>Fits; no target was set</source>
        <translation>装得下；未设目标</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>装不下</translation>
    </message>
    <message>
        <source>Meets the targets, %1</source>
        <translation>满足目标，%1</translation>
    </message>
    <message>
        <source>%1 × %2 to be safe</source>
        <translation>稳妥起见用 %1 × %2</translation>
    </message>
    <message>
        <source>Carries up to %1 users at once, %2, with all targets met</source>
        <translation>满足全部目标时最多支持 %1 个并发用户（%2）</translation>
    </message>
    <message>
        <source>Carries up to %1 users at once, %2, with all targets met; %3 to be safe in this layout</source>
        <translation>满足全部目标时最多支持 %1 个并发用户（%2）；此布局保险起见 %3 个</translation>
    </message>
    <message>
        <source>Memory of one GPU</source>
        <translation>单张 GPU 显存</translation>
    </message>
    <message>
        <source>of %1 that %2 may fill</source>
        <translation>%2 可用 %1</translation>
    </message>
    <message>
        <source>Speed for each user</source>
        <translation>每用户速度</translation>
    </message>
    <message>
        <source>target %1</source>
        <translation>目标 %1</translation>
    </message>
    <message>
        <source>First token at this load</source>
        <translation>此负载下首 token 延迟</translation>
    </message>
    <message>
        <source>prompts of %1 tokens</source>
        <translation>输入 %1 个 token</translation>
    </message>
    <message>
        <source>one user</source>
        <translation>一个用户</translation>
    </message>
    <message>
        <source>answers of %1 tokens</source>
        <translation>回答 %1 个 token</translation>
    </message>
    <message>
        <source>engine %1</source>
        <translation>引擎 %1</translation>
    </message>
    <message>
        <source>targets hold for %1 of the requests</source>
        <translation>%1 的请求满足目标</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>no price known</source>
        <translation>价格未知</translation>
    </message>
    <message>
        <source>GPUs owned: %1</source>
        <translation>自购 GPU：%1</translation>
    </message>
    <message>
        <source>GPUs owned: %1, pays after %2 months</source>
        <translation>自购 GPU：%1，%2 个月回本</translation>
    </message>
    <message>
        <source>type one under Money</source>
        <translation>请在“费用”中填写</translation>
    </message>
    <message>
        <source>%1 per million output tokens</source>
        <translation>每百万输出 token %1</translation>
    </message>
    <message>
        <source>budget %1</source>
        <translation>预算 %1</translation>
    </message>
    <message>
        <source>Percentiles</source>
        <translation>百分位</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首 token</translation>
    </message>
    <message>
        <source>Between tokens</source>
        <translation>token 间隔</translation>
    </message>
    <message>
        <source>Whole answer</source>
        <translation>完整回答</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>No request was finished</source>
        <translation>没有完成的请求</translation>
    </message>
    <message>
        <source>Time to the first token</source>
        <translation>首 token 延迟</translation>
    </message>
    <message>
        <source>Share of requests</source>
        <translation>请求比例</translation>
    </message>
    <message>
        <source>As the engine batches</source>
        <translation>引擎实际批处理</translation>
    </message>
    <message>
        <source>Static batching</source>
        <translation>静态批处理</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Decode, preempted</source>
        <translation>解码（曾被抢占）</translation>
    </message>
    <message>
        <source>request %1, %2</source>
        <translation>请求 %1，%2</translation>
    </message>
    <message>
        <source>Cache in use</source>
        <translation>缓存占用</translation>
    </message>
    <message>
        <source>of the first replica</source>
        <translation>第一个副本</translation>
    </message>
    <message>
        <source>Tokens in the KV cache</source>
        <translation>KV 缓存中的 token</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Up to overload</source>
        <translation>直至过载</translation>
    </message>
    <message>
        <source>Requests offered</source>
        <translation>到达请求</translation>
    </message>
    <message>
        <source>per s</source>
        <translation>每秒</translation>
    </message>
    <message>
        <source>First token, p50</source>
        <translation>首 token p50</translation>
    </message>
    <message>
        <source>First token, p95</source>
        <translation>首 token p95</translation>
    </message>
    <message>
        <source>Between tokens, p95</source>
        <translation>token 间隔 p95</translation>
    </message>
    <message>
        <source>capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>A closed loop is never overloaded: users wait for their answers</source>
        <translation>闭环不会过载：用户会等待回答</translation>
    </message>
    <message>
        <source>Stable</source>
        <translation>稳定</translation>
    </message>
    <message>
        <source>Overloaded</source>
        <translation>过载</translation>
    </message>
    <message>
        <source>Stopped early: what was finished so far</source>
        <translation>提前停止：仅含已完成部分</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>已选</translation>
    </message>
    <message>
        <source>memory is full</source>
        <translation>显存已满</translation>
    </message>
    <message>
        <source>%1 prompt and %2 output tokens</source>
        <translation>输入 %1、输出 %2 个 token</translation>
    </message>
    <message>
        <source>Memory over batch</source>
        <translation>显存与批量</translation>
    </message>
    <message>
        <source>Sequences in one replica</source>
        <translation>单副本序列数</translation>
    </message>
    <message>
        <source>Memory over context</source>
        <translation>显存与上下文长度</translation>
    </message>
    <message>
        <source>Tokens of each sequence</source>
        <translation>每序列 token 数</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>批量 %1</translation>
    </message>
    <message>
        <source>Largest batch over context</source>
        <translation>最大批量与上下文长度</translation>
    </message>
    <message>
        <source>Sequences that one replica holds</source>
        <translation>单副本可容纳序列</translation>
    </message>
    <message>
        <source>Largest batch</source>
        <translation>最大批量</translation>
    </message>
    <message>
        <source>Not even one sequence fits</source>
        <translation>一个序列也装不下</translation>
    </message>
    <message>
        <source>Speed over batch</source>
        <translation>速度与批量</translation>
    </message>
    <message>
        <source>Time between tokens</source>
        <translation>token 间隔</translation>
    </message>
    <message>
        <source>Decoding only</source>
        <translation>仅解码</translation>
    </message>
    <message>
        <source>With prompts arriving</source>
        <translation>有新请求到达</translation>
    </message>
    <message>
        <source>Throughput over batch</source>
        <translation>吞吐与批量</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>tok/s</translation>
    </message>
    <message>
        <source>Output tokens</source>
        <translation>输出 token</translation>
    </message>
    <message>
        <source>Roofline of one GPU</source>
        <translation>单张 GPU 屋顶线</translation>
    </message>
    <message>
        <source>Arithmetic intensity</source>
        <translation>算术强度</translation>
    </message>
    <message>
        <source>FLOP/B</source>
        <translation>FLOP/B</translation>
    </message>
    <message>
        <source>Achieved</source>
        <translation>实际达到</translation>
    </message>
    <message>
        <source>Speed against throughput</source>
        <translation>速度与吞吐</translation>
    </message>
    <message>
        <source>a click takes the layout</source>
        <translation>点击采用该并行方案</translation>
    </message>
    <message>
        <source>Throughput of one GPU</source>
        <translation>单张 GPU 吞吐</translation>
    </message>
    <message>
        <source>Best layouts</source>
        <translation>最优方案</translation>
    </message>
    <message>
        <source>%1 users in a replica</source>
        <translation>每副本 %1 个用户</translation>
    </message>
    <message>
        <source>target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Nothing can be compared: no layout runs this model here</source>
        <translation>无可比较：任何并行方案都无法在此运行该模型</translation>
    </message>
    <message>
        <source>Speed against cost</source>
        <translation>速度与费用</translation>
    </message>
    <message>
        <source>Cost of the service</source>
        <translation>服务费用</translation>
    </message>
    <message>
        <source>Meets the targets</source>
        <translation>满足目标</translation>
    </message>
    <message>
        <source>Misses them</source>
        <translation>未满足</translation>
    </message>
    <message>
        <source>No candidate has a known price</source>
        <translation>没有价格已知的候选</translation>
    </message>
    <message>
        <source>Nothing was varied</source>
        <translation>未作变动</translation>
    </message>
    <message>
        <source>What moves the speed</source>
        <translation>什么影响速度</translation>
    </message>
    <message>
        <source>now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>What moves the number of GPUs</source>
        <translation>什么影响 GPU 数量</translation>
    </message>
    <message>
        <source>GPUs needed</source>
        <translation>所需 GPU</translation>
    </message>
    <message>
        <source>Growth</source>
        <translation>增长</translation>
    </message>
    <message>
        <source>year %1</source>
        <translation>第 %1 年</translation>
    </message>
    <message>
        <source>Above %1 %2, %3 GPUs are needed</source>
        <translation>%2 超过 %1 后需要 %3 张 GPU</translation>
    </message>
    <message>
        <source>Above %1 %2, %3 × %4 are needed</source>
        <translation>%2 超过 %1 后需要 %3 × %4</translation>
    </message>
    <message>
        <source>Above %1 %2, nothing on %3 meets what was asked</source>
        <translation>%2 超过 %1 后，用 %3 没有方案满足要求</translation>
    </message>
    <message>
        <source>Limited by %1</source>
        <translation>瓶颈：%1</translation>
    </message>
    <message>
        <source>%1 in all</source>
        <translation>总计 %1</translation>
    </message>
    <message>
        <source>%1 of power</source>
        <translation>功率 %1</translation>
    </message>
    <message>
        <source>With %1 sequences in one replica</source>
        <translation>单副本 %1 个序列时</translation>
    </message>
    <message>
        <source>Measured on your machine</source>
        <translation>在您的机器上实测</translation>
    </message>
    <message>
        <source>Nothing meets the targets</source>
        <translation>没有方案能达到目标</translation>
    </message>
    <message>
        <source>It does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>%1 users at once</source>
        <translation>%1 个并发用户</translation>
    </message>
    <message>
        <source>%1 for each user</source>
        <translation>每用户 %1</translation>
    </message>
    <message>
        <source>first token within %1</source>
        <translation>首 token 不超过 %1</translation>
    </message>
    <message>
        <source>each token within %1</source>
        <translation>每 token 不超过 %1</translation>
    </message>
    <message>
        <source>answer within %1</source>
        <translation>回答不超过 %1</translation>
    </message>
    <message>
        <source>for %1 of the requests</source>
        <translation>%1 的请求达标</translation>
    </message>
    <message>
        <source>nearest: %1</source>
        <translation>最接近：%1</translation>
    </message>
    <message>
        <source>Requests as the engine batches them</source>
        <translation>引擎实际批处理下的请求</translation>
    </message>
    <message>
        <source>The same requests under static batching</source>
        <translation>同样的请求在静态批处理下</translation>
    </message>
    <message>
        <source>The answer</source>
        <translation>本方案</translation>
    </message>
    <message>
        <source>Output (tok/s)</source>
        <translation>输出吞吐 (tok/s)</translation>
    </message>
    <message>
        <source>All tokens (tok/s)</source>
        <translation>总吞吐 (tok/s)</translation>
    </message>
    <message>
        <source>Speed for a user (tok/s)</source>
        <translation>每用户解码 (tok/s)</translation>
    </message>
    <message>
        <source>First token (ms)</source>
        <translation>首 token 延迟 (ms)</translation>
    </message>
    <message>
        <source>Inter-token latency (ms)</source>
        <translation>逐 token 间隔 (ms)</translation>
    </message>
    <message>
        <source>Between tokens (ms)</source>
        <translation>token 间隔 (ms)</translation>
    </message>
    <message>
        <source>Whole answer (s)</source>
        <translation>端到端 (s)</translation>
    </message>
    <message>
        <source>Requests (per s)</source>
        <translation>请求/秒</translation>
    </message>
    <message>
        <source>prompts on %1 × %2</source>
        <translation>预填充用 %1 × %2</translation>
    </message>
    <message>
        <source>%1 GPU-hours</source>
        <translation>%1 GPU 时</translation>
    </message>
    <message>
        <source>on average</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>at the peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>all GPUs all day</source>
        <translation>全天满配</translation>
    </message>
    <message>
        <source>following the load</source>
        <translation>随负载伸缩</translation>
    </message>
    <message>
        <source>stands idle otherwise</source>
        <translation>满配时闲置</translation>
    </message>
    <message>
        <source>card %1</source>
        <translation>整卡 %1</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Nothing to compare yet</source>
        <translation>尚无可比较的内容</translation>
    </message>
    <message>
        <source>Cost of a million output tokens</source>
        <translation>每百万输出 token 的费用</translation>
    </message>
    <message>
        <source>at this load</source>
        <translation>按此负载</translation>
    </message>
    <message>
        <source>No price is known</source>
        <translation>价格未知</translation>
    </message>
    <message>
        <source>Not compared: users take turns, prompts have GPUs of their own,
or the engine batches statically itself</source>
        <translation>不作比较：用户轮流提问、预填充独占 GPU，
或引擎本身就是静态批处理</translation>
    </message>
    <message>
        <source>full</source>
        <translation>已满</translation>
    </message>
    <message>
        <source>kept the targets</source>
        <translation>请求达标</translation>
    </message>
    <message>
        <source>served</source>
        <translation>实际处理</translation>
    </message>
    <message>
        <source>largest stable rate</source>
        <translation>最大稳定速率</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>mean batch</source>
        <translation>平均批量</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>繁忙占比</translation>
    </message>
    <message>
        <source>preemptions</source>
        <translation>抢占次数</translation>
    </message>
    <message>
        <source>requests measured</source>
        <translation>统计的请求</translation>
    </message>
    <message>
        <source>area: share of the step&apos;s time; slope: %1 of memory</source>
        <translation>面积：占该步时间的比例；斜线：显存带宽 %1</translation>
    </message>
    <message>
        <source>inputs halved and doubled</source>
        <translation>各输入减半与加倍</translation>
    </message>
    <message>
        <source>Hour</source>
        <translation>小时</translation>
    </message>
    <message>
        <source>today</source>
        <translation>当前</translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n 张 GPU</numerusform>
        </translation>
    </message>
    <message>
        <source>load grows by %1 a year</source>
        <translation>负载每年增长 %1</translation>
    </message>
    <message>
        <source>Growth needs a load, users or requests, and an answer that meets the targets</source>
        <translation>增长需要给出负载（用户数或请求数）且有满足目标的方案</translation>
    </message>
    <message>
        <source>Load through the day</source>
        <translation>一天中的负载</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>GPUs through the day</source>
        <translation>一天中的 GPU</translation>
    </message>
    <message>
        <source>sized for the peak</source>
        <translation>按峰值配置</translation>
    </message>
    <message>
        <source>Measured on %1</source>
        <translation>在 %1 上实测</translation>
    </message>
    <message>
        <source>the busiest stretch of the day, all the time</source>
        <translation>按一天中最忙时段持续运行</translation>
    </message>
    <message>
        <source>how many A100s for Llama-70B at 20 TPS</source>
        <translation>20 TPS 的 Llama-70B 需要几张 A100？</translation>
    </message>
    <message>
        <source>cheapest way to serve DeepSeek R1 fp8 to 500 users at 20 tokens/s</source>
        <translation>DeepSeek R1 fp8，500 个用户，每人 20 token/s，最便宜的方案</translation>
    </message>
    <message>
        <source>can 8 RTX 4090 run Qwen3 32B for 50 users?</source>
        <translation>8 张 4090 能跑 Qwen3 32B 吗？50 个用户</translation>
    </message>
    <message>
        <source>8 H100 or 4 B200 for Llama 70B, 64 users, 25 tokens/s?</source>
        <translation>8 张 H100 还是 4 张 B200 跑 Llama 70B？64 个用户，每人 25 token/s</translation>
    </message>
    <message>
        <source>Qwen2.5-72B on H200, 4 requests per second, 2k prompts, TTFT within 1 s</source>
        <translation>Qwen2.5-72B 用 H200，每秒 4 个请求，输入 2k，首字 1 秒以内</translation>
    </message>
    <message>
        <source>gpt-oss-120b on H100, 100 users, 30 tokens/s, 8k prompts</source>
        <translation>gpt-oss-120b 用 H100，100 个用户，每人 30 token/s，输入 8k</translation>
    </message>
    <message>
        <source>Output of the service</source>
        <translation>服务输出</translation>
    </message>
    <message>
        <source>The load is the same all day</source>
        <translation>全天负载不变</translation>
    </message>
    <message>
        <source>A day needs requests per second, or a trace</source>
        <translation>一天的曲线需要每秒请求数，或一份请求记录</translation>
    </message>
    <message>
        <source>No growth was stated</source>
        <translation>未设定增长</translation>
    </message>
    <message>
        <source>Low end of the input</source>
        <translation>输入取低值</translation>
    </message>
    <message>
        <source>High end of the input</source>
        <translation>输入取高值</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>if it fitted</source>
        <translation>若能装下</translation>
    </message>
    <message>
        <source>Carries up to %1 users at once, %2</source>
        <translation>最多支持 %1 个并发用户（%2）</translation>
    </message>
    <message>
        <source>times: %1</source>
        <translation>时间依据：%1</translation>
    </message>
    <message>
        <source>Carries one user at a time, %1 in turn</source>
        <translation>逐个服务用户（%1）</translation>
    </message>
    <message>
        <source>Carries one user at a time, %1 in turn, with all targets met</source>
        <translation>满足全部目标时只能逐个服务用户（%1）</translation>
    </message>
    <message>
        <source>requests that come at random overlap: more than %1 at once miss a target</source>
        <translation>随机到达的请求会相互重叠：同时超过 %1 个就达不到目标</translation>
    </message>
    <message>
        <source>kept the targets, at random arrivals</source>
        <translation>请求达标（随机到达）</translation>
    </message>
    <message>
        <source>Carries one user at a time, a request every %1</source>
        <translation>一次服务一名用户，每 %1 一个请求</translation>
    </message>
    <message>
        <source>Carries one user at a time, a request every %1, with all targets met</source>
        <translation>一次服务一名用户，每 %1 一个请求，全部目标均满足</translation>
    </message>
    <message>
        <source>meets the targets, %1</source>
        <translation>满足目标，%1</translation>
    </message>
    <message>
        <source>against it %1: %2</source>
        <translation>与之相比 %1：%2</translation>
    </message>
    <message>
        <source>Speed limited by %1</source>
        <translation>速度受限于%1</translation>
    </message>
    <message>
        <source>times are estimated: nothing like it was measured</source>
        <translation>时间为估算值：没有类似的实测数据</translation>
    </message>
    <message>
        <source>%1, far off</source>
        <translation>%1，远超其他</translation>
    </message>
    <message>
        <source>the answer takes fewer GPUs than the best layouts; a click takes one of them</source>
        <translation>答案所用 GPU 少于最佳布局；单击可采用其一</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>可运行</translation>
    </message>
    <message>
        <source>Does not run</source>
        <translation>无法运行</translation>
    </message>
    <message>
        <source>Halving or doubling any one input leaves it at %1: nothing moves it</source>
        <translation>任一输入减半或加倍后仍为 %1：没有输入能改变它</translation>
    </message>
</context>
<context>
    <name>headroom::app::AccuracyView</name>
    <message>
        <source>Predicted beside measured</source>
        <translation>预测与实测对照</translation>
    </message>
    <message>
        <source>on the line both are equal</source>
        <translation>线上两者相等</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Equal</source>
        <translation>相等</translation>
    </message>
    <message>
        <source>Measured rows appear here once they are predicted</source>
        <translation>预测完成后，实测数据将显示在此处</translation>
    </message>
    <message>
        <source>No row could be predicted</source>
        <translation>没有可预测的数据行</translation>
    </message>
    <message>
        <source>Measured rows</source>
        <translation>实测数据行</translation>
    </message>
    <message>
        <source>Progress of the validation</source>
        <translation>验证进度</translation>
    </message>
    <message>
        <source>Own measurements…</source>
        <translation>自己的测量…</translation>
    </message>
    <message>
        <source>Compare with a CSV file of measurements</source>
        <translation>与一份测量结果 CSV 文件对照</translation>
    </message>
    <message>
        <source>The published measurements are not installed; open a file of your own.</source>
        <translation>未安装已发表的测量数据；请打开自己的文件。</translation>
    </message>
    <message>
        <source>Measurements</source>
        <translation>测量数据</translation>
    </message>
    <message>
        <source>Data (*.csv)</source>
        <translation>数据 (*.csv)</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>What to trust</source>
        <translation>可信程度</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Double click or Return shows the rows of a group</source>
        <translation>双击或按回车显示该组的数据行</translation>
    </message>
    <message>
        <source>What went wrong</source>
        <translation>出了什么问题</translation>
    </message>
    <message>
        <source>median error</source>
        <translation>误差中位数</translation>
    </message>
    <message>
        <source>within the 10–90 % interval</source>
        <translation>落在 10–90 % 区间内</translation>
    </message>
    <message>
        <source>of %1 rows predicted</source>
        <translation>条已预测（共 %1 条）</translation>
    </message>
    <message>
        <source>error: %1</source>
        <translation>误差：%1</translation>
    </message>
</context>
<context>
    <name>headroom::app::AnswerHeader</name>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>What was assumed</source>
        <translation>所作假设</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>正在规划…</translation>
    </message>
    <message numerus="yes">
        <source>%n assumption(s)</source>
        <translation>
            <numerusform>%n 项假设</numerusform>
        </translation>
    </message>
    <message>
        <source>Apply: %1</source>
        <translation>采用：%1</translation>
    </message>
    <message>
        <source>remedy “%1”</source>
        <translation>调整“%1”</translation>
    </message>
    <message>
        <source>Shown is the last answer before this change.</source>
        <translation>此处显示的是这次修改之前的方案。</translation>
    </message>
    <message>
        <source>Figures that explain themselves</source>
        <translation>可点击查看来由的数字</translation>
    </message>
    <message>
        <source>What to keep in mind</source>
        <translation>注意事项</translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) to keep in mind</source>
        <translation>
            <numerusform>%n 条注意事项</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headroom::app::AskBar</name>
    <message>
        <source>Ask: how many A100s for Llama-70B at 20 TPS?    (Ctrl+K)</source>
        <translation>提问：20 TPS 的 Llama-70B 需要几张 A100？    (Ctrl+K)</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>What is to be served, on what, how fast; Return plans it</source>
        <translation>要服务什么模型、用什么机器、多快；按回车即规划</translation>
    </message>
    <message>
        <source>%1 was read as %2</source>
        <translation>“%1”理解为 %2</translation>
    </message>
    <message>
        <source>question “%1”</source>
        <translation>问题“%1”</translation>
    </message>
    <message>
        <source>assumed: %1</source>
        <translation>假设：%1</translation>
    </message>
    <message>
        <source>not used: %1</source>
        <translation>未使用：%1</translation>
    </message>
    <message>
        <source>‘%1’</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>Questions to begin with</source>
        <translation>可以从这些问题开始</translation>
    </message>
    <message>
        <source>Shows its field</source>
        <translation>转到对应的输入项</translation>
    </message>
    <message>
        <source>The question has a scenario of its own; %1 stays as it is.</source>
        <translation>该问题已放入新的场景；%1 保持不变。</translation>
    </message>
</context>
<context>
    <name>headroom::app::CalibrateView</name>
    <message>
        <source>Layers that no fit has seen</source>
        <translation>未参与拟合的层</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Predicted over measured</source>
        <translation>预测值与实测值之比</translation>
    </message>
    <message>
        <source>Held-out layers</source>
        <translation>留出的层</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>相等</translation>
    </message>
    <message>
        <source>No whole layer was measured</source>
        <translation>没有测量完整的层</translation>
    </message>
    <message>
        <source>Quick (20 s)</source>
        <translation>快速（20 秒）</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Use in this plan</source>
        <translation>用于当前规划</translation>
    </message>
    <message>
        <source>Device to measure</source>
        <translation>要测量的设备</translation>
    </message>
    <message>
        <source>Shapes to measure</source>
        <translation>要测量的形状</translation>
    </message>
    <message>
        <source>Progress of the calibration</source>
        <translation>校准进度</translation>
    </message>
    <message>
        <source>Real transformer layers run on the device; every prediction for it is then measured here, with an error that was tested.</source>
        <translation>在设备上运行真实的 Transformer 层；此后对它的每个预测都有本机实测依据，误差经过检验。</translation>
    </message>
    <message>
        <source>Achieved share of the peak</source>
        <translation>达到峰值的比例</translation>
    </message>
    <message>
        <source>Arithmetic intensity</source>
        <translation>算术强度</translation>
    </message>
    <message>
        <source>FLOP/B</source>
        <translation>FLOP/B</translation>
    </message>
    <message>
        <source>Of what the device can</source>
        <translation>占设备能力</translation>
    </message>
    <message>
        <source>Points appear here while they are measured</source>
        <translation>测量点会实时出现在这里</translation>
    </message>
    <message>
        <source>Judged when the measuring is over</source>
        <translation>测量结束后评判</translation>
    </message>
    <message>
        <source>Stop and keep</source>
        <translation>停止并保留</translation>
    </message>
    <message>
        <source>Shapes of every model</source>
        <translation>通用形状</translation>
    </message>
    <message>
        <source>Shapes of this model</source>
        <translation>当前模型的形状</translation>
    </message>
    <message>
        <source>Save the calibration as</source>
        <translation>校准另存为</translation>
    </message>
    <message>
        <source>Calibration (*.yaml)</source>
        <translation>校准 (*.yaml)</translation>
    </message>
    <message>
        <source>%1 of %2 points</source>
        <translation>%1 / %2 个点</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>Gate failed: %1</source>
        <translation>未通过检验：%1</translation>
    </message>
    <message>
        <source>use of a calibration</source>
        <translation>使用校准</translation>
    </message>
    <message>
        <source>trusted</source>
        <translation>可信</translation>
    </message>
    <message>
        <source>all gates passed</source>
        <translation>检验全部通过</translation>
    </message>
    <message>
        <source>not trusted</source>
        <translation>不可信</translation>
    </message>
    <message numerus="yes">
        <source>%n gate(s) failed</source>
        <translation>
            <numerusform>%n 项检验未通过</numerusform>
        </translation>
    </message>
    <message>
        <source>of %1 points measured</source>
        <translation>个点已测（共 %1 个）</translation>
    </message>
    <message>
        <source>layers held out</source>
        <translation>留作检验的层</translation>
    </message>
    <message>
        <source>their median error</source>
        <translation>其误差中位数</translation>
    </message>
    <message>
        <source>worst of them</source>
        <translation>其中最差</translation>
    </message>
    <message>
        <source>Figures of the calibration</source>
        <translation>校准数字</translation>
    </message>
    <message>
        <source>what only moves data stands on the left edge</source>
        <translation>只搬运数据的算子在最左侧</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>已写入 %1</translation>
    </message>
</context>
<context>
    <name>headroom::app::Chart</name>
    <message>
        <source>there is no such kind of picture</source>
        <translation>没有这种图片格式</translation>
    </message>
    <message>
        <source>Chart actions</source>
        <translation>图表操作</translation>
    </message>
    <message>
        <source>Copy, save, show as a table</source>
        <translation>复制、保存、以表格显示</translation>
    </message>
    <message>
        <source>Chart data</source>
        <translation>图表数据</translation>
    </message>
    <message numerus="yes">
        <source>Chart of %1 over %2: %3; %n point(s)</source>
        <translation>
            <numerusform>%1 随 %2 变化的图表：%3；%n 个点</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Show as table</source>
        <translation>以表格显示</translation>
    </message>
    <message>
        <source>Whole picture</source>
        <translation>显示全图</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Save chart</source>
        <translation>保存图表</translation>
    </message>
    <message>
        <source>Picture (*.png);;Vector picture (*.svg);;PDF (*.pdf);;Data (*.csv)</source>
        <translation>图片 (*.png);;矢量图 (*.svg);;PDF (*.pdf);;数据 (*.csv)</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>图表</translation>
    </message>
</context>
<context>
    <name>headroom::app::ChoiceCards</name>
    <message>
        <source>⚠ estimated</source>
        <translation>⚠ 估算</translation>
    </message>
    <message>
        <source>Services to choose from</source>
        <translation>可选方案</translation>
    </message>
    <message>
        <source>Recommended: %1</source>
        <translation>推荐：%1</translation>
    </message>
    <message>
        <source>Takes this one: the plan and its report are of it</source>
        <translation>采用此方案：规划与报告均以其为准</translation>
    </message>
</context>
<context>
    <name>headroom::app::CompareView</name>
    <message>
        <source>GPUs to compare with</source>
        <translation>用于比较的 GPU</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Compare with other GPUs</source>
        <translation>与其他 GPU 比较</translation>
    </message>
    <message numerus="yes">
        <source>Compared with %n GPU(s)</source>
        <translation>
            <numerusform>与 %n 种 GPU 比较</numerusform>
        </translation>
    </message>
    <message>
        <source>Planning other machines…</source>
        <translation>正在规划其他机器…</translation>
    </message>
</context>
<context>
    <name>headroom::app::ComparisonModel</name>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
</context>
<context>
    <name>headroom::app::Document</name>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>could not be written: %1</source>
        <translation>无法写入：%1</translation>
    </message>
    <message>
        <source>change of the file</source>
        <translation>文件被更改</translation>
    </message>
</context>
<context>
    <name>headroom::app::ExplainPanel</name>
    <message>
        <source>To understand it</source>
        <translation>帮助理解</translation>
    </message>
    <message>
        <source>Figure to explain</source>
        <translation>要解释的指标</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>解释</translation>
    </message>
    <message>
        <source>What was assumed</source>
        <translation>所作假设</translation>
    </message>
    <message>
        <source>To keep in mind</source>
        <translation>请注意</translation>
    </message>
    <message>
        <source>explained by itself</source>
        <translation>另有说明</translation>
    </message>
    <message>
        <source>What was clicked</source>
        <translation>所点击的数字</translation>
    </message>
    <message>
        <source>Usual values</source>
        <translation>常用值</translation>
    </message>
</context>
<context>
    <name>headroom::app::Gauge</name>
    <message>
        <source>Click for the formula and its sources</source>
        <translation>点击查看公式与数据来源</translation>
    </message>
</context>
<context>
    <name>headroom::app::LayoutPicture</name>
    <message>
        <source>tensor parallel %1</source>
        <translation>张量并行 %1</translation>
    </message>
    <message>
        <source>tensor parallel %1 over %2</source>
        <translation>张量并行 %1，经 %2</translation>
    </message>
    <message>
        <source>%1 pipeline stages</source>
        <translation>%1 个流水线阶段</translation>
    </message>
    <message>
        <source>%1 attention ranks</source>
        <translation>%1 个注意力并行组</translation>
    </message>
    <message>
        <source>experts over %1</source>
        <translation>专家分布于 %1 张</translation>
    </message>
    <message>
        <source>%1 replicas</source>
        <translation>%1 个副本</translation>
    </message>
    <message>
        <source>%1 between nodes</source>
        <translation>节点间 %1</translation>
    </message>
    <message>
        <source>one GPU holds everything</source>
        <translation>一张 GPU 装下全部</translation>
    </message>
    <message>
        <source>%1 of %2 replicas drawn</source>
        <translation>画出 %2 个副本中的 %1 个</translation>
    </message>
    <message>
        <source>Picture of the layout</source>
        <translation>并行方案图</translation>
    </message>
    <message>
        <source>prompts on %1 GPUs, decoding on %2</source>
        <translation>预填充 %1 张 GPU，解码 %2 张</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>装不下</translation>
    </message>
</context>
<context>
    <name>headroom::app::LayoutsView</name>
    <message>
        <source>Layouts</source>
        <translation>并行方案</translation>
    </message>
    <message>
        <source>Only what meets the targets</source>
        <translation>仅显示满足目标的</translation>
    </message>
    <message>
        <source>A click explains a figure; double click or Return takes the layout</source>
        <translation>单击查看数字来由；双击或按回车采用该并行方案</translation>
    </message>
    <message>
        <source>All layouts</source>
        <translation>全部并行方案</translation>
    </message>
    <message>
        <source>Also other layouts of the same GPUs, and purchases that another beats in everything</source>
        <translation>同时列出相同 GPU 的其他并行方案，以及各方面都不如别人的采购方案</translation>
    </message>
</context>
<context>
    <name>headroom::app::LengthSketch</name>
    <message>
        <source>Shape of the lengths</source>
        <translation>长度分布形状</translation>
    </message>
    <message>
        <source>98 % of them between %1 and %2 tokens</source>
        <translation>其中 98 % 在 %1 到 %2 个 token 之间</translation>
    </message>
</context>
<context>
    <name>headroom::app::MainWindow</name>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Layouts</source>
        <translation>并行方案</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>屋顶线</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批量</translation>
    </message>
    <message>
        <source>Trade-off</source>
        <translation>权衡</translation>
    </message>
    <message>
        <source>Serving</source>
        <translation>流量仿真</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Sensitivity</source>
        <translation>敏感性</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确度</translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>解释</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo %1</source>
        <translation>撤销 %1(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo %1</source>
        <translation>重做 %1(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Ask</source>
        <translation>提问(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>新建(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Export report…</source>
        <translation>导出报告(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Appearance</source>
        <translation>外观(&amp;A)</translation>
    </message>
    <message>
        <source>Like the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Scenarios, calibrations and models (*.yaml *.yml *.json *.gguf *.safetensors);;All files (*)</source>
        <translation>场景、校准与模型 (*.yaml *.yml *.json *.gguf *.safetensors);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Export report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>Report (*.pdf)</source>
        <translation>报告 (*.pdf)</translation>
    </message>
    <message>
        <source>The report was written to %1</source>
        <translation>报告已写入 %1</translation>
    </message>
    <message>
        <source>Save scenario</source>
        <translation>保存场景</translation>
    </message>
    <message>
        <source>Scenario (*.yaml)</source>
        <translation>场景 (*.yaml)</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的修改</translation>
    </message>
    <message>
        <source>Save the changes of “%1”?</source>
        <translation>保存对“%1”的修改？</translation>
    </message>
    <message>
        <source>Calibrate</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>&amp;Next view</source>
        <translation>下一视图(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous view</source>
        <translation>上一视图(&amp;P)</translation>
    </message>
    <message>
        <source>Next &amp;scenario</source>
        <translation>下一场景(&amp;S)</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>正在规划…</translation>
    </message>
    <message numerus="yes">
        <source>%n layout(s) compared</source>
        <translation>
            <numerusform>比较了 %n 种并行方案</numerusform>
        </translation>
    </message>
    <message>
        <source>planned in %1</source>
        <translation>规划用时 %1</translation>
    </message>
    <message>
        <source>closed form; the traffic is replayed when the hand rests</source>
        <translation>闭式估算；停手后开始流量仿真</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>随时间变化</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;About Headroom</source>
        <translation>关于 Headroom(&amp;A)</translation>
    </message>
    <message>
        <source>About Headroom</source>
        <translation>关于 Headroom</translation>
    </message>
    <message>
        <source>Which GPUs, how many, arranged how, serve an LLM at a given speed, what that costs, and how sure it is.</source>
        <translation>用哪种 GPU、多少张、怎样并行，才能以给定速度服务一个大模型，要花多少钱，把握有多大。</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3.</source>
        <translation>自由软件，遵循 GNU 通用公共许可证第 3 版。</translation>
    </message>
    <message>
        <source>&amp;Copy the answer</source>
        <translation>复制答案(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Currency</source>
        <translation>货币(&amp;C)</translation>
    </message>
    <message>
        <source>US dollars</source>
        <translation>美元</translation>
    </message>
    <message>
        <source>Yuan at the published rate (%1 to a dollar, average of %2)</source>
        <translation>人民币，按公布汇率（1 美元合 %1 元，%2 均值）</translation>
    </message>
    <message>
        <source>Yuan at %1 to a dollar…</source>
        <translation>人民币，1 美元合 %1 元…</translation>
    </message>
    <message>
        <source>Yuan at a rate of your own…</source>
        <translation>人民币，自定汇率…</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>汇率</translation>
    </message>
    <message>
        <source>Yuan to a US dollar</source>
        <translation>1 美元合人民币（元）</translation>
    </message>
    <message>
        <source>Saved by another program</source>
        <translation>已被其他程序保存</translation>
    </message>
    <message>
        <source>%1 was saved by another program since it was opened. Overwrite what it saved?</source>
        <translation>%1 打开之后已被其他程序保存。是否覆盖其保存的内容？</translation>
    </message>
    <message>
        <source>Using the &amp;window</source>
        <translation>使用窗口(&amp;W)</translation>
    </message>
    <message>
        <source>How &amp;accurate it is</source>
        <translation>准确程度(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Measuring a machine</source>
        <translation>测量机器(&amp;M)</translation>
    </message>
    <message>
        <source>Measuring a running &amp;server</source>
        <translation>测量运行中的服务(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Files it reads and writes</source>
        <translation>读写的文件(&amp;F)</translation>
    </message>
    <message>
        <source>Report as PDF (*.pdf);;Report as one HTML page (*.html);;Report as Markdown (*.md)</source>
        <translation>PDF 报告 (*.pdf);;单个 HTML 页面报告 (*.html);;Markdown 报告 (*.md)</translation>
    </message>
    <message>
        <source>New from an e&amp;xample</source>
        <translation>从示例新建(&amp;X)</translation>
    </message>
</context>
<context>
    <name>headroom::app::MemoryBars</name>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>运行时</translation>
    </message>
    <message>
        <source>Memory of one GPU</source>
        <translation>单张 GPU 显存</translation>
    </message>
    <message>
        <source>capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>usable</source>
        <translation>可用</translation>
    </message>
</context>
<context>
    <name>headroom::app::ModelsView</name>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Those that do not run as well</source>
        <translation>也列出不能运行的</translation>
    </message>
    <message>
        <source>on %1, with this load and these targets</source>
        <translation>在 %1 上，按此负载和目标</translation>
    </message>
    <message>
        <source>Double click or Return takes the model</source>
        <translation>双击或按回车选用该模型</translation>
    </message>
    <message>
        <source>choice of a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Also those that do not run</source>
        <translation>也显示无法运行的</translation>
    </message>
</context>
<context>
    <name>headroom::app::NoticeBar</name>
    <message>
        <source>Notice</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Close notice</source>
        <translation>关闭通知</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open the file that was written</source>
        <translation>打开已写入的文件</translation>
    </message>
</context>
<context>
    <name>headroom::app::OverTimeView</name>
    <message>
        <source>Figures of the day</source>
        <translation>一天的数字</translation>
    </message>
    <message>
        <source>What could be said</source>
        <translation>可以补充的条件</translation>
    </message>
    <message>
        <source>Try growth of %1 a year</source>
        <translation>试试每年增长 %1</translation>
    </message>
    <message>
        <source>Try a day that peaks at three times the mean at 2 pm</source>
        <translation>试试下午 2 点达到均值三倍的一天</translation>
    </message>
    <message>
        <source>Try a load of %1</source>
        <translation>试试负载 %1</translation>
    </message>
    <message>
        <source>the users that were stated</source>
        <translation>给定的用户数</translation>
    </message>
    <message>
        <source>An example, not your scenario: %1 and growth of %2 a year.</source>
        <translation>示例，并非您的场景：%1，每年增长 %2。</translation>
    </message>
</context>
<context>
    <name>headroom::app::Picker</name>
    <message>
        <source>Type to search</source>
        <translation>输入以搜索</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
</context>
<context>
    <name>headroom::app::Recovery</name>
    <message>
        <source>The recovery copy could not be written: %1</source>
        <translation>无法写入恢复副本：%1</translation>
    </message>
</context>
<context>
    <name>headroom::app::Report</name>
    <message>
        <source>Capacity report</source>
        <translation>容量报告</translation>
    </message>
    <message>
        <source>What would help</source>
        <translation>可行的调整</translation>
    </message>
    <message>
        <source>Requirements</source>
        <translation>需求</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Said or chosen</source>
        <translation>指定或自动</translation>
    </message>
    <message>
        <source>said</source>
        <translation>指定</translation>
    </message>
    <message>
        <source>said: %1</source>
        <translation>指定：%1</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>已选</translation>
    </message>
    <message>
        <source>Recommended configuration</source>
        <translation>推荐配置</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Choice</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>Box</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Arrangement</source>
        <translation>部署方式</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Efficiencies</source>
        <translation>效率数据</translation>
    </message>
    <message>
        <source>Memory of one GPU</source>
        <translation>单张 GPU 显存</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Share of the card</source>
        <translation>占显存</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>运行时</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>已用</translation>
    </message>
    <message>
        <source>The engine may fill</source>
        <translation>引擎可用</translation>
    </message>
    <message>
        <source>Capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>One replica holds %1 tokens of cache, %2 sequences of full length.</source>
        <translation>单个副本可容纳 %1 个 token 的缓存、%2 个完整长度的序列。</translation>
    </message>
    <message>
        <source>Speed and cost</source>
        <translation>速度与费用</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>10th to 90th percentile</source>
        <translation>第 10 至 90 百分位</translation>
    </message>
    <message>
        <source>Time to the first token</source>
        <translation>首 token 延迟</translation>
    </message>
    <message>
        <source>Time between tokens</source>
        <translation>token 间隔</translation>
    </message>
    <message>
        <source>Speed for each user</source>
        <translation>每用户速度</translation>
    </message>
    <message>
        <source>Whole answer</source>
        <translation>完整回答</translation>
    </message>
    <message>
        <source>Output of the service</source>
        <translation>服务输出</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功率</translation>
    </message>
    <message>
        <source>Cost of an hour</source>
        <translation>每小时费用</translation>
    </message>
    <message>
        <source>Cost of a million output tokens</source>
        <translation>每百万输出 token 费用</translation>
    </message>
    <message>
        <source>Alternatives</source>
        <translation>备选方案</translation>
    </message>
    <message>
        <source>How it behaves</source>
        <translation>运行表现</translation>
    </message>
    <message>
        <source>Under load</source>
        <translation>负载之下</translation>
    </message>
    <message>
        <source>Growth and spares</source>
        <translation>增长与备用</translation>
    </message>
    <message>
        <source>No growth was stated.</source>
        <translation>未说明增长。</translation>
    </message>
    <message>
        <source>Year</source>
        <translation>年</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>none meets the targets</source>
        <translation>没有方案满足目标</translation>
    </message>
    <message>
        <source>Sensitivity</source>
        <translation>敏感性</translation>
    </message>
    <message>
        <source>No input changes the answer within the range that was looked at.</source>
        <translation>在考察范围内，没有哪项输入会改变方案。</translation>
    </message>
    <message>
        <source>Assumptions</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>To keep in mind</source>
        <translation>请注意</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确度</translation>
    </message>
    <message>
        <source>Every range runs from the 10th to the 90th percentile: one figure in ten is expected below it and one above. The widest source in a sum is the one shown. The times of this answer come from: %1.</source>
        <translation>所有区间均为第 10 至第 90 百分位：预计十分之一的实际值低于区间，十分之一高于区间。求和时显示最宽的来源。本答案的时间依据：%1。</translation>
    </message>
    <message>
        <source>Figures and their sources</source>
        <translation>数字及其来源</translation>
    </message>
    <message>
        <source>Efficiencies %1</source>
        <translation>效率数据 %1</translation>
    </message>
    <message>
        <source>To make it again</source>
        <translation>如何复现</translation>
    </message>
    <message>
        <source>Headroom %1. The scenario is attached to this file as scenario.yaml and printed here.</source>
        <translation>Headroom %1。场景以 scenario.yaml 附于本文件，并在此列出。</translation>
    </message>
    <message>
        <source>How to start it</source>
        <translation>如何启动</translation>
    </message>
    <message>
        <source>Assumed: %1</source>
        <translation>假设：%1</translation>
    </message>
    <message>
        <source>Usual values: %1</source>
        <translation>常用取值：%1</translation>
    </message>
    <message>
        <source>The times of this plan at its load come first; those of one request alone, which they are made from, are named so.</source>
        <translation>先列出此方案在其负载下的各项时间；其依据的单个请求的时间另行注明。</translation>
    </message>
    <message>
        <source>Asked: %1</source>
        <translation>需求：%1</translation>
    </message>
    <message>
        <source>An hour</source>
        <translation>每小时</translation>
    </message>
    <message>
        <source>A month</source>
        <translation>每月</translation>
    </message>
    <message>
        <source>A year</source>
        <translation>每年</translation>
    </message>
    <message>
        <source>The configuration that comes nearest</source>
        <translation>最接近的配置</translation>
    </message>
    <message>
        <source>Over a day</source>
        <translation>一天之内</translation>
    </message>
    <message>
        <source>%1 of the capacity is kept free</source>
        <translation>保留 %1 的容量</translation>
    </message>
    <message>
        <source>the busy hour is %1 times the stated load</source>
        <translation>忙时为所述负载的 %1 倍</translation>
    </message>
    <message numerus="yes">
        <source>%n replica(s) may fail</source>
        <translation>
            <numerusform>允许 %n 个副本故障</numerusform>
        </translation>
    </message>
    <message>
        <source>no spare replicas</source>
        <translation>无备用副本</translation>
    </message>
    <message>
        <source>today</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Speed and cost, if it fitted</source>
        <translation>速度与费用（若能装下）</translation>
    </message>
    <message>
        <source>Rented, these GPUs cost %1; owned %2 over %3 years with electricity, bought for %4, servers included where their price is known.</source>
        <translation>租用这些 GPU 为 %1；自购为 %2（按 %3 年摊销，含电费），购价共 %4，已知价格的服务器计入在内。</translation>
    </message>
    <message>
        <source>Owning pays after %1 months around the clock.</source>
        <translation>全天使用时 %1 个月回本。</translation>
    </message>
    <message>
        <source>Renting costs less.</source>
        <translation>租用更便宜。</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>To be safe</source>
        <translation>稳妥起见</translation>
    </message>
    <message>
        <source>The choice</source>
        <translation>采购选项</translation>
    </message>
    <message>
        <source>A million output tokens cost %1 at this load.</source>
        <translation>此负载下每百万输出 token 的费用为 %1。</translation>
    </message>
    <message>
        <source>Sure</source>
        <translation>把握</translation>
    </message>
    <message numerus="yes">
        <source>%n more under “Assumptions”</source>
        <translation>
            <numerusform>另有 %n 项，见“假设”</numerusform>
        </translation>
    </message>
    <message>
        <source>What it rests on</source>
        <translation>前提</translation>
    </message>
    <message>
        <source>Speed (tok/s)</source>
        <translation>速度 (tok/s)</translation>
    </message>
    <message>
        <source>Accuracy from: %1</source>
        <translation>准确度依据：%1</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message numerus="yes">
        <source>%n candidate(s) were found; the best layout of each purchase is shown that none beats in everything, the first in bold.</source>
        <translation>
            <numerusform>共找到 %n 个候选；每种采购列出最好的并行方案，各方面都不如别人的略去，首选为粗体。</numerusform>
        </translation>
    </message>
    <message>
        <source>Ranges run from the 10th to the 90th percentile.</source>
        <translation>区间为第 10 至第 90 百分位。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Where it is from</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Power and network</source>
        <translation>供电与网络</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>机器数</translation>
    </message>
    <message>
        <source>Power of all of them</source>
        <translation>总功率</translation>
    </message>
    <message>
        <source>Between the GPUs of a machine</source>
        <translation>机器内 GPU 之间</translation>
    </message>
    <message>
        <source>Between machines</source>
        <translation>机器之间</translation>
    </message>
    <message>
        <source>what a web service needs: replicas speak to nobody</source>
        <translation>普通网络服务的需求：副本之间互不通信</translation>
    </message>
    <message>
        <source>What to measure first</source>
        <translation>首先要测量什么</translation>
    </message>
    <message>
        <source>One replica on one machine, before the rest is paid for: start it as below and run `headroom probe` against it. It tells measured times beside these.</source>
        <translation>在为其余部分付款之前，先在一台机器上测量一个副本：按下文启动，再对其运行 `headroom probe`，它会把实测时间与这些预测并列给出。</translation>
    </message>
    <message>
        <source>The speed moves most with %1: make sure of it.</source>
        <translation>对速度影响最大的是%1：请先确认它。</translation>
    </message>
    <message>
        <source>Lengths were not stated (%1): take them from what your users send.</source>
        <translation>未给出长度（%1）：请取自用户的实际请求。</translation>
    </message>
    <message>
        <source>The times were measured on this machine; the traffic is what remains to be watched.</source>
        <translation>时间已在本机实测；剩下需要关注的是流量。</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>术语</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>术语</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>Ways to spread a model over GPUs: each layer, groups of layers, experts, and the attention of different requests.</source>
        <translation>把模型分布到多块 GPU 的方式：按层内、按层组、按专家，以及按不同请求的注意力。</translation>
    </message>
    <message>
        <source>Replica</source>
        <translation>副本</translation>
    </message>
    <message>
        <source>A whole copy of the service, which answers alone.</source>
        <translation>服务的一份完整拷贝，可独立回答。</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批</translation>
    </message>
    <message>
        <source>Requests that one replica works on at once.</source>
        <translation>一个副本同时处理的请求。</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>token</translation>
    </message>
    <message>
        <source>A piece of a word: three quarters of an English one.</source>
        <translation>词的片段：约为四分之三个英文单词。</translation>
    </message>
    <message>
        <source>Time to the first token: how long a user sees nothing.</source>
        <translation>首 token 时间：用户看到内容之前的等待。</translation>
    </message>
    <message>
        <source>Time for each token after the first.</source>
        <translation>首 token 之后每个 token 的时间。</translation>
    </message>
    <message>
        <source>What a GPU remembers of the texts it works on.</source>
        <translation>GPU 对正在处理的文本所做的记忆。</translation>
    </message>
    <message>
        <source>Prefill, decode</source>
        <translation>预填充、解码</translation>
    </message>
    <message>
        <source>Reading a prompt, and writing an answer token by token.</source>
        <translation>读入提示，以及逐个 token 写出回答。</translation>
    </message>
    <message>
        <source>Power of a building over that of the machines in it.</source>
        <translation>整座机房的功率与其中机器功率之比。</translation>
    </message>
    <message>
        <source>Chance that the targets are kept, given how far such predictions were off where they were measured.</source>
        <translation>达成目标的概率，依据此类预测在有实测处的偏差。</translation>
    </message>
    <message>
        <source>Nothing can be recommended as it was asked.</source>
        <translation>按所提要求，没有可以推荐的方案。</translation>
    </message>
    <message>
        <source>%1 for %2, %3 over %4 years</source>
        <translation>%1，%2，%4 年共 %3</translation>
    </message>
    <message>
        <source>Recommended: %1. It runs the model; no target was set that it could miss.</source>
        <translation>推荐：%1。它能运行该模型；未设定任何目标。</translation>
    </message>
    <message>
        <source>Recommended: %1.</source>
        <translation>推荐：%1。</translation>
    </message>
    <message>
        <source>Of what meets the targets it is best by what was looked for: %1.</source>
        <translation>在满足目标的方案中，它在所求方面最优：%1。</translation>
    </message>
    <message>
        <source>That is %1; who must keep them takes %2.</source>
        <translation>其把握为%1；若必须达成目标，请选 %2。</translation>
    </message>
    <message>
        <source>Another accelerator</source>
        <translation>其他加速器</translation>
    </message>
    <message numerus="yes">
        <source>%n year(s)</source>
        <translation>
            <numerusform>%n 年</numerusform>
        </translation>
    </message>
    <message>
        <source>A user and month</source>
        <translation>每用户每月</translation>
    </message>
    <message>
        <source>Cost over three years</source>
        <translation>三年费用</translation>
    </message>
    <message>
        <source>around the clock, at today&apos;s prices</source>
        <translation>全天候运行，按当前价格</translation>
    </message>
    <message>
        <source>The targets are kept with a chance of %1.</source>
        <translation>达成目标的概率为 %1。</translation>
    </message>
    <message>
        <source>The times are estimated: nothing like it was measured. Measure before you buy.</source>
        <translation>时间为估算值：没有类似的实测数据。购买前请先测量。</translation>
    </message>
    <message>
        <source>The times rest on: %1.</source>
        <translation>时间的依据：%1。</translation>
    </message>
    <message>
        <source>Prices: %1</source>
        <translation>价格：%1</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s licence of the GeForce driver does not allow its use in data centres.</source>
        <translation>NVIDIA 的 GeForce 驱动许可不允许在数据中心使用。</translation>
    </message>
    <message>
        <source>Risks</source>
        <translation>风险</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Prices are list prices; an offer will differ.</source>
        <translation>价格为公开标价；实际报价会有差异。</translation>
    </message>
    <message>
        <source>Prices are list prices as of %1; an offer will differ.</source>
        <translation>价格为 %1 的公开标价；实际报价会有差异。</translation>
    </message>
    <message>
        <source>User, month</source>
        <translation>每用户每月</translation>
    </message>
    <message>
        <source>Why this one: %1.</source>
        <translation>理由：%1。</translation>
    </message>
    <message>
        <source>Recommended: %1</source>
        <translation>推荐：%1</translation>
    </message>
</context>
<context>
    <name>headroom::app::ScenarioField</name>
    <message>
        <source>Presets for %1</source>
        <translation>%1 的常用值</translation>
    </message>
    <message>
        <source>Usual values</source>
        <translation>常用值</translation>
    </message>
    <message>
        <source>%1, slider</source>
        <translation>%1，滑块</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>auto: %1</source>
        <translation>自动：%1</translation>
    </message>
</context>
<context>
    <name>headroom::app::ScenarioPanel</name>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Silent reading: 6.25 tok/s</source>
        <translation>默读：6.25 tok/s</translation>
    </message>
    <message>
        <source>Listening: 11.25 tok/s</source>
        <translation>听读：11.25 tok/s</translation>
    </message>
    <message>
        <source>Fast reading: 17.5 tok/s</source>
        <translation>快速阅读：17.5 tok/s</translation>
    </message>
    <message>
        <source>Satisfies everyone: 20 tok/s</source>
        <translation>人人满意：20 tok/s</translation>
    </message>
    <message>
        <source>No target</source>
        <translation>无目标</translation>
    </message>
    <message>
        <source>Chat: 1,024</source>
        <translation>对话：1,024</translation>
    </message>
    <message>
        <source>Recorded conversations: mean 1,155, p99 7,000</source>
        <translation>真实对话记录：均值 1,155，p99 7,000</translation>
    </message>
    <message>
        <source>Retrieval: 8,192</source>
        <translation>检索增强：8,192</translation>
    </message>
    <message>
        <source>Section %1</source>
        <translation>分组 %1</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>GPUs to consider</source>
        <translation>候选 GPU</translation>
    </message>
    <message>
        <source>change of %1</source>
        <translation>修改 %1</translation>
    </message>
    <message>
        <source>Any GPU of the catalogue</source>
        <translation>目录中的任意 GPU</translation>
    </message>
    <message>
        <source>What the model is</source>
        <translation>模型概况</translation>
    </message>
</context>
<context>
    <name>headroom::app::SensitivityView</name>
    <message>
        <source>Where the answer changes</source>
        <translation>方案的临界点</translation>
    </message>
    <message>
        <source>No input changes the answer within the range that was looked at.</source>
        <translation>在考察范围内，没有哪项输入会改变方案。</translation>
    </message>
</context>
<context>
    <name>headroom::app::ServingView</name>
    <message>
        <source>Progress of the simulation</source>
        <translation>仿真进度</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop the simulation</source>
        <translation>停止仿真</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Figures of the simulation</source>
        <translation>仿真数字</translation>
    </message>
    <message>
        <source>What was assumed</source>
        <translation>所作假设</translation>
    </message>
    <message>
        <source>The traffic is replayed when the hand rests.</source>
        <translation>停手后开始流量仿真。</translation>
    </message>
    <message>
        <source>This answer was not replayed</source>
        <translation>此方案未做流量仿真</translation>
    </message>
    <message>
        <source>There is nothing to replay: %1.</source>
        <translation>无可回放：%1。</translation>
    </message>
    <message>
        <source>What would help: %1</source>
        <translation>可行的办法：%1</translation>
    </message>
</context>
<context>
    <name>headroom::app::TablePanel</name>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter of %1</source>
        <translation>%1 的筛选</translation>
    </message>
    <message>
        <source>CSV…</source>
        <translation>CSV…</translation>
    </message>
    <message>
        <source>Save the table as CSV</source>
        <translation>将表格保存为 CSV</translation>
    </message>
    <message numerus="yes">
        <source>%n row(s)</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n row(s)</source>
        <translation>
            <numerusform>%n 行中的 %1 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Save table</source>
        <translation>保存表格</translation>
    </message>
    <message>
        <source>Data (*.csv)</source>
        <translation>数据 (*.csv)</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
</context>
<context>
    <name>headroom::app::View</name>
    <message>
        <source>choice of a layout</source>
        <translation>选择并行方案</translation>
    </message>
</context>
<context>
    <name>headroom::app::ViewDeck</name>
    <message>
        <source>Views</source>
        <translation>视图</translation>
    </message>
</context>
<context>
    <name>headroom::app::Workspace</name>
    <message>
        <source>use of a calibration</source>
        <translation>使用校准</translation>
    </message>
    <message>
        <source>%1 is used as calibration</source>
        <translation>%1 已用作校准</translation>
    </message>
    <message>
        <source>%1 could not be opened</source>
        <translation>无法打开 %1</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>import of %1</source>
        <translation>导入 %1</translation>
    </message>
    <message>
        <source>%1 was imported as %2</source>
        <translation>%1 已导入为 %2</translation>
    </message>
    <message>
        <source>The settings could not be read. They were put aside as %1 and begin anew.</source>
        <translation>设置无法读取，已另存为 %1，并重新开始。</translation>
    </message>
    <message numerus="yes">
        <source>%n document(s) with unsaved changes were recovered</source>
        <translation>
            <numerusform>已恢复 %n 个含未保存修改的文档</numerusform>
        </translation>
    </message>
    <message>
        <source>A recovery copy could not be read. It was put aside as %1.</source>
        <translation>有一个恢复副本无法读取，已另存为 %1。</translation>
    </message>
    <message>
        <source>%1 was saved by another program; what stands here is what it saved.</source>
        <translation>%1 已被其他程序保存；此处显示的是其保存的内容。</translation>
    </message>
    <message>
        <source>%1 was saved by another program, and is changed here: saving it here asks first.</source>
        <translation>%1 已被其他程序保存，而此处也有修改：在此保存前会先询问。</translation>
    </message>
    <message>
        <source>%1 was saved by another program since it was opened. It was not overwritten.</source>
        <translation>%1 打开之后已被其他程序保存，未予覆盖。</translation>
    </message>
</context>
<context>
    <name>quantities</name>
    <message>
        <source>%1/h</source>
        <translation>%1/小时</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>tok/s</translation>
    </message>
    <message>
        <source>req/s</source>
        <translation>请求/秒</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>measured here</source>
        <translation>本机实测</translation>
    </message>
    <message>
        <source>measured, published</source>
        <translation>已发表实测</translation>
    </message>
    <message>
        <source>same GPU family</source>
        <translation>同系列 GPU</translation>
    </message>
    <message>
        <source>prior estimate</source>
        <translation>先验估计</translation>
    </message>
    <message>
        <source>%1 sure</source>
        <translation>把握 %1</translation>
    </message>
</context>
</TS>
