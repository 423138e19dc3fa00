// The stride permutation on a fat-tree in ns-3: host i sends to host i + N/2 over six links.
// The peer of the twin on examples/stride.toml; bench/ns3/run.sh runs both.
//
//   stride --ports=8 --bytes=10000000 --payload=4096 --routes=hash|modulo
//
// Prints one line of key=value. A data hop is a packet received over a link. The rate is data hops
// over the wall time of Simulator::Run. Set-up is timed separately. ns-3 has less work: UDP without
// acknowledgements or congestion control, no queue discipline above the devices' drop-tail queues,
// no checksums, and no flow control. Next hops are computed from four numbers per node instead of
// looked up in ns-3's routing tables.

#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t FIRST_ADDRESS = 0x0a000000; // host i is 10.0.0.0 + i + 1
constexpr uint16_t SINK_PORT = 4791;

Ipv4Address
AddressOf(uint32_t host)
{
    return Ipv4Address(FIRST_ADDRESS + host + 1);
}

/// The finaliser of MurmurHash3: every bit of the input affects every bit of the result.
uint64_t
Mix(uint64_t x)
{
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    return x ^ (x >> 33);
}

/// The hosts below a node, and its ports: downlinks first, then uplinks. As in
/// crates/topology/src/electrical/next_hops.rs.
struct Subtree
{
    uint32_t first;  ///< The first host below.
    uint32_t hosts;  ///< Hosts below.
    uint32_t stride; ///< Hosts below each downlink.
    uint32_t up;     ///< The first uplink.
    uint32_t ups;    ///< Uplinks.
};

/// Goes down if the destination is below, else up over one of the uplinks.
class FatTreeRouting : public Ipv4RoutingProtocol
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("lightloom::FatTreeRouting").SetParent<Ipv4RoutingProtocol>();
        return id;
    }

    /// `hash`: the hash of node and flow chooses the uplink (ECMP), so flows can meet. Otherwise
    /// the destination modulo the hosts below a downlink chooses it, and stride flows never meet.
    FatTreeRouting(Subtree below, uint32_t node, bool hash)
        : m_below(below),
          m_salt(Mix(node + 1)),
          m_hash(hash)
    {
    }

    /// The next port's route. ns-3's interface 0 is the loopback, so port p is interface p + 1.
    void AddPort(Ptr<NetDevice> device, Ipv4Address source)
    {
        Ptr<Ipv4Route> route = Create<Ipv4Route>();
        route->SetOutputDevice(device);
        route->SetSource(source);
        route->SetGateway(Ipv4Address("169.254.0.1")); // wanted by Ipv4L3Protocol, unused by links
        m_routes.push_back(route);
    }

    Ptr<Ipv4Route> RouteOutput(Ptr<Packet>,
                               const Ipv4Header& header,
                               Ptr<NetDevice>,
                               Socket::SocketErrno& error) override
    {
        error = Socket::ERROR_NOTERROR;
        return Route(header);
    }

    bool RouteInput(Ptr<const Packet> packet,
                    const Ipv4Header& header,
                    Ptr<const NetDevice>,
                    UnicastForwardCallback forward,
                    MulticastForwardCallback,
                    LocalDeliverCallback deliver,
                    ErrorCallback) override
    {
        if (m_below.stride == 0) // a host, and its only port
        {
            deliver(packet, header, 1);
        }
        else
        {
            forward(Route(header), packet, header);
        }
        return true;
    }

    void NotifyInterfaceUp(uint32_t) override
    {
    }

    void NotifyInterfaceDown(uint32_t) override
    {
    }

    void NotifyAddAddress(uint32_t, Ipv4InterfaceAddress) override
    {
    }

    void NotifyRemoveAddress(uint32_t, Ipv4InterfaceAddress) override
    {
    }

    void SetIpv4(Ptr<Ipv4>) override
    {
    }

    void PrintRoutingTable(Ptr<OutputStreamWrapper>, Time::Unit) const override
    {
    }

  private:
    Ptr<Ipv4Route> Route(const Ipv4Header& header) const
    {
        const uint32_t to = header.GetDestination().Get() - FIRST_ADDRESS - 1;
        const uint32_t offset = to - m_below.first; // wraps beyond all hosts
        if (offset < m_below.hosts)
        {
            return m_routes[offset / m_below.stride];
        }
        if (m_below.ups == 1)
        {
            return m_routes[m_below.up];
        }
        if (m_hash)
        {
            // One flow between two hosts, so the addresses identify the flow.
            const uint64_t from = header.GetSource().Get();
            const uint64_t flow = from << 32 | header.GetDestination().Get();
            const uint64_t high = Mix(m_salt ^ flow) >> 32;
            return m_routes[m_below.up + (high * m_below.ups >> 32)];
        }
        return m_routes[m_below.up + to / m_below.stride % m_below.ups];
    }

    Subtree m_below;
    uint64_t m_salt;
    bool m_hash;
    std::vector<Ptr<Ipv4Route>> m_routes;
};

void
CountHop(uint64_t* hops, Ptr<const Packet>)
{
    ++*hops;
}

double
SecondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

int
main(int argc, char* argv[])
{
    const auto started = std::chrono::steady_clock::now();
    uint32_t k = 8;
    uint64_t bytes = 10'000'000;
    uint32_t payload = 4096;
    std::string routes = "hash";
    CommandLine cmd(__FILE__);
    cmd.AddValue("ports", "ports of a switch, even, 4 to 64; hosts are ports^3/4", k);
    cmd.AddValue("bytes", "bytes a host sends, rounded up to whole packets", bytes);
    cmd.AddValue("payload", "UDP payload of a packet in bytes, 12 to 65000", payload);
    cmd.AddValue("routes", "uplinks: hash (ECMP) or modulo (no two flows meet)", routes);
    cmd.Parse(argc, argv);
    if (k < 4 || k > 64 || k % 2 != 0 || payload < 12 || payload > 65'000 || bytes == 0 ||
        bytes > uint64_t{1'000'000'000} * payload || (routes != "hash" && routes != "modulo"))
    {
        std::fprintf(stderr, "stride: an option is out of range; --help lists them\n");
        return 2;
    }

    const DataRate rate("100Gbps");
    // A whole number of picoseconds per byte. ns-3's usual nanosecond would round the rate.
    Time::SetResolution(Time::PS);

    // Nodes are numbered hosts, edge, aggregation, core, and wired like the project's FatTree.
    const uint32_t half = k / 2;
    const uint32_t edges = k * half;
    const uint32_t hosts = edges * half;
    const uint32_t edge = hosts;
    const uint32_t aggregation = edge + edges;
    const uint32_t core = aggregation + edges;
    const uint32_t all = core + half * half;

    std::vector<Subtree> below;
    for (uint32_t i = 0; i < hosts; ++i)
    {
        below.push_back({i, 0, 0, 0, 1}); // nothing below, not even itself: everything goes up
    }
    for (uint32_t i = 0; i < edges; ++i)
    {
        below.push_back({i * half, half, 1, half, half});
    }
    for (uint32_t i = 0; i < edges; ++i)
    {
        below.push_back({i / half * half * half, half * half, half, half, half});
    }
    for (uint32_t i = 0; i < half * half; ++i)
    {
        below.push_back({0, hosts, half * half, k, 0});
    }

    NodeContainer nodes;
    nodes.Create(all);
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false); // router solicitations would count as hops
    stack.Install(nodes);
    std::vector<Ptr<FatTreeRouting>> routing;
    std::vector<Ptr<Ipv4>> ipv4;
    for (uint32_t i = 0; i < all; ++i)
    {
        routing.push_back(Create<FatTreeRouting>(below[i], i, routes == "hash"));
        ipv4.push_back(nodes.Get(i)->GetObject<Ipv4>());
        ipv4[i]->SetRoutingProtocol(routing[i]);
    }

    // 20 bytes of IPv4 and 8 of UDP; the devices add 2 of PPP.
    const uint32_t datagram = payload + 28;
    Config::SetDefault("ns3::PointToPointNetDevice::Mtu", UintegerValue(std::max(datagram, 68U)));
    PointToPointHelper wire;
    wire.SetDeviceAttribute("DataRate", DataRateValue(rate));
    wire.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1)));
    wire.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("10000000p"));
    wire.DisableFlowControl();
    uint64_t hops = 0;
    auto addPort = [&](uint32_t node, Ptr<NetDevice> device) {
        const uint32_t interface = ipv4[node]->AddInterface(device);
        Ipv4Address source = Ipv4Address::GetAny();
        if (node < hosts)
        {
            source = AddressOf(node);
            ipv4[node]->AddAddress(interface, Ipv4InterfaceAddress(source, Ipv4Mask("/8")));
        }
        ipv4[node]->SetUp(interface);
        routing[node]->AddPort(device, source);
        device->TraceConnectWithoutContext("MacRx", MakeBoundCallback(&CountHop, &hops));
    };
    // The order of the links gives a switch its downlinks first.
    auto link = [&](uint32_t lower, uint32_t upper) {
        NetDeviceContainer ends = wire.Install(nodes.Get(lower), nodes.Get(upper));
        addPort(lower, ends.Get(0));
        addPort(upper, ends.Get(1));
    };
    for (uint32_t i = 0; i < hosts; ++i)
    {
        link(i, edge + i / half);
    }
    for (uint32_t i = 0; i < edges; ++i)
    {
        for (uint32_t j = 0; j < half; ++j)
        {
            link(edge + i, aggregation + i / half * half + j);
        }
    }
    for (uint32_t i = 0; i < edges; ++i)
    {
        for (uint32_t j = 0; j < half; ++j)
        {
            link(aggregation + i, core + i % half * half + j);
        }
    }

    const uint64_t packets = (bytes + payload - 1) / payload;
    const Time interval = rate.CalculateBytesTxTime(datagram + 2); // line rate
    std::vector<Ptr<UdpClient>> clients;
    std::vector<Ptr<PacketSink>> sinks;
    for (uint32_t i = 0; i < hosts; ++i)
    {
        UdpClientHelper client(AddressOf((i + hosts / 2) % hosts), SINK_PORT);
        client.SetAttribute("MaxPackets", UintegerValue(packets));
        client.SetAttribute("Interval", TimeValue(interval));
        client.SetAttribute("PacketSize", UintegerValue(payload));
        clients.push_back(DynamicCast<UdpClient>(client.Install(nodes.Get(i)).Get(0)));
        PacketSinkHelper sink("ns3::UdpSocketFactory",
                              InetSocketAddress(Ipv4Address::GetAny(), SINK_PORT));
        sinks.push_back(DynamicCast<PacketSink>(sink.Install(nodes.Get(i)).Get(0)));
    }

    const double setUp = SecondsSince(started);
    const auto run = std::chrono::steady_clock::now();
    Simulator::Run(); // until nothing is left to do
    const double took = SecondsSince(run);

    uint64_t sent = 0;
    uint64_t received = 0;
    for (uint32_t i = 0; i < hosts; ++i)
    {
        sent += clients[i]->GetTotalTx() / payload;
        received += sinks[i]->GetTotalRx() / payload;
    }
    std::printf("hosts=%u routes=%s payload=%u bytes_a_host=%llu sent=%llu received=%llu "
                "lost=%llu data_hops=%llu events=%llu simulated_us=%.3f set_up_s=%.3f run_s=%.3f "
                "data_hops_per_s=%.0f\n",
                hosts,
                routes.c_str(),
                payload,
                static_cast<unsigned long long>(packets * payload),
                static_cast<unsigned long long>(sent),
                static_cast<unsigned long long>(received),
                static_cast<unsigned long long>(sent - received),
                static_cast<unsigned long long>(hops),
                static_cast<unsigned long long>(Simulator::GetEventCount()),
                static_cast<double>(Simulator::Now().GetPicoSeconds()) / 1e6,
                setUp,
                took,
                static_cast<double>(hops) / took);
    Simulator::Destroy();

    // Every packet is sent, and every packet that is not lost crosses six links. Otherwise the
    // set-up is wrong.
    if (sent != hosts * packets || received > sent || hops < 6 * received || hops > 6 * sent)
    {
        std::fprintf(stderr, "stride: packets or hops do not add up\n");
        return 1;
    }
    return 0;
}
