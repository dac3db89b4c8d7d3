import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { corpusDataset, openCorpus } from '#capabilities/corpus/index.ts';
import { EMPTY_BOOK } from '#capabilities/enrichment/index.ts';
import { createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import { createScan, type ScanDeps } from '#capabilities/mail/scan-message.ts';
import { openScanThreads } from '#capabilities/mail/scan-threads.ts';
import { createAbsentLookup } from '#capabilities/providers/frame/create-lookup.ts';
import { systemClock } from '#platform/clock.ts';
import { ServiceError } from '#platform/errors.ts';
import { createLog } from '#platform/log.ts';
import { openReplica } from '#platform/replica/reader.ts';
import { makePe } from '#test/mail/made-files.ts';
import { makeMail } from '#test/mail/made-mail.ts';
import { PATIENT_SCANS } from '#test/mail/mail-rig.ts';

/** Runs in its own network namespace, so that the kernel counts every packet that a scan sends. */
const ip = (...args: string[]): string => execFileSync('ip', args, { encoding: 'utf8' });
const DEVICE = 'near';
const GATEWAY = '198.51.102.1';

execFileSync('sysctl', ['-qw', 'net.ipv6.conf.all.disable_ipv6=1'], { stdio: 'ignore' });
ip('link', 'set', 'lo', 'up');
ip('link', 'add', DEVICE, 'type', 'veth', 'peer', 'name', 'far');
ip('link', 'set', 'far', 'up');
ip('addr', 'add', '198.51.102.2/24', 'dev', DEVICE);
ip('link', 'set', DEVICE, 'up');
// A default route and a known neighbour exist, so that a packet would really leave.
ip('neigh', 'add', GATEWAY, 'lladdr', '02:00:00:00:00:01', 'dev', DEVICE);
ip('route', 'add', 'default', 'via', GATEWAY);

const packets = (): number => {
  const [{ stats64 }] = JSON.parse(ip('-s', '-j', 'link', 'show', DEVICE)) as [
    { stats64: { tx: { packets: number } } },
  ];
  return stats64.tx.packets;
};

const [clock, log] = [systemClock(), createLog('silent')];
const replica = await openReplica({ dataDir: process.argv[2] ?? '', dataset: corpusDataset, log, clock });
const corpus = openCorpus(replica);
const assess = createAssessor({
  corpus,
  misses: createMissCache(clock),
  clock,
  enrichment: { book: () => EMPTY_BOOK },
});
const providers = { dns: createAbsentLookup('dns', 'off') } as ScanDeps['providers'];
const scan = createScan({ assess, corpus, clock, providers });
const threads = openScanThreads(PATIENT_SCANS, log);

const mail = makeMail({
  from: 'PayPal <x@203-0-114-9.evil-sender.net>',
  html: '<a href="http://203.0.114.9/x">x</a><img src="http://203.0.114.10/pixel.gif"><a href="http://evil-link.net/">www.bank.com</a>',
  parts: [{ type: 'application/octet-stream', content: makePe(), filename: 'run.exe' }],
});
const before = packets();
const slot = threads.takeSlot({ accountId: 'org_a', plan: 'PRO' }, 'mail');
if (slot instanceof ServiceError) throw slot;
const opened = await slot.read(Buffer.from(JSON.stringify({ emlBase64: mail.toString('base64') })));
const facts = await opened.facts();
const { verdict } = await scan(facts, {
  context: opened.context,
  asker: { organizationId: null },
  signal: new AbortController().signal,
  startedMs: clock.monotonic(),
});
slot.release();
const afterScan = packets();
const socket = connect(80, '203.0.114.9');
socket.on('error', () => undefined);
while (packets() === afterScan) await delay(20);
socket.destroy();
process.stdout.write(
  JSON.stringify({
    verdict,
    links: facts.links.length,
    sent: afterScan - before,
    control: packets() - afterScan,
  }),
);
threads.close();
await replica.close();
