import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exchangeUdp } from '#platform/dns/exchange.ts';
import { readReply, writeQuestion } from '#platform/dns/message.ts';
import { type DnsAnswer, DnsError } from '#platform/dns.ts';
import { startDnsPeer } from '#test/dns-peer.ts';
import { freePort } from '#test/eventually.ts';
import {
  needPrograms,
  openFolder,
  type Program,
  type Ready,
  readyAfter,
  startProgram,
} from './run-program.ts';
import { countAliases } from './transfer-zone.ts';

/** `blocked`, `passed` (answered by the name server behind the resolver), or an address that is neither. */
type Answer = string;

export type Resolver = {
  readonly ready: Ready;
  readonly ask: (name: string) => Promise<Answer>;
  /** Names that the program has from the list, by its own count. */
  readonly loaded: () => number | Promise<number>;
  /** Lines of its log that are not part of a start without a list. */
  readonly complaints: () => readonly string[];
  /** Names that left for the name server behind it. */
  readonly forwarded: () => readonly string[];
  readonly stop: () => Promise<void>;
};

/** What the name server behind the resolver answers to every question. */
const PASSED = '192.0.2.53';
/** What rbldnsd answers for a listed name. */
const LISTED = '127.0.0.2';
const ZONE = 'lists.example.com';
const ASK_WITHIN_MS = 30_000;
const COMPLAINT =
  /warn|error|fatal|fail|ignor|duplicate|invalid|refus|cannot|unable|unknown|too (?:long|many)/i;

type Setting = {
  readonly dir: string;
  readonly file: string;
  readonly port: number;
  readonly upstreamPort: number;
};
type Started = {
  readonly program: Program;
  readonly loaded: Resolver['loaded'];
  /** Tells whether the list is loaded, for a program that answers before. */
  readonly hasList?: () => boolean;
  readonly normal?: RegExp;
  readonly questionOf?: (name: string) => string;
};

const START: Readonly<Record<string, (setting: Setting) => Started>> = {
  rpz: startNamed,
  unbound: startUnbound,
  dnsmasq: startDnsmasq,
  rbldnsd: startRbldnsd,
};
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  rpz: ['named'],
  unbound: ['unbound', 'unbound-control'],
  dnsmasq: ['dnsmasq'],
  rbldnsd: ['rbldnsd'],
};
export const RESOLVERS = ['rpz', 'unbound', 'dnsmasq', 'rbldnsd'] as const;

/** Starts the program of a format with a list, before a name server of this process that answers everything. */
export async function startResolver(format: (typeof RESOLVERS)[number], file: string): Promise<Resolver> {
  needPrograms(...(PROGRAMS[format] ?? []));
  const upstream = await startDnsPeer(() => [PASSED]);
  const [dir, port] = [await openFolder(), await freePort()];
  const started = START[format]?.({ dir, file, port, upstreamPort: Number(upstream.server.split(':')[1]) });
  if (started === undefined) throw new Error(`No program is known for ${format}.`);
  const { program, hasList = () => true, questionOf = (name: string) => name } = started;
  const ask = async (name: string, deadlineMs = ASK_WITHIN_MS): Promise<Answer> => {
    const answer = await askServer(port, questionOf(name), deadlineMs);
    if (answer.state === 'absent') return format === 'rbldnsd' ? 'passed' : 'blocked';
    const [address = ''] = answer.records;
    if (format === 'rbldnsd') return address === LISTED ? 'blocked' : address;
    return address === PASSED ? 'passed' : address;
  };
  const stop = async () => {
    await program.stop();
    upstream.close();
  };
  try {
    const ready = await readyAfter(program, () => hasList() && answers(() => ask('probe.example.net', 500)));
    return {
      ready,
      ask: (name) => ask(name),
      loaded: started.loaded,
      complaints: () =>
        program
          .log()
          .split('\n')
          .filter((line) => COMPLAINT.test(line) && started.normal?.test(line) !== true),
      forwarded: () => upstream.questions.map((question) => question.replace(/^\S+ /, '')),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * One query without the rules of the service's own client, which refuses names that the public DNS does not have: some of
 * those are listed.
 */
async function askServer(port: number, name: string, timeoutMs: number): Promise<DnsAnswer<string>> {
  const question = { id: randomInt(65_536), name, type: 'A' } as const;
  const reply = await exchangeUdp({
    server: { host: '127.0.0.1', port },
    query: writeQuestion(question, true),
    timeoutMs,
    signal: undefined,
    read: (message) => {
      const read = readReply(message, question);
      return read.kind === 'foreign' ? null : read;
    },
  });
  if (reply.kind !== 'answered')
    throw new DnsError('refused', `The answer about ${name} is '${reply.kind}'.`);
  return reply.answer as DnsAnswer<string>;
}

const answers = async (ask: () => Promise<unknown>): Promise<boolean> => {
  try {
    await ask();
    return true;
  } catch (error) {
    if (error instanceof DnsError) return false;
    throw error;
  }
};

function startNamed({ dir, file, port, upstreamPort }: Setting): Started {
  const config = join(dir, 'named.conf');
  writeFileSync(
    config,
    `options {
  directory "${dir}"; pid-file none; session-keyfile none; lock-file none;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  allow-query { 127.0.0.1; }; allow-transfer { 127.0.0.1; }; recursion yes; dnssec-validation no; empty-zones-enable no;
  forward only; forwarders { 127.0.0.1 port ${upstreamPort}; };
  response-policy { zone "rpz.local"; } qname-wait-recurse no;
};
controls { };
zone "rpz.local" { type primary; file "${file}"; };
`,
  );
  const program = startProgram(dir, 'named', ['-g', '-n', '1', '-c', config]);
  return {
    program,
    hasList: () => program.log().includes('rpz: rpz.local: reload done'),
    // named logs the options of its compiler at each start, and every name that it blocks.
    normal: / built with |: rpz QNAME NXDOMAIN rewrite /,
    // Each name is two records: itself, and everything below it.
    loaded: async () => (await countAliases(port, 'rpz.local')) / 2,
  };
}

function startUnbound({ dir, file, port, upstreamPort }: Setting): Started {
  const config = join(dir, 'unbound.conf');
  const control = join(dir, 'control');
  writeFileSync(
    config,
    `server:
  interface: 127.0.0.1
  port: ${port}
  do-daemonize: no
  chroot: ""
  username: ""
  directory: "${dir}"
  pidfile: ""
  use-syslog: no
  logfile: ""
  verbosity: 1
  num-threads: 1
  module-config: "iterator"
  do-not-query-localhost: no
forward-zone:
  name: "."
  forward-addr: 127.0.0.1@${upstreamPort}
remote-control:
  control-enable: yes
  control-interface: ${control}
  control-use-cert: no
include: ${file}
`,
  );
  const program = startProgram(dir, 'unbound', ['-d', '-c', config]);
  return {
    program,
    loaded: () =>
      execFileSync('unbound-control', ['-c', config, 'list_local_zones'], {
        encoding: 'utf8',
        maxBuffer: 1024 * 1024 * 1024,
      }).match(/ always_nxdomain$/gm)?.length ?? 0,
  };
}

function startDnsmasq({ dir, file, port, upstreamPort }: Setting): Started {
  const config = join(dir, 'dnsmasq.conf');
  writeFileSync(
    config,
    `port=${port}
listen-address=127.0.0.1
bind-interfaces
no-resolv
no-hosts
user=root
pid-file=
log-facility=-
server=127.0.0.1#${upstreamPort}
conf-file=${file}
`,
  );
  const program = startProgram(dir, 'dnsmasq', ['--keep-in-foreground', `--conf-file=${config}`]);
  return {
    program,
    // dnsmasq logs the first names one by one, and counts the rest.
    normal: /using only locally-known addresses for /,
    loaded: () => {
      const named = program.log().match(/using only locally-known addresses for /g)?.length ?? 0;
      return named + Number(/using (\d+) more local addresses/.exec(program.log())?.[1] ?? 0);
    },
  };
}

function startRbldnsd({ dir, file, port }: Setting): Started {
  const program = startProgram(dir, 'rbldnsd', ['-n', '-b', `127.0.0.1/${port}`, `${ZONE}:dnset:${file}`]);
  return {
    program,
    questionOf: (name) => `${name}.${ZONE}`,
    // rbldnsd logs `dnset:FILE: ... e/w=entries/wildcards`; a line `.name` counts as an entry and as a wildcard.
    loaded: () => Number(/e\/w=(\d+)\/\d+/.exec(program.log())?.[1] ?? 0),
  };
}
