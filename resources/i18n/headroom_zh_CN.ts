<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Model</name>
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
        <translation>启动</translation>
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
        <translation>启动与主机时间</translation>
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
        <source>the engine's limit of sequences</source>
        <translation>引擎的序列上限</translation>
    </message>
    <message>
        <source>time to first token</source>
        <translation>首字延迟</translation>
    </message>
    <message>
        <source>time between tokens</source>
        <translation>字间时间</translation>
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
        <translation>提示 token</translation>
    </message>
    <message>
        <source>output tokens</source>
        <translation>输出 token</translation>
    </message>
    <message>
        <source>what is known of the machine</source>
        <translation>对机器的了解</translation>
    </message>
    <message>
        <source>requests/s</source>
        <translation>请求/秒</translation>
    </message>
    <message>
        <source>another layout</source>
        <translation>另一种布局</translation>
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
        <translation>没有布局能运行它</translation>
    </message>
    <message>
        <source>one user at a time decides the size; the most it carries is shown beside it</source>
        <translation>按单用户确定规模；旁边给出最多可承载的用户数</translation>
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
        <source>memory: no layout holds the model; the nearest is %1: %2</source>
        <translation>显存：没有布局装得下该模型；最接近的是 %1：%2</translation>
    </message>
    <message>
        <source>memory: %1 GB on each GPU, %2 GB can be used</source>
        <translation>显存：每张 GPU 需 %1 GB，可用 %2 GB</translation>
    </message>
    <message>
        <source>a budget of $%1 an hour</source>
        <translation>每小时 $%1 的预算</translation>
    </message>
    <message>
        <source>$%1 an hour, the budget is $%2</source>
        <translation>每小时 $%1，预算为 $%2</translation>
    </message>
    <message>
        <source>answers of %1 tokens</source>
        <translation>回答 %1 个 token</translation>
    </message>
    <message>
        <source>prompts of %1 tokens</source>
        <translation>提示 %1 个 token</translation>
    </message>
    <message>
        <source>figures hold with %1 replica(s) out of service</source>
        <translation>数字在 %1 个副本停用时仍成立</translation>
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
        <source>weights in %1: %2 is published in %3, which %4 on %5 turns into it</source>
        <translation>权重为 %1：%2 以 %3 发布，%4 在 %5 上将其转换</translation>
    </message>
    <message>
        <source>needs %1 GPUs, %2 are given</source>
        <translation>需要 %1 张 GPU，给定 %2 张</translation>
    </message>
    <message>
        <source>no price is known for %1: give --price</source>
        <translation>%1 的价格未知：请填写价格</translation>
    </message>
    <message>
        <source>of %1's memory %2 GB are usable: estimated, no published reading</source>
        <translation>%1 的显存可用 %2 GB：估计值，无公开读数</translation>
    </message>
    <message>
        <source>one %1 costs $%2 an hour on demand</source>
        <translation>一张 %1 按需每小时 $%2</translation>
    </message>
    <message>
        <source>prompt and output together are %1 tokens, %2 was made for %3</source>
        <translation>提示与输出共 %1 个 token，%2 的设计上限为 %3</translation>
    </message>
    <message>
        <source>the layout needs %1 GPUs, there are %2</source>
        <translation>该布局需要 %1 张 GPU，现有 %2 张</translation>
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
        <source>%1 users on %2 replica(s): %3 sequences at once in each</source>
        <translation>%1 个用户分布于 %2 个副本：每个同时 %3 个序列</translation>
    </message>
    <message>
        <source>%1 requests a second keep %2 sequences at once in each replica (Little's law)</source>
        <translation>每秒 %1 个请求使每副本同时保持 %2 个序列（利特尔法则）</translation>
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
        <translation>%1 没有 %2 KV 缓存</translation>
    </message>
    <message>
        <source>%1 has no %2 arithmetic</source>
        <translation>%1 没有 %2 运算</translation>
    </message>
    <message>
        <source>%1 instead</source>
        <translation>改用 %1</translation>
    </message>
    <message>
        <source>%1 of %2 ms, %3 ms are asked</source>
        <translation>%1 为 %2 ms，要求 %3 ms</translation>
    </message>
    <message>
        <source>%1 of %2 s, %3 s are asked</source>
        <translation>%1 为 %2 s，要求 %3 s</translation>
    </message>
    <message>
        <source>%1 of %2 s</source>
        <translation>%1 为 %2 s</translation>
    </message>
    <message>
        <source>%1 runs at most %2 sequences at once, %3 are asked: the others wait</source>
        <translation>%1 至多同时运行 %2 个序列，要求 %3 个：其余排队</translation>
    </message>
    <message>
        <source>%1 stands in %2 (%3 a box)</source>
        <translation>%1 置于 %2（每台 %3 张）</translation>
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
        <translation>布局</translation>
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
        <source>TTFT</source>
        <translation>首字延迟</translation>
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
        <translation>受限于</translation>
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
        <translation>首字延迟</translation>
    </message>
    <message>
        <source>tpot</source>
        <translation>字间时间</translation>
    </message>
    <message>
        <source>tpot-under-load</source>
        <translation>负载下的字间时间</translation>
    </message>
    <message>
        <source>tps</source>
        <translation>每用户速度</translation>
    </message>
    <message>
        <source>throughput</source>
        <translation>吞吐最大</translation>
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
        <source>Time for each token after the first</source>
        <translation>首字之后每个 token 的时间</translation>
    </message>
    <message>
        <source>Time to the first token</source>
        <translation>首字延迟</translation>
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
        <translation>一个提示的运算量</translation>
    </message>
    <message>
        <source>Arithmetic of one decode step</source>
        <translation>一步解码的运算量</translation>
    </message>
    <message>
        <source>ttft_ms</source>
        <translation>首字延迟 (ms)</translation>
    </message>
    <message>
        <source>tpot_ms</source>
        <translation>字间时间 (ms)</translation>
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
        <source>Time of a whole request</source>
        <translation>完整请求的时间</translation>
    </message>
    <message>
        <source>Time to the first token, without a queue</source>
        <translation>首字延迟（无排队）</translation>
    </message>
    <message>
        <source>Tokens a second for one user</source>
        <translation>单用户每秒 token</translation>
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
        <translation>到达 %1 请求/秒，最多可服务 %2，受限于负载</translation>
    </message>
    <message>
        <source>%1 requests/s arrive, up to %2 can be served, limited by sequences at once</source>
        <translation>到达 %1 请求/秒，最多可服务 %2，受限于同时运行的序列数</translation>
    </message>
    <message>
        <source>%1 requests/s arrive, up to %2 can be served, limited by KV cache</source>
        <translation>到达 %1 请求/秒，最多可服务 %2，受限于 KV 缓存</translation>
    </message>
    <message>
        <source>%1 requests/s arrive, up to %2 can be served, limited by prompt tokens in each step</source>
        <translation>到达 %1 请求/秒，最多可服务 %2，受限于每步的提示 token</translation>
    </message>
    <message>
        <source>%1 requests/s arrive, up to %2 can be served, %3; its busiest minute brings %4 requests/s, more than that, and a queue</source>
        <translation>到达 %1 请求/秒，最多可服务 %2（%3）；最忙的一分钟达 %4 请求/秒，超过上限，会形成排队</translation>
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
        <translation>启动</translation>
    </message>
    <message>
        <source>engine's own time</source>
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
        <source>speed</source>
        <translation>单流最快</translation>
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
        <source>Serving engine; 'ideal' is the physical floor</source>
        <translation>服务引擎；ideal 为物理下限</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>流量</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
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
        <translation>提示中命中前缀缓存的比例</translation>
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
        <source>Tokens per second in every user's stream</source>
        <translation>每个用户每秒收到的 token</translation>
    </message>
    <message>
        <source>First token within</source>
        <translation>首字不超过</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>Time from asking to the first token</source>
        <translation>从提问到首字的时间</translation>
    </message>
    <message>
        <source>Each token within</source>
        <translation>每字不超过</translation>
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
        <translation>什么算最好的答案</translation>
    </message>
    <message>
        <source>GPU price</source>
        <translation>GPU 价格</translation>
    </message>
    <message>
        <source>$/h</source>
        <translation>$/小时</translation>
    </message>
    <message>
        <source>Rent of one GPU for an hour; empty: the catalogue's cloud price</source>
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
        <translation>购买价格</translation>
    </message>
    <message>
        <source>$ per GPU</source>
        <translation>$/GPU</translation>
    </message>
    <message>
        <source>Price of one GPU when it is bought</source>
        <translation>购买单张 GPU 的价格</translation>
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
        <source>$/kWh</source>
        <translation>$/千瓦时</translation>
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
        <translation>布局</translation>
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
        <source>Attention ranks</source>
        <translation>注意力并行组</translation>
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
        <source>Prefill compute saved by the model's design</source>
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
        <translation>模拟</translation>
    </message>
    <message>
        <source>Arrivals</source>
        <translation>到达过程</translation>
    </message>
    <message>
        <source>poisson, constant, gamma:cv=2, weibull:… or closed</source>
        <translation>poisson、constant、gamma:cv=2、weibull:… 或 closed</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>轨迹</translation>
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
        <translation>一次模拟的请求数</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Of random arrivals and lengths</source>
        <translation>随机到达与长度的种子</translation>
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
        <source>Nothing meets the targets: %1</source>
        <translation>没有方案满足目标：%1</translation>
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
        <source>Limited by %1 · %2</source>
        <translation>受限于%1 · %2</translation>
    </message>
    <message>
        <source>Carries up to %1 users at once, %2, with all targets met</source>
        <translation>在满足全部目标时最多同时承载 %1 个用户，%2</translation>
    </message>
    <message>
        <source>%1 in all · %2 of power</source>
        <translation>总计 %1 · 功率 %2</translation>
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
        <source>First token, empty queue</source>
        <translation>首字延迟（无排队）</translation>
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
        <translation>首字</translation>
    </message>
    <message>
        <source>Between tokens</source>
        <translation>字间</translation>
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
        <translation>首字延迟</translation>
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
        <translation>首字 p50</translation>
    </message>
    <message>
        <source>First token, p95</source>
        <translation>首字 p95</translation>
    </message>
    <message>
        <source>Between tokens, p95</source>
        <translation>字间 p95</translation>
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
        <source>%1 requests, %2 and %3 served, largest stable rate %4</source>
        <translation>%1 个请求，服务 %2、%3，最大稳定速率 %4</translation>
    </message>
    <message>
        <source>%1 of the requests kept the targets · mean batch %2 · busy %3 · %4 preemptions</source>
        <translation>%1 的请求达标 · 平均批量 %2 · 忙碌 %3 · %4 次抢占</translation>
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
        <translation>提示 %1、输出 %2 个 token</translation>
    </message>
    <message>
        <source>Memory over batch</source>
        <translation>显存随批量</translation>
    </message>
    <message>
        <source>Sequences in one replica</source>
        <translation>单副本序列数</translation>
    </message>
    <message>
        <source>Memory over context</source>
        <translation>显存随上下文</translation>
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
        <translation>最大批量随上下文</translation>
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
        <translation>速度随批量</translation>
    </message>
    <message>
        <source>Time between tokens</source>
        <translation>字间时间</translation>
    </message>
    <message>
        <source>Decoding only</source>
        <translation>仅解码</translation>
    </message>
    <message>
        <source>With prompts arriving</source>
        <translation>有新提示到达</translation>
    </message>
    <message>
        <source>Throughput over batch</source>
        <translation>吞吐随批量</translation>
    </message>
    <message>
        <source>Output of the whole service</source>
        <translation>整个服务输出</translation>
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
        <source>area: share of the step's time</source>
        <translation>面积：占该步时间的比例</translation>
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
        <translation>达到</translation>
    </message>
    <message>
        <source>Speed against throughput</source>
        <translation>速度与吞吐</translation>
    </message>
    <message>
        <source>a click takes the layout</source>
        <translation>点击采用该布局</translation>
    </message>
    <message>
        <source>Throughput of one GPU</source>
        <translation>单张 GPU 吞吐</translation>
    </message>
    <message>
        <source>Best layouts</source>
        <translation>最优布局</translation>
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
        <translation>无可比较：没有布局能在此运行该模型</translation>
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
        <source>%1: %2 to %3</source>
        <translation>%1：%2 到 %3</translation>
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
        <translation>现在</translation>
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
        <source>Year</source>
        <translation>年</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>year %1</source>
        <translation>第 %1 年</translation>
    </message>
    <message>
        <source>From %1 %2 on, %3 GPUs are needed</source>
        <translation>%2 达到 %1 起需要 %3 张 GPU</translation>
    </message>
    <message>
        <source>From %1 %2 on, nothing meets the targets</source>
        <translation>%2 达到 %1 起没有方案满足目标</translation>
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
        <source>%1 of %2 rows predicted: median error %3, within the 10–90 % interval %4</source>
        <translation>已预测 %2 行中的 %1 行：误差中位数 %3，落在 10–90 % 区间内 %4</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
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
        <translation>补救“%1”</translation>
    </message>
    <message>
        <source>Shown is the last answer before this change.</source>
        <translation>此处显示的是这次修改之前的答案。</translation>
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
        <source>%1 of %2 points, written to %3</source>
        <translation>%1 / %2 个点，已写入 %3</translation>
    </message>
    <message>
        <source>All gates passed: the calibration is trusted.</source>
        <translation>全部检验通过：该校准可信。</translation>
    </message>
    <message>
        <source>Gate failed: %1</source>
        <translation>未通过检验：%1</translation>
    </message>
    <message>
        <source>use of a calibration</source>
        <translation>使用校准</translation>
    </message>
</context>
<context>
    <name>headroom::app::Chart</name>
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
        <source>%1 could not be written</source>
        <translation>无法写入 %1</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>图表</translation>
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
        <translation>布局图</translation>
    </message>
</context>
<context>
    <name>headroom::app::LayoutsView</name>
    <message>
        <source>Layouts</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>Only what meets the targets</source>
        <translation>仅显示满足目标的</translation>
    </message>
    <message>
        <source>Double click or Return takes a layout</source>
        <translation>双击或按回车采用该布局</translation>
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
        <source>Layouts</source>
        <translation>布局</translation>
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
        <translation>服务</translation>
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
        <source>Views</source>
        <translation>视图</translation>
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
        <source>the engine may fill</source>
        <translation>引擎可用</translation>
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
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>What would help</source>
        <translation>可行的补救</translation>
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
        <translation>布置</translation>
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
        <source>Accuracy from</source>
        <translation>精度依据</translation>
    </message>
    <message>
        <source>Time to the first token</source>
        <translation>首字延迟</translation>
    </message>
    <message>
        <source>Time between tokens</source>
        <translation>字间时间</translation>
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
        <translation>行为特性</translation>
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
        <source>%1 of the capacity is kept free, the busy hour is %2 times the stated load, %3 replicas may fail.</source>
        <translation>保留 %1 的容量，忙时为所述负载的 %2 倍，允许 %3 个副本故障。</translation>
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
        <translation>在考察范围内没有输入会改变答案。</translation>
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
        <translation>如何重现</translation>
    </message>
    <message>
        <source>Headroom %1. The scenario is attached to this file as scenario.yaml and printed here.</source>
        <translation>Headroom %1。场景以 scenario.yaml 附于本文件，并列印如下。</translation>
    </message>
    <message>
        <source>How to start it</source>
        <translation>如何启动</translation>
    </message>
</context>
<context>
    <name>headroom::app::ScenarioField</name>
    <message>
        <source>choose for me</source>
        <translation>自动选择</translation>
    </message>
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
        <source>choose for me: %1</source>
        <translation>自动选择：%1</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
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
</context>
<context>
    <name>headroom::app::SensitivityView</name>
    <message>
        <source>Where the answer changes</source>
        <translation>答案在何处改变</translation>
    </message>
    <message>
        <source>No input changes the answer within the range that was looked at.</source>
        <translation>在考察范围内没有输入会改变答案。</translation>
    </message>
</context>
<context>
    <name>headroom::app::ServingView</name>
    <message>
        <source>Progress of the simulation</source>
        <translation>模拟进度</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop the simulation</source>
        <translation>停止模拟</translation>
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
        <source>The engine batches statically itself, or users take turns</source>
        <translation>引擎本身即静态批处理，或用户轮流提问</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
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
        <source>%1 could not be written</source>
        <translation>无法写入 %1</translation>
    </message>
</context>
<context>
    <name>headroom::app::TradeoffView</name>
    <message>
        <source>choice of a layout</source>
        <translation>选择布局</translation>
    </message>
</context>
<context>
    <name>headroom::app::View</name>
    <message>
        <source>choice of a layout</source>
        <translation>选择布局</translation>
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
        <source>%1 could not be written</source>
        <translation>无法写入 %1</translation>
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
