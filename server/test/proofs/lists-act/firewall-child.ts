import { execFileSync, spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { eventually } from '#test/eventually.ts';
import { type FirewallOrder, type FirewallReport, LINK } from './firewall-report.ts';
import { type Finished, runToEnd } from './run-program.ts';

/**
 * The firewall, in a network namespace of its own: loads a list as docs/blocklists.md says, twice, and adds the documented
 * rule. A neighbour then sends packets from listed and unlisted addresses, and a socket behind the rule receives.
 */
const order = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as FirewallOrder;
const { firewall, neighbour, port } = LINK;
const OUTPUT_MAX = 512 * 1024 * 1024;
const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: OUTPUT_MAX, stdio: ['ignore', 'pipe', 'pipe'] });
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

type Filter = {
  readonly load: () => Promise<readonly Finished[]>;
  readonly addRule: () => void;
  readonly loaded: () => number;
  readonly dropped: () => number;
};

const [first = '', second = ''] = order.files;
/** Packets counted by the rules whose line in `iptables-save -c` or `ip6tables-save -c` matches the pattern. */
const droppedBy = (pattern: RegExp): number =>
  sum(
    ['iptables', 'ip6tables'].flatMap((command) =>
      run(`${command}-save`, '-c')
        .split('\n')
        .filter((line) => pattern.test(line))
        .map((line) => Number(/^\[(\d+):/.exec(line)?.[1] ?? 0)),
    ),
  );

const FILTERS: Readonly<Record<FirewallOrder['program'], Filter>> = {
  nftables: {
    load: async () => [await runToEnd('nft', ['-f', first])],
    addRule: () => {
      run('nft', 'add chain inet assay input { type filter hook input priority 0; }');
      run('nft', 'add rule inet assay input ip saddr @ips_all_v4 counter drop');
      run('nft', 'add rule inet assay input ip6 saddr @ips_all_v6 counter drop');
    },
    loaded: () =>
      sum(
        [4, 6].map((family) => {
          const listed = run('nft', '-j', 'list', 'set', 'inet', 'assay', `ips_all_v${family}`);
          const { nftables } = JSON.parse(listed) as { nftables: { set?: { elem?: unknown[] } }[] };
          return nftables.find(({ set }) => set !== undefined)?.set?.elem?.length ?? 0;
        }),
      ),
    dropped: () =>
      sum(
        [...run('nft', 'list', 'chain', 'inet', 'assay', 'input').matchAll(/counter packets (\d+)/g)].map(
          ([, packets]) => Number(packets),
        ),
      ),
  },
  ipset: {
    load: async () => [await runToEnd('ipset', ['restore'], first)],
    addRule: () => {
      for (const [command, family] of [
        ['iptables', 4],
        ['ip6tables', 6],
      ] as const)
        run(
          command,
          '-A',
          'INPUT',
          '-m',
          'set',
          '--match-set',
          `assay-ips-all-v${family}`,
          'src',
          '-j',
          'DROP',
        );
    },
    loaded: () =>
      sum(
        [...run('ipset', 'list', '-t').matchAll(/Number of entries: (\d+)/g)].map(([, entries]) =>
          Number(entries),
        ),
      ),
    dropped: () => droppedBy(/-A INPUT .*-j DROP/),
  },
  iptables: {
    load: async () => [
      await runToEnd('iptables-restore', ['--noflush'], first),
      await runToEnd('ip6tables-restore', ['--noflush'], second),
    ],
    addRule: () => {
      for (const command of ['iptables', 'ip6tables']) run(command, '-A', 'INPUT', '-j', 'ASSAY-IPS-ALL');
    },
    loaded: () => sum(['iptables-save', 'ip6tables-save'].map((save) => countOf(run(save), /-j DROP$/gm))),
    dropped: () => droppedBy(/-A ASSAY-.*-j DROP/),
  },
};

function ip(...args: string[]): void {
  run('ip', ...args);
}

/** The neighbour's namespace, and a wire to it. */
function startNeighbour() {
  const child = spawn(
    'unshare',
    ['-n', process.execPath, import.meta.resolve('./neighbour-child.ts').slice('file://'.length)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said = async (word: string) => {
    const { value } = await lines.next();
    if (value !== word) throw new Error(`The neighbour said '${String(value)}' and not '${word}'.`);
  };
  return { child, said };
}

function addWire(pid: number): void {
  ip('link', 'set', 'lo', 'up');
  ip(
    'link',
    'add',
    'near',
    'address',
    firewall.mac,
    'type',
    'veth',
    'peer',
    'name',
    'far',
    'netns',
    String(pid),
  );
  ip('addr', 'add', `${firewall.v4}/24`, 'dev', 'near');
  ip('-6', 'addr', 'add', `${firewall.v6}/64`, 'dev', 'near', 'nodad');
  ip('link', 'set', 'near', 'up');
  // Packets come from any address, so the default route leads back to the neighbour.
  ip('route', 'add', 'default', 'via', neighbour.v4);
  ip('-6', 'route', 'add', 'default', 'via', neighbour.v6, 'dev', 'near');
  for (const at of ['all', 'near']) writeFileSync(`/proc/sys/net/ipv4/conf/${at}/rp_filter`, '0');
  run('nft', 'add table inet seen');
  run('nft', 'add chain inet seen prerouting { type filter hook prerouting priority -300; }');
  run('nft', `add rule inet seen prerouting udp dport ${port} counter`);
}

const arrived = (): number =>
  Number(/counter packets (\d+)/.exec(run('nft', 'list', 'chain', 'inet', 'seen', 'prerouting'))?.[1] ?? 0);

async function listen(type: 'udp4' | 'udp6', onSource: (source: string) => void): Promise<Socket> {
  const socket = createSocket(type === 'udp6' ? { type, ipv6Only: true } : { type });
  socket.on('message', (message) => onSource(message.toString()));
  await new Promise<void>((resolve) => socket.bind(port, () => resolve()));
  return socket;
}

const ARRIVED_WITHIN_MS = 60_000;
const filter = FILTERS[order.program];
const { child, said } = startNeighbour();
await said('here');
addWire(child.pid ?? 0);
const loads = await filter.load();
const loaded = [filter.loaded()];
filter.addRule();
const reloads = await filter.load();
loaded.push(filter.loaded());

const received: string[] = [];
const sockets = [
  await listen('udp4', (source) => received.push(source)),
  await listen('udp6', (source) => received.push(source)),
];
child.stdin.write(`go\n${order.sources.join('\n')}\nend\n`);
await said('sent');
await eventually('every packet was dropped or received', ARRIVED_WITHIN_MS, () => {
  return filter.dropped() + received.length >= order.sources.length;
}).catch(() => undefined);
const report: FirewallReport = {
  seconds: sum(loads.map(({ seconds }) => seconds)),
  reloadSeconds: sum(reloads.map(({ seconds }) => seconds)),
  peakMb: Math.max(...loads.map(({ peakMb }) => peakMb)),
  loaded,
  arrived: arrived(),
  dropped: filter.dropped(),
  received,
  log: [...loads, ...reloads].map(({ log }) => log).join(''),
};
for (const socket of sockets) socket.close();
child.stdin.end();
process.stdout.write(JSON.stringify(report));
