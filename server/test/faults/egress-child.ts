import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { ProviderFailure } from '#capabilities/providers/provider.ts';
import { createAskWhois } from '#capabilities/providers/rdap/ask-whois.ts';
import { sendWebhook } from '#capabilities/webhooks/send-webhook.ts';
import { newSecret, sealSecret } from '#capabilities/webhooks/sign-delivery.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createUrlCheck } from '#platform/outbound/check-url.ts';
import { createOutboundStreams } from '#platform/outbound/streams.ts';
import { createOutbound, OutboundError } from '#platform/outbound.ts';
import { createSecrets } from '#platform/secrets.ts';
import { BAD_HOSTS, BAD_URLS, FORBIDDEN, NETWORK, PEER_NAME, REBINDING, REFERRALS } from './egress-corpus.ts';
import type { EgressReport, Try } from './egress-report.ts';

/** Runs in its own network namespace, so that the kernel counts every packet that leaves this process. */

const { own, peer, names } = NETWORK;
/** No outcome is about the deadline, so it is longer than a busy machine needs. */
const CALL = { deadlineMs: 30_000, bytesMax: 64 * 1024 };
const REDIRECTS = [301, 302, 303, 307, 308];
const REBINDING_ROUNDS = 6;

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' });
const internet = spawn(
  'unshare',
  ['-n', process.execPath, import.meta.resolve('./egress-peers-child.ts').slice(7)],
  {
    stdio: ['pipe', 'pipe', 'inherit'],
  },
);
const lines = createInterface({ input: internet.stdout })[Symbol.asyncIterator]();
const said = async () => String((await lines.next()).value ?? '');

await said();
ip('link', 'set', 'lo', 'up');
ip('link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far', 'netns', String(internet.pid));
ip('addr', 'add', `${own.v4}/24`, 'dev', 'near');
ip('-6', 'addr', 'add', `${own.v6}/64`, 'dev', 'near', 'nodad');
ip('link', 'set', 'near', 'up');
// A default route exists, so that a packet for a forbidden range would really leave.
ip('route', 'add', 'default', 'via', peer.v4);
ip('-6', 'route', 'add', 'default', 'via', peer.v6, 'dev', 'near');
internet.stdin.write('go\n');
const { authority } = JSON.parse((await said()).replace(/^ready /, '')) as { authority: string };
execFileSync('nft', ['-f', '-'], { input: ruleset() });

const options = {
  log: createLog('silent'),
  clock: systemClock(),
  dnsServers: [`${names}:53`],
  authorities: [authority],
};
const outbound = createOutbound(options);
const streams = createOutboundStreams(options);
const checkUrl = createUrlCheck(options);
const secrets = createSecrets(`1:${'a'.repeat(64)}`);
const askWhois = createAskWhois({ streams, clock: options.clock, whoisRoot: PEER_NAME });

const tries: Try[] = [];
const controls: Try[] = [];
await tryAll();
const afterCorpus = packets();
await control();
const afterControl = packets();
const refusedByKernel = await raiseEach();
const afterSamples = packets();
const report: EgressReport = { tries, controls, afterCorpus, afterControl, afterSamples, refusedByKernel };
await outbound.close();
await streams.close();
internet.kill('SIGKILL');
// The report is longer than a pipe holds: what a busy reader has not taken is lost with the process.
await new Promise((resolve) => process.stdout.write(JSON.stringify(report), resolve));
process.exit(0);

/**
 * One counter per forbidden range, and one for packets to any host but the peers. The kernel's own ICMP is
 * not counted.
 */
function ruleset(): string {
  const family = (range: string) => (range.includes(':') ? 'ip6' : 'ip');
  const counted = 'meta l4proto { tcp, udp }';
  const rules = FORBIDDEN.map(
    ({ range }, i) => `${counted} ${family(range)} daddr ${range} counter name r${i}`,
  );
  const elsewhere = [
    `${counted} ip daddr != { ${peer.v4}, ${names} } counter name elsewhere`,
    `${counted} ip6 daddr != ${peer.v6} counter name elsewhere`,
  ];
  const counters = [...FORBIDDEN.keys()].map((i) => `counter r${i} { }`);
  const chain = 'type filter hook output priority 0; policy accept;';
  return `table inet egress {
    ${counters.join('\n')}
    counter elsewhere { }
    counter peers { }
    chain out { ${chain}
      ${[...rules, ...elsewhere].join('\n')}
      ip daddr ${peer.v4} counter name peers
    }
  }`;
}

function packets(): Record<string, number> {
  const { nftables } = JSON.parse(execFileSync('nft', ['-j', 'list', 'counters'], { encoding: 'utf8' })) as {
    nftables: { counter?: { name: string; packets: number } }[];
  };
  const named = nftables.flatMap(({ counter }) => (counter === undefined ? [] : [counter]));
  return Object.fromEntries(
    named.map(({ name, packets }) => [FORBIDDEN[Number(name.slice(1))]?.range ?? name, packets]),
  );
}

async function tryAll(): Promise<void> {
  for (const host of BAD_HOSTS) {
    for (const url of [`http://${host}/`, `https://${host}/`, `https://${host}:8443/`])
      tries.push(await fetched(url));
    tries.push(...(await streamed(host.replace(/^\[|\]$/g, ''))));
    for (const url of [`https://${host}/`, `https://${host}:8443/`])
      tries.push(await written(url), await webhook(url));
    // A public host redirects to the forbidden target.
    const status = REDIRECTS[tries.length % REDIRECTS.length] ?? 302;
    tries.push(await fetched(redirectTo(`http://${host}/latest/meta-data/`, status)));
  }
  for (const zone of REFERRALS.keys()) if (zone > 0) tries.push(await referred(zone));
  for (const url of BAD_URLS) tries.push(await fetched(url), await written(url), await webhook(url));
  for (const url of BAD_URLS.filter((each) => !each.includes('\n')))
    tries.push(await fetched(redirectTo(url, 302)));
  for (const port of [1, 22, 80, 8443, 6379]) tries.push(...(await streamed(PEER_NAME, port)));
  // These hosts are reached or refused by turns; the packet counters decide whether a forbidden range was
  // contacted.
  for (const name of Object.keys(REBINDING))
    for (let round = 0; round < REBINDING_ROUNDS; round += 1) {
      controls.push(await fetched(`http://${name}/`));
      controls.push(...(await streamed(name)), await written(`https://${name}/`));
      await webhook(`https://${name}/`);
    }
}

function redirectTo(url: string, status: number): string {
  return `http://${PEER_NAME}/to/${status}/${encodeURIComponent(url)}`;
}

function fetched(url: string): Promise<Try> {
  return outcomeOf('fetch', url, async () => {
    const answer = await outbound.fetch(url, { ...CALL, schemes: ['http', 'https'], redirects: 3 });
    return await answer.text();
  });
}

/** Checks the URL of a webhook as the routes do that create or change one. */
function written(url: string): Promise<Try> {
  return outcomeOf('written', url, async () => {
    await checkUrl(url, { ports: [443, 8443], deadlineMs: CALL.deadlineMs });
    return 'reached';
  });
}

/** Sends a delivery or a test to a webhook whose URL was public when it was saved. */
function webhook(url: string): Promise<Try> {
  const endpointId = 'whk_1';
  return outcomeOf('webhook', url, async () => {
    const { status } = await sendWebhook(
      { clock: options.clock, secrets, outbound },
      {
        id: 'dlv_1',
        endpointId,
        accountId: 'org_1',
        event: 'alert.created',
        challenge: null,
        status: 'pending',
        attempts: 1,
        refusals: 0,
        step: 0,
        outOfOrder: false,
        isPrompt: true,
        body: '{}',
        createdAtMs: 0,
        url,
        secret: sealSecret(secrets, endpointId, newSecret()),
        olderSecret: null,
        olderUntilMs: null,
      },
      new AbortController().signal,
    );
    return status === null ? 'ignored' : 'reached';
  });
}

async function streamed(host: string, port?: number): Promise<Try[]> {
  return [
    await outcomeOf('exchange', `${host} ${port ?? ''}`, async () => {
      const answer = await streams.exchange({ ...CALL, host, port: port ?? 43, text: 'example.com\r\n' });
      return answer.includes('reached') ? 'reached' : 'another answer';
    }),
    await outcomeOf('handshake', `${host} ${port ?? ''}`, async () => {
      await streams.handshake({ ...CALL, host, port: port ?? 443 });
      return 'reached';
    }),
  ];
}

function referred(zone: number): Promise<Try> {
  return outcomeOf('referral', `${REFERRALS[zone]}`, async () => {
    const ask = { deadlineMs: CALL.deadlineMs, signal: new AbortController().signal };
    const { value } = await askWhois(`example.z${zone}`, ask);
    return value?.registrar ?? 'another answer';
  });
}

async function outcomeOf(way: Try['way'], target: string, go: () => Promise<string>): Promise<Try> {
  try {
    return { way, target, outcome: await go() };
  } catch (error) {
    if (error instanceof OutboundError) return { way, target, outcome: error.reason };
    // The referral named no valid host, and was not followed.
    const isIgnored = way === 'referral' && error instanceof ProviderFailure && error.kind === 'target';
    return { way, target, outcome: isIgnored ? 'ignored' : String(error) };
  }
}

/** Control: the peer is reached by every way out, and a connection that bypasses the guard is counted. */
async function control(): Promise<void> {
  for (const url of [
    `http://${PEER_NAME}/`,
    `https://${PEER_NAME}/`,
    `http://${peer.v4}/`,
    `http://[${peer.v6}]/`,
  ])
    controls.push(await fetched(url));
  controls.push(await written(`https://${PEER_NAME}/`), await webhook(`https://${PEER_NAME}/`));
  controls.push(await fetched(redirectTo(`https://${PEER_NAME}/`, 308)));
  controls.push(...(await streamed(PEER_NAME)), ...(await streamed(peer.v4)));
  controls.push(await referred(0));
  const bare = connect(80, '169.254.169.254').on('error', () => undefined);
  await delay(100);
  bare.destroy();
}

/** Sends one datagram to each range; returns the ranges that the kernel itself refuses to send to. */
async function raiseEach(): Promise<string[]> {
  const refused: string[] = [];
  for (const { range, sample } of FORBIDDEN) {
    const socket = createSocket(sample.includes(':') ? 'udp6' : 'udp4');
    const isLinkLocal = sample.startsWith('fe80') || sample.startsWith('ff');
    socket.on('error', () => undefined);
    await new Promise<void>((done) =>
      socket.send('x', 9, isLinkLocal ? `${sample}%near` : sample, (error) => {
        if (error !== null) refused.push(range);
        done();
      }),
    );
    socket.close();
    await once(socket, 'close');
  }
  return refused;
}
