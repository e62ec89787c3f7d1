<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Model</name>
    <message>
        <source>en</source>
        <comment>the language of this translation: zh_CN, …</comment>
        <translation>zh_CN</translation>
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
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>as-routed</source>
        <translation>按路由结果</translation>
    </message>
    <message>
        <source>balanced</source>
        <translation>均衡</translation>
    </message>
    <message>
        <source>online</source>
        <translation>在线</translation>
    </message>
    <message>
        <source>offline</source>
        <translation>离线</translation>
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
        <source>Kept in 16 bits</source>
        <translation>保留 16 位</translation>
    </message>
    <message>
        <source>Layers that a narrow checkpoint leaves in 16 bits: attention, mlp, shared-experts</source>
        <translation>低精度检查点中保留 16 位的层：attention、mlp、shared-experts</translation>
    </message>
    <message>
        <source>Recurrent state</source>
        <translation>递归状态</translation>
    </message>
    <message>
        <source>How the state of recurrent layers is stored</source>
        <translation>递归层状态的存储类型</translation>
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
        <translation>个/秒</translation>
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
        <translation>达标比例</translation>
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
        <source>No graphs</source>
        <translation>不用图</translation>
    </message>
    <message>
        <source>Kernels are launched one by one, the engine captures no graphs</source>
        <translation>内核逐个启动，引擎不捕获图</translation>
    </message>
    <message>
        <source>Shrinking parts</source>
        <translation>递减分块</translation>
    </message>
    <message>
        <source>Parts of a long prompt grow shorter, so that each takes as long in a pipeline</source>
        <translation>长输入的分块逐渐变短，使每块在流水线中耗时相同</translation>
    </message>
    <message>
        <source>Overlapped batches</source>
        <translation>批次重叠</translation>
    </message>
    <message>
        <source>Two micro-batches: one exchanges experts&apos; tokens while the other computes</source>
        <translation>两个微批次：一个交换专家的 token，另一个同时计算</translation>
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
        <source>Layouts to weigh</source>
        <translation>待比较的布局</translation>
    </message>
    <message>
        <source>Which of them is better is told: tp8pp2,tp16</source>
        <translation>给出其中更好的一种：tp8pp2,tp16</translation>
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
        <source>Its version</source>
        <translation>引擎版本</translation>
    </message>
    <message>
        <source>Of the engine's build, or the month it is of: 0.11.0, 2025-10; empty: the newest that is known</source>
        <translation>引擎的版本或其月份：0.11.0、2025-10；留空则取已知的最新版本</translation>
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
        <source>Prompts wait</source>
        <translation>输入等待</translation>
    </message>
    <message>
        <source>For others, at most so many steps</source>
        <translation>等待其他输入，最多这么多步</translation>
    </message>
    <message>
        <source>Prompts enough</source>
        <translation>输入已够</translation>
    </message>
    <message>
        <source>Share of the largest step at which they wait no longer</source>
        <translation>达到最大步的这一比例后不再等待</translation>
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
        <source>The load as a benchmark client sends it: all users at once, or a rate with so many users in flight at most; lengths as stated, every request counted</source>
        <translation>像压测客户端那样施加负载：所有用户同时开始，或按速率到达且同时在途不超过用户数；长度如所述，每个请求都计入</translation>
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
        <source>For weights only</source>
        <translation>仅用于权重</translation>
    </message>
    <message>
        <source>Number types that a search may try for the weights</source>
        <translation>搜索时权重可尝试的数值类型</translation>
    </message>
    <message>
        <source>For the KV cache only</source>
        <translation>仅用于 KV 缓存</translation>
    </message>
    <message>
        <source>Number types that a search may try for the KV cache</source>
        <translation>搜索时 KV 缓存可尝试的数值类型</translation>
    </message>
    <message>
        <source>Rests on</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>What figures may rest on: estimates too, timings of the family, or of the very accelerator</source>
        <translation>数字可以依据什么：估算亦可、同系列实测、或本型号实测</translation>
    </message>
    <message>
        <source>The box they stand in; empty: the usual one of the accelerator</source>
        <translation>加速卡所在的机型；留空：该加速卡的常用机型</translation>
    </message>
    <message>
        <source>GPUs at most</source>
        <translation>GPU 上限</translation>
    </message>
    <message>
        <source>Most accelerators that the service may have</source>
        <translation>服务最多可用的加速卡数</translation>
    </message>
    <message>
        <source>GPUs in a box</source>
        <translation>每台卡数</translation>
    </message>
    <message>
        <source>Accelerators in each box; empty: as many as it holds</source>
        <translation>每台机器装的加速卡数；留空为装满</translation>
    </message>
    <message>
        <source>Boxes at most</source>
        <translation>机器台数上限</translation>
    </message>
    <message>
        <source>Most boxes that the service may have</source>
        <translation>服务最多可用的机器台数</translation>
    </message>
    <message>
        <source>Power at most</source>
        <translation>功率上限</translation>
    </message>
    <message>
        <source>Most that the machines may draw with everything busy</source>
        <translation>满载时机器最多可用的功率</translation>
    </message>
    <message>
        <source>kW</source>
        <translation>kW</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>At which a box reads weights; empty: its own</source>
        <translation>机器从存储读取权重的速率；留空：用其自带存储</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>That each of the users sends</source>
        <translation>每个用户发送的条数</translation>
    </message>
    <message>
        <source>per minute</source>
        <translation>每分钟</translation>
    </message>
    <message>
        <source>Tokens a month</source>
        <translation>每月 token</translation>
    </message>
    <message>
        <source>Of prompts and answers together, in the whole service: 2B</source>
        <translation>整个服务的输入与输出合计：2B</translation>
    </message>
    <message>
        <source>Tokens of a job</source>
        <translation>任务的 token 数</translation>
    </message>
    <message>
        <source>A job of so many tokens, prompts and answers together: 1B</source>
        <translation>一个任务的 token 总数（输入与输出合计）：1B</translation>
    </message>
    <message>
        <source>Requests of a job</source>
        <translation>任务的请求数</translation>
    </message>
    <message>
        <source>A job of so many requests: 5M</source>
        <translation>一个任务的请求数：5M</translation>
    </message>
    <message>
        <source>Done within</source>
        <translation>完成期限</translation>
    </message>
    <message>
        <source>By which a job must be done: 8h, 7d</source>
        <translation>任务须在此时间内完成：8h、7d</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>供应商</translation>
    </message>
    <message>
        <source>Whose prices: an offer of the accelerator; empty: the usual ones</source>
        <translation>采用谁的价格：该加速卡的某一报价；留空：常用价格</translation>
    </message>
    <message>
        <source>Kind of price</source>
        <translation>计价方式</translation>
    </message>
    <message>
        <source>On demand, reserved for a term, or taken back at any time</source>
        <translation>按需、包年包月，或可随时收回的竞价</translation>
    </message>
    <message>
        <source>Hours a day</source>
        <translation>每天小时数</translation>
    </message>
    <message>
        <source>That the machines run</source>
        <translation>机器运行的时间</translation>
    </message>
    <message>
        <source>h</source>
        <translation>小时</translation>
    </message>
    <message>
        <source>Days a week</source>
        <translation>每周天数</translation>
    </message>
    <message>
        <source>days</source>
        <translation>天</translation>
    </message>
    <message>
        <source>Costs over</source>
        <translation>成本年限</translation>
    </message>
    <message>
        <source>Years that costs are told over; empty: those of the purchase</source>
        <translation>计算成本的年数；留空：与购置折旧相同</translation>
    </message>
    <message>
        <source>Server price</source>
        <translation>服务器价格</translation>
    </message>
    <message>
        <source>One box without its accelerators, when it is bought</source>
        <translation>购买时一台不含加速卡的机器</translation>
    </message>
    <message>
        <source>US$ per box</source>
        <translation>美元/台</translation>
    </message>
    <message>
        <source>Room</source>
        <translation>机房</translation>
    </message>
    <message>
        <source>Room for a kilowatt and month, without its electricity</source>
        <translation>每千瓦每月的机房费用，不含电费</translation>
    </message>
    <message>
        <source>US$/kW a month</source>
        <translation>美元/kW·月</translation>
    </message>
    <message>
        <source>People and repairs</source>
        <translation>人员与维修</translation>
    </message>
    <message>
        <source>Of the purchase in a year: people, repairs, insurance</source>
        <translation>每年占购置价的比例：人员、维修、保险</translation>
    </message>
    <message>
        <source>Got back</source>
        <translation>残值</translation>
    </message>
    <message>
        <source>Of the purchase that is got back in the end</source>
        <translation>最后可收回的购置价比例</translation>
    </message>
    <message>
        <source>Interest</source>
        <translation>利息</translation>
    </message>
    <message>
        <source>In a year, of a loan that pays the purchase; none: it is paid at once</source>
        <translation>购置贷款的年利率；不填：一次付清</translation>
    </message>
    <message>
        <source>Price of an API</source>
        <translation>API 价格</translation>
    </message>
    <message>
        <source>Dollars for a million tokens, in and out, to weigh against: 0.5/1.5</source>
        <translation>用来对比的每百万 token 美元价（输入/输出）：0.5/1.5</translation>
    </message>
    <message>
        <source>on-demand</source>
        <translation>按需</translation>
    </message>
    <message>
        <source>reserved</source>
        <translation>包年包月</translation>
    </message>
    <message>
        <source>spot</source>
        <translation>竞价</translation>
    </message>
    <message>
        <source>any</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>family</source>
        <translation>同系列实测</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>本型号实测</translation>
    </message>
    <message>
        <source>Other loads</source>
        <translation>其他负载</translation>
    </message>
    <message>
        <source>Limits and evidence</source>
        <translation>上限与依据</translation>
    </message>
</context>
<context>
    <name>headroom::app</name>
    <message>
        <source>figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>maker</source>
        <translation>厂商</translation>
    </message>
    <message>
        <source>generation</source>
        <translation>代际</translation>
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
        <source>use of a calibration</source>
        <translation>使用校准</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 (%2 less)</source>
        <translation>%1（省 %2）</translation>
    </message>
    <message>
        <source>%1 (%2 fewer GPUs)</source>
        <translation>%1（GPU 少 %2）</translation>
    </message>
    <message>
        <source>%1 (%2 more work)</source>
        <translation>%1（吞吐多 %2）</translation>
    </message>
    <message>
        <source>%1 (%2 more users)</source>
        <translation>%1（用户多 %2）</translation>
    </message>
    <message>
        <source>%1 in place of %2</source>
        <translation>%1，代替 %2</translation>
    </message>
    <message>
        <source>answers may get worse: test them</source>
        <translation>回答质量可能下降，请先测试</translation>
    </message>
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
        <source>Carries %1 users at once to be safe in this layout, with all targets met; up to %2, %3</source>
        <translation>满足全部目标时，此方案较有把握支持 %1 个并发用户；最多 %2 个（%3）</translation>
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
        <translation>个/秒</translation>
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
        <source>Carries the %1 users asked for; %2 were all of them at their full length at once, %3</source>
        <translation>可承载所需的 %1 个并发用户；若所有请求同时达到全长则为 %2 个（%3）</translation>
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
        <source>the answer has batch %1, the best layouts take more; a click takes one</source>
        <translation>答案的批量为 %1，最优方案的批量更大；点击即采用其中之一</translation>
    </message>
    <message>
        <source>the answer takes fewer GPUs than the best layouts; a click takes one of them</source>
        <translation>答案所用 GPU 少于最优方案；点击即采用其中之一</translation>
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
    <message>
        <source>Chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Answers that are read while they are written: as fast as people read.</source>
        <translation>边写边读的回答：跟得上阅读速度即可。</translation>
    </message>
    <message>
        <source>cheapest GPUs for a Llama-70B chatbot with 50 users at 20 tokens/s</source>
        <translation>Llama-70B 聊天机器人，50 个用户，每人 20 token/s，最便宜的 GPU</translation>
    </message>
    <message>
        <source>Documents (RAG)</source>
        <translation>文档检索（RAG）</translation>
    </message>
    <message>
        <source>Long prompts, short answers: the first token is what people wait for.</source>
        <translation>输入长、回答短：大家等的是首 token。</translation>
    </message>
    <message>
        <source>Qwen2.5-72B on H200 for RAG, 2 requests per second, TTFT within 2 s</source>
        <translation>H200 上的 Qwen2.5-72B 做 RAG，每秒 2 个请求，首 token 2 秒内</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>编程</translation>
    </message>
    <message>
        <source>Long prompts that are mostly the same, and answers faster than anybody reads.</source>
        <translation>输入长且大多相同，回答要比人读得快。</translation>
    </message>
    <message>
        <source>gpt-oss-120b on H100 for 40 developers, 8k prompts, 400 token answers, 60 tokens/s</source>
        <translation>H100 上的 gpt-oss-120b，40 个用户，输入 8k，回答 400 token，每人 60 token/s</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Very long contexts that grow from call to call.</source>
        <translation>上下文很长，逐次调用不断增长。</translation>
    </message>
    <message>
        <source>DeepSeek R1 fp8 on H200, 32k prompts, 1k answers, 16 users, 25 tokens/s</source>
        <translation>DeepSeek R1 fp8 用 H200，输入 32k，回答 1k，16 个用户，每人 25 token/s</translation>
    </message>
    <message>
        <source>Batch jobs</source>
        <translation>批量任务</translation>
    </message>
    <message>
        <source>Nobody waits: the most tokens for the money.</source>
        <translation>没有人在等：同样的钱换最多的 token。</translation>
    </message>
    <message>
        <source>cheapest tokens with Llama-3.1-8B, 2k prompts, 300 token answers, 64 users</source>
        <translation>Llama-3.1-8B 每百万 token 最便宜，输入 2k，回答 300 token，64 个用户</translation>
    </message>
    <message>
        <source>Tensor parallel: GPUs that share every layer of a model.</source>
        <translation>张量并行：多张 GPU 分担模型的每一层。</translation>
    </message>
    <message>
        <source>Pipeline parallel: groups of layers on different GPUs.</source>
        <translation>流水线并行：不同的层组放在不同的 GPU 上。</translation>
    </message>
    <message>
        <source>Expert parallel: GPUs that a model&apos;s experts are spread over.</source>
        <translation>专家并行：模型的专家分布在多张 GPU 上。</translation>
    </message>
    <message>
        <source>Data parallel: the attention of different requests on different GPUs.</source>
        <translation>数据并行：不同请求的注意力在不同的 GPU 上计算。</translation>
    </message>
    <message>
        <source>Replica</source>
        <translation>副本</translation>
    </message>
    <message>
        <source>A whole copy of the service, which answers alone.</source>
        <translation>一整份服务，可独立回答。</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
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
        <translation>首 token 延迟：用户看不到任何内容的时间。</translation>
    </message>
    <message>
        <source>Time for each token after the first.</source>
        <translation>首 token 之后每个 token 的时间。</translation>
    </message>
    <message>
        <source>Tokens a second that each user gets.</source>
        <translation>每个用户每秒得到的 token 数。</translation>
    </message>
    <message>
        <source>KV</source>
        <translation>KV</translation>
    </message>
    <message>
        <source>KV cache: what a GPU remembers of the texts it works on.</source>
        <translation>KV 缓存：GPU 对正在处理的文本所记住的内容。</translation>
    </message>
    <message>
        <source>Reading a prompt, all of its tokens at once.</source>
        <translation>读入输入，一次处理其全部 token。</translation>
    </message>
    <message>
        <source>Writing an answer, one token for each running request at a time.</source>
        <translation>写出回答，每次为每个在运行的请求生成一个 token。</translation>
    </message>
    <message>
        <source>Mixture of experts: each token uses a few of a layer&apos;s parts.</source>
        <translation>混合专家：每个 token 只用一层中的少数部分。</translation>
    </message>
    <message>
        <source>Power of a building over that of the machines in it.</source>
        <translation>整栋机房的功率与其中机器功率之比。</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>屋顶线</translation>
    </message>
    <message>
        <source>The most a GPU can compute at so many operations for each byte it reads.</source>
        <translation>在每读一字节做若干次运算时，GPU 最多能达到的算力。</translation>
    </message>
    <message>
        <source>sure</source>
        <translation>把握</translation>
    </message>
    <message>
        <source>Chance that the targets are kept, given how far such predictions were off where they were measured.</source>
        <translation>达到目标的概率，依据此类预测在实测处的偏差得出。</translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s) more</source>
        <translation>
            <numerusform>多 %n 张 GPU</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s) fewer</source>
        <translation>
            <numerusform>少 %n 张 GPU</numerusform>
        </translation>
    </message>
    <message>
        <source>does not meet its targets</source>
        <translation>达不到目标</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>贵 %1</translation>
    </message>
    <message>
        <source>%1 less</source>
        <translation>便宜 %1</translation>
    </message>
    <message>
        <source>%1 faster</source>
        <translation>快 %1</translation>
    </message>
    <message>
        <source>%1 slower</source>
        <translation>慢 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n point(s) surer</source>
        <translation>
            <numerusform>把握高 %n 个百分点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n point(s) less sure</source>
        <translation>
            <numerusform>把握低 %n 个百分点</numerusform>
        </translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message numerus="yes">
        <source>%n user(s)</source>
        <translation>
            <numerusform>%n 个用户</numerusform>
        </translation>
    </message>
    <message>
        <source>Users at once</source>
        <translation>并发用户</translation>
    </message>
    <message>
        <source>Measured, median</source>
        <translation>实测，中位数</translation>
    </message>
    <message>
        <source>Measured, 90th percentile</source>
        <translation>实测，第 90 百分位</translation>
    </message>
    <message>
        <source>levels measured</source>
        <translation>个负载级别已测</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>users within the targets</source>
        <translation>个用户以内达标</translation>
    </message>
    <message>
        <source>measured over predicted, in the middle</source>
        <translation>实测与预测之比（中位）</translation>
    </message>
    <message>
        <source>at random</source>
        <translation>随机到达</translation>
    </message>
    <message>
        <source>evenly</source>
        <translation>均匀到达</translation>
    </message>
    <message>
        <source>in bursts, gaps that vary by %1 times their mean</source>
        <translation>突发到达（间隔变异系数 %1）</translation>
    </message>
    <message>
        <source>all at once</source>
        <translation>同时到达</translation>
    </message>
    <message>
        <source>each user again %1 after an answer</source>
        <translation>每个用户收到回答 %1 后再提问</translation>
    </message>
    <message>
        <source>each user again after an answer</source>
        <translation>每个用户收到回答后再提问</translation>
    </message>
    <message>
        <source>%1, at %2 %3 times the mean of the day</source>
        <translation>%1，%2 达到全天均值的 %3 倍</translation>
    </message>
    <message>
        <source>a job of %1 requests within %2</source>
        <translation>%2 内完成 %1 个请求的作业</translation>
    </message>
    <message>
        <source>a job of %1 requests</source>
        <translation>%1 个请求的作业</translation>
    </message>
    <message>
        <source>The job takes %1 of the %2 it may</source>
        <translation>作业耗时 %1，期限 %2</translation>
    </message>
    <message>
        <source>The job takes %1</source>
        <translation>作业耗时 %1</translation>
    </message>
    <message>
        <source>Does the job at %1 for %2</source>
        <translation>按 %1 完成作业，共 %2</translation>
    </message>
    <message>
        <source>Does the job at %1</source>
        <translation>按 %1 完成作业</translation>
    </message>
    <message>
        <source>the answer has GPUs of their own for prompts, the best layouts have none; a click takes one</source>
        <translation>本方案由专门的 GPU 做预填充，最优方案则不分开；点击可采用其一</translation>
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
        <source>hint “%1”</source>
        <translation>建议“%1”</translation>
    </message>
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
        <source>%1. %2, the largest of the last year, is planned here; Return in the list takes another.</source>
        <translation>%1。此处按其中近一年内最大的 %2 规划；在列表中按回车可改用其他模型。</translation>
    </message>
    <message>
        <source>The question has a scenario of its own; %1 stays as it is.</source>
        <translation>该问题已放入新的场景；%1 保持不变。</translation>
    </message>
    <message>
        <source>Ask: how many A100s for Llama-70B at 20 TPS?    (Ctrl+L)</source>
        <translation>提问：20 TPS 的 Llama-70B 需要几张 A100？    (Ctrl+L)</translation>
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
    <message>
        <source>It failed a gate: its figures are not trusted. The file is kept, and can be opened all the same.</source>
        <translation>未通过检验：其数字不可信。文件已保留，仍可手动打开使用。</translation>
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
    <message>
        <source>Pin</source>
        <translation>固定</translation>
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
    <message>
        <source>Pinned: %1</source>
        <translation>已固定：%1</translation>
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
    <message>
        <source>Pin the row</source>
        <translation>固定该行</translation>
    </message>
    <message>
        <source>Keeps the selected layout in the tray, to compare with</source>
        <translation>把选中的方案留在托盘中，以便比较</translation>
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
        <source>Next &amp;part of the window</source>
        <translation>窗口的下一部分(&amp;P)</translation>
    </message>
    <message>
        <source>Pre&amp;vious part of the window</source>
        <translation>窗口的上一部分(&amp;V)</translation>
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
    <message>
        <source>Pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>Import a model</source>
        <translation>导入模型</translation>
    </message>
    <message>
        <source>Models (config.json *.json *.gguf *.safetensors)</source>
        <translation>模型 (config.json *.json *.gguf *.safetensors)</translation>
    </message>
    <message>
        <source>Copy the &amp;start command</source>
        <translation>复制启动命令(&amp;S)</translation>
    </message>
    <message>
        <source>Copy the scenario as one &amp;line</source>
        <translation>将场景复制为一行(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Pin the answer</source>
        <translation>固定答案(&amp;P)</translation>
    </message>
    <message>
        <source>Take all pins &amp;off</source>
        <translation>取消全部固定(&amp;O)</translation>
    </message>
    <message>
        <source>Find a co&amp;mmand…</source>
        <translation>查找命令(&amp;M)…</translation>
    </message>
    <message>
        <source>A &amp;tour of a minute</source>
        <translation>一分钟导览(&amp;T)</translation>
    </message>
    <message>
        <source>Words of the t&amp;rade</source>
        <translation>术语表(&amp;R)</translation>
    </message>
    <message>
        <source>S&amp;tart page</source>
        <translation>起始页(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Import a model…</source>
        <translation>导入模型(&amp;I)…</translation>
    </message>
    <message>
        <source>Clear the &amp;mark</source>
        <translation>清除标记(&amp;M)</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>提问</translation>
    </message>
    <message>
        <source>Say what is to be served, on what and how fast. Each phrase that was understood stands below; a click on it offers what else it may have meant. Ctrl+L leads here.</source>
        <translation>说明要部署什么、用什么硬件、要多快。看懂的每个短语列在下方；点击可改选其他含义。按 Ctrl+L 来到这里。</translation>
    </message>
    <message>
        <source>The answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Which GPUs, how many, how sure that is and what it costs. Every figure can be clicked: it tells its formula and where each number is from. The cards are other ways to buy.</source>
        <translation>用哪种 GPU、几张、有多大把握、多少钱。每个数字都可点击：会说明公式以及每个数的来源。卡片是其他购买方案。</translation>
    </message>
    <message>
        <source>The scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Everything that was said or is usual, to be changed. The answer follows while a slider moves; Ctrl+Z takes back.</source>
        <translation>所有说过的和惯用的取值都可在此修改。拖动滑块时答案随之变化；Ctrl+Z 撤销。</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>The same answer from all sides: layouts, memory, speed over batch, traffic, other machines. A point that is clicked marks its batch in all of them; the line of the target can be dragged.</source>
        <translation>从各个角度看同一答案：并行方案、显存、速度与批量、流量、其他机器。点击一个点会在所有视图中标记其批量；目标线可以拖动。</translation>
    </message>
    <message>
        <source>Pins</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Ctrl+D keeps an answer in the tray. The tray tells how each differs from the one at hand; their curves lie over each other, and Compare sets them side by side.</source>
        <translation>Ctrl+D 把答案留在托盘中。托盘说明每个方案与当前答案的差别；曲线叠放显示，“比较”视图并排列出。</translation>
    </message>
    <message>
        <source>Report and everything else</source>
        <translation>报告及其他</translation>
    </message>
    <message>
        <source>Ctrl+E writes the report: a page to decide by, and all that stands behind it. Ctrl+K finds any command by its words.</source>
        <translation>Ctrl+E 生成报告：一页供决策，其后是全部依据。Ctrl+K 按文字查找任何命令。</translation>
    </message>
    <message>
        <source>The command that starts it is in the clipboard.</source>
        <translation>启动命令已复制到剪贴板。</translation>
    </message>
    <message>
        <source>The scenario is in the clipboard as one line; pasted as a question it opens.</source>
        <translation>场景已作为一行复制到剪贴板；粘贴到提问栏即可打开。</translation>
    </message>
    <message>
        <source>Words of the trade</source>
        <translation>术语表</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>The earlier report</source>
        <translation>先前的报告</translation>
    </message>
    <message>
        <source>Reports (*.pdf *.html *.md)</source>
        <translation>报告 (*.pdf *.html *.md)</translation>
    </message>
    <message>
        <source>Export what changed since a &amp;report…</source>
        <translation>导出与先前报告相比的变化(&amp;R)…</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>探测</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>拟合</translation>
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
        <source>Weights load in</source>
        <translation>权重加载时间</translation>
    </message>
    <message>
        <source>%1 from storage at %2, %3 from the memory of the box</source>
        <translation>从存储（%2）%1，从本机内存 %3</translation>
    </message>
    <message>
        <source>Worth trying first: %1.</source>
        <translation>建议先试：%1。</translation>
    </message>
    <message>
        <source>Worth trying</source>
        <translation>值得一试</translation>
    </message>
    <message>
        <source>Answers of a model in narrower types may get worse: test them.</source>
        <translation>降低数据精度后回答质量可能下降，请先测试。</translation>
    </message>
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
        <translation>自动选定</translation>
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
        <translation>负载仿真</translation>
    </message>
    <message>
        <source>Growth and spares</source>
        <translation>增长与冗余</translation>
    </message>
    <message>
        <source>No growth was stated.</source>
        <translation>未给出增长率。</translation>
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
        <translation>所有区间均为第 10 至第 90 百分位：预计十分之一的实际值低于区间，十分之一高于区间。合计值标注其中最不确定的来源。本方案耗时预测的依据：%1。</translation>
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
        <translation>Headroom %1。场景文件 scenario.yaml 已附在本文件中，内容如下。</translation>
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
        <translation>先列出本方案在该负载下的各项耗时；推导所用的单请求耗时另行注明。</translation>
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
        <translation>预留 %1 的容量</translation>
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
        <translation>可选方案</translation>
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
            <numerusform>共找到 %n 个候选方案。下表按采购数量列出各自最优的并行方案，处处不及他者的略去；粗体为推荐方案。</numerusform>
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
        <translation>与普通 Web 服务相同：副本之间互不通信</translation>
    </message>
    <message>
        <source>What to measure first</source>
        <translation>采购前先实测</translation>
    </message>
    <message>
        <source>One replica on one machine, before the rest is paid for: start it as below and run `headroom probe` against it. It tells measured times beside these.</source>
        <translation>采购全部设备之前，先在一台机器上实测一个副本：按“如何启动”一节启动服务，再运行 `headroom probe`，即可将实测耗时与本报告的预测逐项对照。</translation>
    </message>
    <message>
        <source>The speed moves most with %1: make sure of it.</source>
        <translation>对速度影响最大的是%1，请先核实。</translation>
    </message>
    <message>
        <source>Lengths were not stated (%1): take them from what your users send.</source>
        <translation>提问未给出长度（此处取%1）：请按用户的实际请求填写。</translation>
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
        <translation>读入输入，以及逐个 token 写出回答。</translation>
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
        <translation>推荐：%1。该方案可运行此模型；未设定性能目标。</translation>
    </message>
    <message>
        <source>Recommended: %1.</source>
        <translation>推荐：%1。</translation>
    </message>
    <message>
        <source>Of what meets the targets it is best by what was looked for: %1.</source>
        <translation>在满足目标的方案中，按优化目标（%1）它最优。</translation>
    </message>
    <message>
        <source>That is %1; who must keep them takes %2.</source>
        <translation>该方案%1；若必须达成目标，请选 %2。</translation>
    </message>
    <message>
        <source>Another accelerator</source>
        <translation>其他加速卡</translation>
    </message>
    <message numerus="yes">
        <source>%1 with %n GPU(s) each</source>
        <translation>
            <numerusform>%1，每台装 %n 张</numerusform>
        </translation>
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
        <source>Cost over three years (%1)</source>
        <translation>三年费用（%1）</translation>
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
        <source>The job is done by then with a chance of %1.</source>
        <translation>按时完成作业的概率为 %1。</translation>
    </message>
    <message>
        <source>The times are estimated: nothing like it was measured. Measure before you buy.</source>
        <translation>耗时为估算值：没有同类实测数据，购买前请先实测。</translation>
    </message>
    <message>
        <source>The times rest on: %1.</source>
        <translation>耗时预测的依据：%1。</translation>
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
        <translation>价格为公开标价，实际报价会有差异。</translation>
    </message>
    <message>
        <source>Prices are list prices as of %1; an offer will differ.</source>
        <translation>价格为 %1 的公开标价，实际报价会有差异。</translation>
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
    <message>
        <source>To buy</source>
        <translation>购置价</translation>
    </message>
    <message>
        <source>Users at most</source>
        <translation>最多用户</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>当时</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差别</translation>
    </message>
    <message>
        <source>What changed since the report of %1</source>
        <translation>自 %1 报告以来的变化</translation>
    </message>
    <message>
        <source>What was asked</source>
        <translation>所提要求</translation>
    </message>
    <message>
        <source>left open</source>
        <translation>未指定</translation>
    </message>
    <message>
        <source>The same was asked then: what differs comes from prices, timings or the program.</source>
        <translation>当时的要求相同：差别来自价格、实测数据或程序本身。</translation>
    </message>
    <message>
        <source>The same as one line, to be pasted into the window&apos;s question:</source>
        <translation>同一场景的一行形式，可粘贴到窗口的提问栏：</translation>
    </message>
    <message>
        <source>Rent or own</source>
        <translation>租用还是购买</translation>
    </message>
    <message>
        <source>At once</source>
        <translation>一次性支出</translation>
    </message>
    <message numerus="yes">
        <source>In %n month(s)</source>
        <translation>
            <numerusform>%n 个月合计</numerusform>
        </translation>
    </message>
    <message>
        <source>Rented</source>
        <translation>租用</translation>
    </message>
    <message>
        <source>Bought, with power, room and people as stated</source>
        <translation>购买，含所述的电费、机房与人员</translation>
    </message>
    <message>
        <source>As many tokens of the API</source>
        <translation>同样多 token 的 API 费用</translation>
    </message>
    <message numerus="yes">
        <source>Buying has cost less than renting after %n month(s).</source>
        <translation>
            <numerusform>%n 个月后购买比租用更便宜。</numerusform>
        </translation>
    </message>
    <message>
        <source>at today&apos;s prices</source>
        <translation>按今日价格</translation>
    </message>
    <message>
        <source>The recommended one, bought</source>
        <translation>推荐方案（购买）</translation>
    </message>
    <message>
        <source>Delivery times are not part of this plan: ask for them with the offer.</source>
        <translation>本报告不含交货期，请在询价时一并确认。</translation>
    </message>
    <message>
        <source>The job takes</source>
        <translation>作业耗时</translation>
    </message>
    <message>
        <source>The job</source>
        <translation>整个作业</translation>
    </message>
    <message>
        <source>electricity</source>
        <translation>电费</translation>
    </message>
    <message>
        <source>room</source>
        <translation>机房</translation>
    </message>
    <message>
        <source>people</source>
        <translation>人员</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Bought, with %1</source>
        <translation>购买，含%1</translation>
    </message>
    <message>
        <source>Bought: %1.</source>
        <translation>购置明细：%1。</translation>
    </message>
    <message>
        <source>Cost over %1 (%2)</source>
        <translation>%1费用（%2）</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 for %2, %3 for the job</source>
        <translation>%1，%2，完成整个作业共 %3</translation>
    </message>
    <message>
        <source>%1 for %2, %3 a year</source>
        <translation>%1，%2，每年 %3</translation>
    </message>
    <message>
        <source>%1 for %2, %3 a year, %4 over %5</source>
        <translation>%1，%2，每年 %3，%5共 %4</translation>
    </message>
    <message>
        <source>%1, bought for %2; %3 in %4, with electricity</source>
        <translation>%1，购置费 %2；%4总支出（含电费）%3</translation>
    </message>
    <message>
        <source>An hour and a month: the purchase written off over %1, with electricity. %2: all that has been paid by then, the purchase in full.</source>
        <translation>“每小时”“每月”为折旧成本：购置费按 %1摊销，含电费；“%2”为届时的累计实付，购置费全额计入。</translation>
    </message>
    <message>
        <source>Not used of the question: %1</source>
        <translation>提问中未采用：%1</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>%1: caches of prompts go to the GPUs that decode</source>
        <translation>%1：预填充得到的 KV 缓存经此传给解码 GPU</translation>
    </message>
    <message numerus="yes">
        <source>%n month(s)</source>
        <translation>
            <numerusform>%n 个月</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” (%2)</source>
        <translation>“%1”（%2）</translation>
    </message>
    <message>
        <source>%1 of what the engine may fill</source>
        <translation>已用引擎可用显存的 %1</translation>
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
    <message>
        <source>Import a model…</source>
        <translation>导入模型…</translation>
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
<context>
    <name>headroom::app::AskReading</name>
    <message>
        <source>What was not understood</source>
        <translation>没有看懂的内容</translation>
    </message>
    <message>
        <source>‘%1’</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>not used: %1</source>
        <translation>未用到：%1</translation>
    </message>
    <message>
        <source>assumed: %1</source>
        <translation>假设：%1</translation>
    </message>
    <message>
        <source>Shows its field</source>
        <translation>显示对应的输入框</translation>
    </message>
    <message>
        <source>%1 was read as %2</source>
        <translation>%1 理解为 %2</translation>
    </message>
</context>
<context>
    <name>headroom::app::ChartsView</name>
    <message>
        <source>Pinned: %1</source>
        <translation>已固定：%1</translation>
    </message>
    <message>
        <source>change of %1</source>
        <translation>修改%1</translation>
    </message>
</context>
<context>
    <name>headroom::app::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>A question, a command, a model, a GPU, a file</source>
        <translation>问题、命令、模型、GPU 或文件</translation>
    </message>
    <message>
        <source>Question or command</source>
        <translation>问题或命令</translation>
    </message>
    <message>
        <source>What can be done</source>
        <translation>可以做的事</translation>
    </message>
    <message>
        <source>Ask a question…</source>
        <translation>提问…</translation>
    </message>
    <message>
        <source>Ask: %1</source>
        <translation>提问：%1</translation>
    </message>
</context>
<context>
    <name>headroom::app::PinTray</name>
    <message>
        <source>Pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>Opens it as a scenario of its own; Delete takes it off</source>
        <translation>作为单独的场景打开；按 Delete 取消固定</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Take off</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>not planned yet</source>
        <translation>尚未规划</translation>
    </message>
    <message>
        <source>Pinned: %1</source>
        <translation>已固定：%1</translation>
    </message>
</context>
<context>
    <name>headroom::app::StartPage</name>
    <message>
        <source>Show this page at the start</source>
        <translation>启动时显示此页</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>起始页</translation>
    </message>
    <message>
        <source>how many A100s for Llama-70B at 20 TPS</source>
        <translation>20 TPS 的 Llama-70B 需要几张 A100</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>What is to be served?</source>
        <translation>要部署什么？</translation>
    </message>
    <message>
        <source>Begin with a kind of service</source>
        <translation>从一类服务开始</translation>
    </message>
    <message>
        <source>Or</source>
        <translation>或者</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>A tour of a minute</source>
        <translation>一分钟导览</translation>
    </message>
    <message>
        <source>Look at the example</source>
        <translation>查看示例</translation>
    </message>
    <message>
        <source>None yet: a scenario that is saved stands here.</source>
        <translation>还没有：保存的场景会列在这里。</translation>
    </message>
</context>
<context>
    <name>headroom::app::Tour</name>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Next (%1 of %2)</source>
        <translation>下一步（%1/%2）</translation>
    </message>
</context>
<context>
    <name>headroom::app::FitView</name>
    <message>
        <source>Measured and predicted</source>
        <translation>实测与预测</translation>
    </message>
    <message>
        <source>each figure predicted without having been seen</source>
        <translation>每个数字都在未参与拟合的情况下预测</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Predicted over measured</source>
        <translation>预测与实测之比</translation>
    </message>
    <message>
        <source>As it was known</source>
        <translation>原有参数</translation>
    </message>
    <message>
        <source>Fitted</source>
        <translation>拟合后</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>相等</translation>
    </message>
    <message>
        <source>What was fitted</source>
        <translation>拟合的参数</translation>
    </message>
    <message>
        <source>over what was known</source>
        <translation>相对原有参数</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>倍数</translation>
    </message>
    <message>
        <source>Results to fit…</source>
        <translation>选择结果…</translation>
    </message>
    <message>
        <source>Use in this plan</source>
        <translation>用于此规划</translation>
    </message>
    <message>
        <source>Figures of the fit</source>
        <translation>拟合的数字</translation>
    </message>
    <message>
        <source>State of the fit</source>
        <translation>拟合状态</translation>
    </message>
    <message>
        <source>Results of llama-bench, vllm bench, SGLang, trtllm-bench or a probe of this scenario&apos;s engine and GPU become a calibration of the engine.</source>
        <translation>本场景引擎和 GPU 的 llama-bench、vllm bench、SGLang、trtllm-bench 或探测结果可转为该引擎的校准。</translation>
    </message>
    <message>
        <source>Nothing is fitted yet</source>
        <translation>尚未拟合</translation>
    </message>
    <message>
        <source>Results to fit</source>
        <translation>要拟合的结果</translation>
    </message>
    <message>
        <source>Results (*.json *.jsonl *.csv *.md);;All files (*)</source>
        <translation>结果 (*.json *.jsonl *.csv *.md);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Fitting…</source>
        <translation>正在拟合…</translation>
    </message>
    <message>
        <source>figures</source>
        <translation>个数字</translation>
    </message>
    <message>
        <source>median error as it was known</source>
        <translation>原有参数的中位误差</translation>
    </message>
    <message>
        <source>of figures left out of the fit</source>
        <translation>留出数字的中位误差</translation>
    </message>
    <message>
        <source>nine in ten of them are within</source>
        <translation>九成留出数字的误差以内</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
</context>
<context>
    <name>headroom::app::ProbeView</name>
    <message>
        <source>Probe</source>
        <translation>探测</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Figures of the probe</source>
        <translation>探测的数字</translation>
    </message>
    <message>
        <source>State of the probe</source>
        <translation>探测状态</translation>
    </message>
    <message>
        <source>Loads a running server with more and more users and draws what they see over what is predicted for this scenario: its lengths and its targets.</source>
        <translation>以越来越多的用户给运行中的服务加压，并把他们的体验画在本场景（长度与目标）的预测之上。</translation>
    </message>
    <message>
        <source>Stop and keep</source>
        <translation>停止并保留</translation>
    </message>
    <message>
        <source>Address of the server</source>
        <translation>服务器地址</translation>
    </message>
    <message>
        <source>the model it serves</source>
        <translation>它提供的模型</translation>
    </message>
    <message>
        <source>The server&apos;s name for the model</source>
        <translation>服务器上的模型名</translation>
    </message>
    <message>
        <source>key, if it wants one</source>
        <translation>密钥（如需要）</translation>
    </message>
    <message>
        <source>Key of the server</source>
        <translation>服务器密钥</translation>
    </message>
    <message>
        <source>It is kept nowhere</source>
        <translation>不会保存</translation>
    </message>
    <message>
        <source>up to </source>
        <translation>至多 </translation>
    </message>
    <message>
        <source> users</source>
        <translation> 个用户</translation>
    </message>
    <message>
        <source>Most users to try</source>
        <translation>最多尝试的用户数</translation>
    </message>
    <message>
        <source>As the command line writes it; a fit of the engine reads it</source>
        <translation>与命令行写出的相同；“拟合”视图可读取</translation>
    </message>
    <message>
        <source>Asking the server what it serves…</source>
        <translation>正在询问服务器提供什么模型…</translation>
    </message>
    <message numerus="yes">
        <source>%n user(s): %1 of %2 requests answered</source>
        <translation>
            <numerusform>%n 个用户：%2 个请求中有 %1 个得到回答</numerusform>
        </translation>
    </message>
    <message>
        <source>The server answered no request: %1</source>
        <translation>服务器没有回答任何请求：%1</translation>
    </message>
    <message>
        <source>Stopped; what was measured until then is kept.</source>
        <translation>已停止；此前测得的结果已保留。</translation>
    </message>
    <message>
        <source>Measured: %1</source>
        <translation>已测量：%1</translation>
    </message>
    <message>
        <source>Save the probe</source>
        <translation>保存探测结果</translation>
    </message>
    <message>
        <source>Probe (*.json)</source>
        <translation>探测结果 (*.json)</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
</context>
<context>
    <name>headroom::app::HintRow</name>
    <message>
        <source>More to try</source>
        <translation>更多建议</translation>
    </message>
    <message>
        <source>Worth trying</source>
        <translation>值得一试</translation>
    </message>
    <message>
        <source>Worth trying:</source>
        <translation>值得一试：</translation>
    </message>
    <message>
        <source>Try %1</source>
        <translation>试试 %1</translation>
    </message>
</context>
</TS>
