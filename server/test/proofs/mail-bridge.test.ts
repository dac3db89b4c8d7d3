import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { startDnsPeer } from '#test/dns-peer.ts';
import { eventually, freePort } from '#test/eventually.ts';
import { keyThatBlocks } from '#test/mail/blocking-key.ts';
import { makeMail } from '#test/mail/made-mail.ts';
import { HAS_POSTFIX, type Postfix, type PostfixChanges, startPostfix } from '#test/mail/postfix.ts';
import { HAS_RSPAMD, startRspamd } from '#test/mail/rspamd.ts';
import { type ScanProxy, type ScanState, startScanProxy } from '#test/mail/scan-proxy.ts';
import { MailSender } from '#test/mail/send-mail.ts';
import { type SmtpSink, type SunkMail, startSmtpSink } from '#test/mail/smtp-sink.ts';
import { keepResult } from '#test/proof-results.ts';
import { type Service, startService } from '#test/service.ts';

/** Real Postfix and rspamd with the documented lines, and the real service behind a proxy that fails on demand. */
const MAILS = 500;
const SENDERS = 8;
const KILLS = 8;
const BLOCKED = 'blocked-by-the-proof.com';
const BRIDGE = join(import.meta.dirname, '../../../integrations/postfix/main.ts');
/** Every third message has the blocked link. */
const isListed = (i: number): boolean => i % 3 === 0;

let database: TestDatabase;
let service: Service;
let proxy: ScanProxy;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ databaseUrl: database.url });
  proxy = await startScanProxy(service.url);
});
afterAll(async () => {
  await proxy?.close();
  await service?.stop();
  await database?.drop();
});

const rigs: Rig[] = [];
afterEach(async () => {
  proxy.state = 'up';
  for (const rig of rigs.splice(0)) await rig.stop();
});

const mailOf = (run: string, i: number): string =>
  makeMail({
    headers: ['X-Assay-Verdict: clean'],
    ...(isListed(i) ? { html: `<a href="http://${BLOCKED}/x">x</a>` } : { text: `Notes ${i}` }),
  })
    .toString('latin1')
    .replace(/^Message-ID:.*$/m, `Message-ID: <${run}.${i}@proof.example.org>`);
const idOf = (raw: string): string => /^Message-ID: <(.*?)>/im.exec(raw)?.[1] ?? 'none';
const headerOf = (raw: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*?)\\r?$`, 'm').exec(raw.split('\r\n\r\n')[0] ?? '')?.[1];

type Rig = {
  readonly postfix: Postfix;
  readonly sink: SmtpSink;
  readonly restart: (signal?: NodeJS.Signals) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** One account for each run, because an account may scan 600 messages in a minute. */
async function openRig(
  name: string,
  env: Record<string, string> = {},
  changes: PostfixChanges = {},
): Promise<Rig> {
  const key = await keyThatBlocks(service, name, BLOCKED);
  const sink = await startSmtpSink();
  const port = await freePort();
  const postfix = await startPostfix(port, sink.port, changes);
  const start = async (): Promise<ChildProcess> => {
    const child = fork(BRIDGE, [], {
      env: {
        PATH: process.env.PATH,
        ASSAY_LISTEN: `127.0.0.1:${port}`,
        ASSAY_REINJECT: `127.0.0.1:${postfix.reinjectPort}`,
        ASSAY_URL: proxy.url,
        ASSAY_KEY: key,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    await once(child.stdout ?? child, 'data');
    child.stdout?.resume();
    return child;
  };
  let bridge = await start();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = once(bridge, 'exit');
    bridge.kill(signal);
    await ended;
  };
  const rig: Rig = {
    postfix,
    sink,
    restart: async (signal = 'SIGKILL') => {
      await end(signal);
      bridge = await start();
    },
    stop: async () => {
      await end('SIGTERM');
      await postfix.stop();
      await sink.close();
    },
  };
  rigs.push(rig);
  return rig;
}

async function sendAll({ postfix }: Rig, run: string, count = MAILS): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    const sender = await MailSender.open(postfix.port);
    for (let i = next++; i < count; i = next++) {
      const sent = await sender.send(mailOf(run, i));
      if (sent.code !== 250) throw new Error(`Postfix did not take a message: ${sent.text}`);
    }
    sender.close();
  };
  await Promise.all(Array.from({ length: SENDERS }, work));
}

const byId = (sink: SmtpSink): ReadonlyMap<string, SunkMail[]> =>
  Map.groupBy(sink.mails, ({ raw }) => idOf(raw)) as Map<string, SunkMail[]>;
const arrived = (rig: Rig, count = MAILS): Promise<number> =>
  eventually('every message has arrived and no queue holds one', 600_000, () => {
    return byId(rig.sink).size >= count && rig.postfix.queued() === 0;
  });

/** Expects each message exactly once and no other, with the headers of its scan or of its skipped scan. */
function expectMarked(sink: SmtpSink, skipped: readonly string[] | null): void {
  expect(sink.mails).toHaveLength(byId(sink).size);
  for (const { raw } of sink.mails) {
    const number = Number(/\.(\d+)@/.exec(idOf(raw))?.[1]);
    const scan = headerOf(raw, 'X-Assay-Scan');
    if (skipped === null) {
      expect(scan).toBe('done');
      expect(headerOf(raw, 'X-Assay-Verdict')).toBe(isListed(number) ? 'malicious' : 'inconclusive');
    } else {
      expect(skipped.map((reason) => `skipped; reason=${reason}`)).toContain(scan);
      expect(headerOf(raw, 'X-Assay-Verdict')).toBeUndefined();
    }
  }
}

const STATES: readonly (readonly [ScanState, readonly string[] | null])[] = [
  ['up', null],
  ['slow', null],
  ['late', ['timeout', 'busy']],
  ['full', ['busy', 'timeout']],
  ['gone', ['unreachable']],
];

describe.runIf(HAS_POSTFIX)('Postfix', () => {
  test.each(STATES)(
    'open, scanner %s: every message arrives once with its headers',
    async (state, skipped) => {
      // A scanner that answers must not run out of time because other programs use the cores.
      const deadline = skipped === null ? '120000' : '3000';
      const rig = await openRig(`open-${state}`, { ASSAY_SCAN_DEADLINE_MS: deadline });
      proxy.state = state;
      const startMs = performance.now();
      await sendAll(rig, state);
      await arrived(rig);
      const seconds = (performance.now() - startMs) / 1_000;
      expectMarked(rig.sink, skipped);
      expect(byId(rig.sink).size).toBe(MAILS);
      keepResult(`mail-bridge.${state}`, { messages: rig.sink.mails.length, perSecond: MAILS / seconds });
      proxy.state = 'up';
    },
  );

  test('closed, scanner gone: no message passes unscanned, and every one arrives once when it is back', async () => {
    const rig = await openRig('closed', { ASSAY_ON_FAILURE: 'closed' });
    proxy.state = 'gone';
    await sendAll(rig, 'closed');
    await eventually('every message was refused once', 600_000, () => {
      const refused = new Set(
        [...rig.postfix.log().matchAll(/ ([0-9A-F]+): to=.*status=deferred/g)].map(([, id]) => id),
      );
      return refused.size >= MAILS;
    });
    expect(rig.sink.mails).toHaveLength(0);
    // At least: Postfix behind the bridge also begins a queue file for each message that is offered to it.
    expect(rig.postfix.queued()).toBeGreaterThanOrEqual(MAILS);
    proxy.state = 'up';
    await arrived(rig);
    expectMarked(rig.sink, null);
    keepResult('mail-bridge.closed', { messages: rig.sink.mails.length });
  });

  test('killed eight times: none is lost, and one is doubled only where the bridge died between two answers', async () => {
    const rig = await openRig('killed');
    const sending = sendAll(rig, 'killed');
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const until = Math.floor((kill * MAILS) / (KILLS + 1));
      await eventually('so many have arrived', 600_000, () => byId(rig.sink).size >= until);
      await rig.restart();
    }
    await sending;
    await arrived(rig);
    const doubled = [...byId(rig.sink)].filter(([, mails]) => mails.length > 1);
    const log = rig.postfix.log();
    for (const [id, mails] of doubled) {
      // A message may arrive twice only when Postfix had sent it and heard no answer.
      const queueIds = [...log.matchAll(/ ([0-9A-F]+): message-id=<(.*?)>/g)].filter(
        (each) => each[2] === id,
      );
      const unheard = queueIds.filter(([, queueId]) =>
        new RegExp(` ${queueId}: to=.*status=deferred \\(lost connection.*end of data`).test(log),
      );
      expect(unheard.length, id).toBeGreaterThanOrEqual(mails.length - 1);
      for (const { raw } of mails) expect(headerOf(raw, 'X-Assay-Scan')).toBe('done');
    }
    keepResult('mail-bridge.killed', {
      kills: KILLS,
      messages: byId(rig.sink).size,
      doubled: doubled.length,
    });
  });

  test('every message that Postfix accepts at its limit of size arrives with its headers', async () => {
    const LIMIT = 200_000;
    const rig = await openRig('sizes', {}, { main: `message_size_limit = ${LIMIT}\n` });
    const sender = await MailSender.open(rig.postfix.port);
    let accepted = 0;
    for (let size = LIMIT - 6_000; size < LIMIT + 500; size += 100) {
      const text = `${mailOf('sizes', size)}\r\n`.padEnd(size, 'line of text\r\n');
      if ((await sender.send(text)).code === 250) accepted += 1;
    }
    sender.close();
    await arrived(rig, accepted);
    expect(rig.sink.mails).toHaveLength(accepted);
    for (const { raw } of rig.sink.mails) expect(headerOf(raw, 'X-Assay-Scan')).toBe('done');
    expect(rig.postfix.log()).not.toMatch(/status=bounced/);
    keepResult('mail-bridge.sizes', { accepted });
  });

  test('quarantine by redirect: listed messages go to the mailbox, the others to their recipients', async () => {
    const rig = await openRig('quarantine', { ASSAY_QUARANTINE_TO: 'quarantine@example.net' });
    await sendAll(rig, 'quarantine', 60);
    await arrived(rig, 60);
    expectMarked(rig.sink, null);
    for (const { raw, recipients } of rig.sink.mails) {
      const isHeld = headerOf(raw, 'X-Assay-Verdict') === 'malicious';
      expect(recipients).toEqual([isHeld ? 'quarantine@example.net' : 'b@example.net']);
      expect(headerOf(raw, 'X-Assay-Recipients')).toBe(isHeld ? 'b@example.net' : undefined);
    }
  });

  test('quarantine by hold: listed messages wait in the queue of Postfix', async () => {
    const rig = await openRig(
      'hold',
      {},
      {
        changes: [
          [',no_header_body_checks', ''],
          ['cleanup\n', 'cleanup\n    -o header_checks=regexp:{{/^X-Assay-Action: quarantine/ HOLD}}\n'],
        ],
      },
    );
    await sendAll(rig, 'hold', 30);
    await eventually('every message is at its place', 60_000, () => {
      return rig.sink.mails.length === 20 && rig.postfix.held() === 10;
    });
    expect(rig.postfix.queued()).toBe(0);
    for (const { raw } of rig.sink.mails) expect(headerOf(raw, 'X-Assay-Action')).toBe('deliver');
  });
});

describe.runIf(HAS_RSPAMD)('rspamd', () => {
  const SYMBOLS: Readonly<Record<ScanState, (i: number) => readonly [string, string?]>> = {
    up: (i) => [isListed(i) ? 'ASSAY_MALICIOUS' : 'ASSAY_NO_OBJECTION'],
    slow: (i) => [isListed(i) ? 'ASSAY_MALICIOUS' : 'ASSAY_NO_OBJECTION'],
    late: () => ['ASSAY_SKIPPED', 'unreachable'],
    full: () => ['ASSAY_SKIPPED', 'busy'],
    gone: () => ['ASSAY_SKIPPED', 'unreachable'],
  };

  test('every message gets an answer, with the symbol of the scan or of its absence', async () => {
    const key = await keyThatBlocks(service, 'rspamd', BLOCKED);
    const dns = await startDnsPeer(() => 'NXDOMAIN');
    const rspamd = await startRspamd({ dns: dns.server, assay: { url: proxy.url, key } });
    try {
      for (const [state] of STATES) {
        proxy.state = state;
        // A scanner that never answers costs the whole timeout for each message.
        const count = state === 'late' ? 4 : 100;
        for (let i = 0; i < count; i += 1) {
          const { symbols } = await rspamd.check(Buffer.from(mailOf(`rspamd-${state}`, i), 'latin1'));
          const own = Object.keys(symbols).filter((symbol) => symbol.startsWith('ASSAY_'));
          const [symbol, reason] = SYMBOLS[state](i);
          expect(own, `${state} ${i}`).toEqual([symbol]);
          if (reason !== undefined) expect(symbols[symbol]?.options).toEqual([reason]);
          if (symbol === 'ASSAY_MALICIOUS') expect(symbols[symbol]?.options).toContain('link.listed');
        }
        keepResult(`mail-bridge.rspamd-${state}`, { messages: count });
      }
    } finally {
      proxy.state = 'up';
      await rspamd.stop();
      dns.close();
    }
  });
});

test.runIf(!HAS_POSTFIX || !HAS_RSPAMD)('a part was left out', () => {
  say(
    `Postfix ${HAS_POSTFIX ? 'is' : 'is NOT'} installed, rspamd ${HAS_RSPAMD ? 'is' : 'is NOT'} installed.`,
  );
});
