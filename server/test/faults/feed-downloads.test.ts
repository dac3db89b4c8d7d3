import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { runSource } from '#capabilities/feeds/index.ts';
import { freePort } from '#test/eventually.ts';
import {
  addresses,
  addressList,
  type FeedPipeline,
  freshnessOf,
  startFeedPipeline,
} from '#test/feed-pipeline.ts';
import { feedRow } from '#test/feed-row.ts';
import {
  type Behaviour,
  type Publisher,
  startPublisher,
  startTlsPublisher,
  type TlsPublisher,
} from '#test/publisher.ts';
import * as bad from '#test/publisher-faults.ts';
import { tarOf, zipOf } from '#test/small-archives.ts';

/** Longer than a busy machine needs; cases of the deadline use SOON, or LATER where the headers must come in time. */
const DEADLINE_MS = 180_000;
const [SOON, LATER] = [{ deadlineMs: 1_500 }, { deadlineMs: 5_000 }];
const GOOD = addressList(1_000);
const NEXT_GOOD = addressList(1_010);
const goodBytes = Buffer.from(GOOD);
const gzipped = gzipSync(goodBytes);
const bomb = bad.bomb();
const zipped = zipOf({ 'list.txt': GOOD });
const tarred = tarOf({ 'list.txt': GOOD });

let publisher: Publisher;
let expired: TlsPublisher;
let selfSigned: TlsPublisher;
let closedPort: number;
let feeds: FeedPipeline;

beforeAll(async () => {
  publisher = await startPublisher();
  expired = await startTlsPublisher('expired', NEXT_GOOD);
  selfSigned = await startTlsPublisher('self-signed', NEXT_GOOD);
  closedPort = await freePort();
  feeds = await startFeedPipeline({
    allow: [publisher.allow, expired.allow, selfSigned.allow, `127.0.0.1/32:${closedPort}`],
    authorities: [expired.certificate],
    downloadDeadlineMs: DEADLINE_MS,
  });
});
afterAll(async () => {
  await feeds.close();
  await Promise.all([publisher.close(), expired.close(), selfSigned.close()]);
});

type BadDownload = {
  readonly name: string;
  readonly status: 'failed' | 'quarantined';
  readonly says: RegExp;
  readonly behaves?: Behaviour;
  /** The list redirects to this address, in place of a behaviour. */
  readonly movedTo?: () => string;
  readonly row?: Partial<CatalogueRow>;
  readonly deadlineMs?: number;
  /** Number of good downloads before; three establish a usual size. */
  readonly goodBefore?: number;
};

const gate = (
  name: string,
  says: RegExp,
  behaves: Behaviour,
  more: Partial<BadDownload> = {},
): BadDownload => ({
  name,
  status: 'quarantined',
  says,
  behaves,
  ...more,
});
const failure = (
  name: string,
  says: RegExp,
  behaves: Behaviour,
  more: Partial<BadDownload> = {},
): BadDownload => ({
  name,
  status: 'failed',
  says,
  behaves,
  ...more,
});
const goodButFor = (share: number, lines: readonly string[]): Behaviour =>
  bad.body([...addresses(Math.round(1_000 * (1 - share))), ...lines].join('\n'));
const many = (count: number, line: (nth: number) => string) =>
  Array.from({ length: count }, (_, nth) => line(nth));
const lines = (text: string | Buffer) => bad.body(text);

const STATUSES: readonly BadDownload[] = [
  failure('401', /refuses us \(401\)/, bad.answers(401)),
  failure('403', /refuses us \(403\)/, bad.answers(403, 'blocked')),
  failure('404', /no longer has this file/, bad.answers(404, GOOD)),
  failure('410', /no longer has this file/, bad.answers(410)),
  failure(
    '429 with a wish',
    /too often \(429\) and names 7200 s/,
    bad.answers(429, '', { 'retry-after': '7200' }),
  ),
  failure('500 with the whole list in its body', /problem of its own \(500\)/, bad.answers(500, NEXT_GOOD)),
  failure('503', /problem of its own \(503\)/, bad.answers(503)),
  failure('206, a part of the file', /answered 206/, bad.answers(206, GOOD.slice(0, 9_000))),
  failure('204', /answered 204/, bad.answers(204)),
];

const CONNECTIONS: readonly BadDownload[] = [
  failure('no answer at all', /did not answer in time/, bad.silence, SOON),
  failure('headers one byte at a time', /did not answer in time/, bad.slowHeaders, SOON),
  failure('a body that is sent too slowly', /too slow/, bad.slowBody, LATER),
  failure('a connection that is reset', /could not be reached/, bad.resets),
  failure('something that is not HTTP', /not valid HTTP/, bad.notHttp),
  failure('a redirect to itself', /More than 3 redirects/, (request, response) =>
    response.writeHead(302, { location: request.url ?? '/' }).end(),
  ),
  failure(
    'a redirect to the metadata service',
    /not public/,
    bad.redirectsTo('http://169.254.169.254/latest/meta-data/'),
  ),
  failure('a redirect to a file', /not a URL/, bad.redirectsTo('file:///etc/passwd')),
  failure(
    'a redirect to this machine by another port',
    /Port 1 is not fetched/,
    bad.redirectsTo('http://127.0.0.1:1/'),
  ),
  {
    name: 'no server on the port',
    status: 'failed',
    says: /could not be reached/,
    movedTo: () => `http://127.0.0.1:${closedPort}/`,
  },
  {
    name: 'an expired certificate of a trusted publisher',
    status: 'failed',
    says: /TLS handshake/,
    movedTo: () => expired.url,
  },
  {
    name: 'a self-signed certificate',
    status: 'failed',
    says: /TLS handshake/,
    movedTo: () => selfSigned.url,
  },
];

const BYTES: readonly BadDownload[] = [
  gate('an empty file', /empty file/, lines('')),
  gate('a body without an end', /larger than the 2,000,000 bytes/, bad.endlessBody(Buffer.from(GOOD))),
  gate(
    'a body whose declared length exceeds the cap',
    /larger than the 2,000,000 bytes/,
    lines('45.64.0.1\n'.repeat(250_000)),
  ),
  gate('a cut connection in the first line', /cut off or damaged/, bad.cutAt(goodBytes, 5)),
  gate('a cut connection in the middle', /cut off or damaged/, bad.cutAt(goodBytes, goodBytes.length >> 1)),
  gate(
    'a cut connection before the last byte',
    /cut off or damaged/,
    bad.cutAt(goodBytes, goodBytes.length - 1),
  ),
  gate('a chunked body without its end', /cut off or damaged/, bad.cutChunkedAt(goodBytes, 9_000)),
  gate(
    'a length that is too large',
    /cut off or damaged/,
    bad.wrongLength(goodBytes, goodBytes.length + 500),
  ),
  gate('a length that is too small', /fewer than the 500/, bad.wrongLength(goodBytes, 3_000)),
  gate('an invalid gzip file', /cut off or damaged/, bad.notGzip(goodBytes)),
  gate('an encoding cut off', /cut off or damaged/, bad.notGzip(gzipped.subarray(0, gzipped.length - 40))),
  gate('a gzip bomb as an encoding', /unpacks to far more/, bad.notGzip(bomb)),
  gate('a gzip bomb as a file', /unpacks to more than 100 times/, bad.body(bomb, 'application/gzip')),
  gate(
    'a gzip file cut off',
    /ends in the middle of its gzip/,
    bad.body(gzipped.subarray(0, gzipped.length >> 1), 'application/gzip'),
  ),
  gate(
    'a gzip file with a flipped byte',
    /cannot be unpacked/,
    bad.body(flipped(gzipped), 'application/gzip'),
  ),
  gate(
    'a zip cut off',
    /ends before the directory/,
    bad.body(zipped.subarray(0, zipped.length - 30), 'application/zip'),
  ),
  gate(
    'a zip with a password',
    /encrypted/,
    bad.body(zipOf({ 'list.txt': GOOD }, { isEncrypted: true }), 'application/zip'),
  ),
  gate('a zip without files', /no entry at all/, bad.body(zipOf({}), 'application/zip')),
  gate(
    'a tar cut off',
    /ends in the middle of its tar/,
    bad.body(tarred.subarray(0, 3_000), 'application/x-tar'),
  ),
];

const CONTENTS: readonly BadDownload[] = [
  gate(
    'an error page with status 200',
    /web page instead of the list/,
    bad.html('<!doctype html><title>Error</title><h1>Something went wrong</h1>'),
  ),
  gate(
    'a captcha',
    /web page instead of the list/,
    bad.html('\n\n<html><body><script src="/challenge.js"></script>Are you human?</body></html>'),
  ),
  gate('a redirect to a login page', /web page instead of the list/, (request, response) =>
    request.url?.includes('login') === true
      ? bad.html('<html><form action="/session"><input name="password"></form></html>')(request, response)
      : bad.redirectsTo(`${request.url}?login=1`)(request, response),
  ),
  gate(
    'a page declared as text',
    /web page instead of the list/,
    lines('<html><head><title>Moved</title></head></html>'),
  ),
  gate(
    'an error as JSON',
    /None of its 1 entries can be listed/,
    bad.body('{"error":"rate limit exceeded","code":42}', 'application/json'),
  ),
  gate(
    'a check of the browser that starts as text',
    /web page instead of the list/,
    bad.html('Checking your browser.\n<a href="/verify">Go on</a>'),
  ),
  gate('only comments', /no entry at all/, lines('# nothing today\n; really\n')),
  gate('UTF-16', /UTF-16/, lines(Buffer.from(`\uFEFF${GOOD}`, 'utf16le'))),
  gate('NUL bytes', /NUL bytes/, lines(Buffer.concat([goodBytes, Buffer.alloc(4_000)]))),
  gate(
    'an executable',
    /not text/,
    lines(Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01\0'), Buffer.alloc(4_096, 7)])),
  ),
  gate('one line of 200 MB', /longer than 8192/, bad.longLine(200 * 1024 * 1024), {
    row: { bytesMax: 300_000_000 },
  }),
  gate('a thousand copies of one line', /fewer than the 500/, lines('45.64.0.1\n'.repeat(1_000))),
  gate(
    'prose',
    /None of its 800 entries/,
    lines('We no longer offer this list.\nThank you for all the fish.\n'.repeat(400)),
  ),
  gate(
    'another format',
    /None of its 1,000 entries/,
    lines(many(1_000, (nth) => `{"ip_address":{"v":${nth}},"x":[${nth}]}`).join('\n')),
  ),
  gate(
    'another list of the publisher',
    /another kind \(domain\)/,
    lines(many(1_000, (nth) => `bad-${nth}.example-shop.com`).join('\n')),
  ),
  gate('fewer entries than it ever has', /fewer than the 500/, lines(addressList(499))),
  gate('more entries than it ever has', /more than the 5,000/, lines(addressList(5_001))),
  gate('less than half the usual size', /less than half the usual 1,00/, lines(addressList(470)), {
    goodBefore: 3,
    row: { volume: { min: 1, max: 100_000 } },
  }),
  gate(
    'more than three times the usual size',
    /more than three times the usual 1,00/,
    lines(addressList(3_100)),
    { goodBefore: 3, row: { volume: { min: 1, max: 100_000 } } },
  ),
  gate(
    'private addresses',
    /not usable/,
    goodButFor(
      0.05,
      many(50, (nth) => `10.0.0.${nth}`),
    ),
  ),
  gate(
    'everything at once: 0.0.0.0/0, ::/0, 0.0.0.0/7',
    /not usable/,
    goodButFor(
      0.05,
      many(50, (nth) => ['0.0.0.0/0', '::/0', '0.0.0.0/7'][nth % 3] ?? ''),
    ),
  ),
  gate(
    'public suffixes and stars',
    /not usable/,
    goodButFor(
      0.05,
      many(50, (nth) => ['co.uk', 'com', '*', '/', 'github.io'][nth % 5] ?? ''),
    ),
  ),
  gate(
    'addresses of public resolvers',
    /known to be good/,
    goodButFor(0, [
      '8.8.8.8',
      '8.8.4.4',
      '1.1.1.1',
      '1.0.0.1',
      '9.9.9.9',
      '208.67.222.222',
      '208.67.220.220',
    ]),
  ),
  gate(
    'only entries that are known to be good',
    /None of its 1,000 entries can be listed .most often: Known-good/,
    lines(['8.8.8.8', '8.8.4.4', '1.1.1.1', '1.0.0.1', '9.9.9.9'].join('\n').concat('\n').repeat(200)),
  ),
];

function flipped(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  copy[copy.length >> 1] = (copy[copy.length >> 1] ?? 0) ^ 0x5a;
  return copy;
}

const CASES = [...STATUSES, ...CONNECTIONS, ...BYTES, ...CONTENTS].map((each, nth) => ({
  ...each,
  id: `case-${nth}`,
}));

/** Loads good content, which the bad download must not replace. */
async function loadGood({ id, row, goodBefore = 1 }: (typeof CASES)[number]): Promise<void> {
  feeds.deps.catalogue.push(feedRow(id, [publisher.url(id)], row));
  for (let nth = goodBefore - 1; nth >= 0; nth -= 1) {
    publisher.publish(id, addressList(1_000 + nth), { lastModified: 'Sat, 01 Aug 2026 00:00:00 GMT' });
    expect(await runSource(feeds.deps, id)).toMatchObject({ status: 'succeeded', reason: null });
  }
}

describe('a bad download never replaces a good one', () => {
  test(`the table holds ${CASES.length} cases`, () => {
    expect(CASES.length).toBeGreaterThanOrEqual(45);
  });

  test.each(CASES)('$name', async (given) => {
    const { id, says, status, movedTo } = given;
    await loadGood(given);
    const before = await feeds.listed(id);
    expect(before.split('\n')).toHaveLength(1_000);

    const row = feeds.deps.catalogue.find((each) => each.id === id) as { urls: readonly string[] };
    if (movedTo !== undefined) row.urls = [movedTo()];
    else publisher.misbehave(id, given.behaves ?? bad.silence);
    const { deadlineMs = DEADLINE_MS } = given;
    const outcome = await runSource({ ...feeds.deps, downloadDeadlineMs: deadlineMs }, id);

    expect(outcome).toMatchObject({ status });
    expect(outcome.reason).toMatch(says);
    expect(await feeds.listed(id)).toBe(before);
    const state = await feeds.state(id);
    expect(state.problem).toBe(
      `${outcome.reason} The last good content of 2026-08-01 (1,000 entries) stays.`,
    );
    expect(state.failures).toBe(1);
    expect(state.quarantined).toBe(status === 'quarantined' ? outcome.gate : null);
    const shown = { status: 'failing', message: state.problem, records: 1_000 };
    expect(await freshnessOf(feeds, id)).toMatchObject(shown);
    const run = { status, reason: outcome.reason, finished_at: expect.any(Date) };
    expect((await feeds.runs(id)).at(-1)).toMatchObject(run);

    row.urls = [publisher.url(id)];
    publisher.publish(id, NEXT_GOOD);
    expect(await runSource(feeds.deps, id)).toMatchObject({ status: 'succeeded' });
    expect(await feeds.state(id)).toMatchObject({ problem: null, failures: 0, quarantined: null });
    expect(await freshnessOf(feeds, id)).toMatchObject({ message: null, records: 1_010 });
    expect((await feeds.listed(id)).split('\n')).toHaveLength(1_010);
  });
});

describe('downloads that look bad but are accepted', () => {
  test.each([
    ['a byte order mark', `\uFEFF${NEXT_GOOD}`],
    ['line ends of another system', NEXT_GOOD.replaceAll('\n', '\r\n')],
    ['a gzip file', gzipSync(NEXT_GOOD)],
    ['a zip file', zipOf({ 'list.txt': NEXT_GOOD })],
    ['a tar file', tarOf({ 'list.txt': NEXT_GOOD })],
    ['a few entries that cannot be listed', `${NEXT_GOOD}10.0.0.1\n0.0.0.0/0\n8.8.8.8\n`],
  ])('%s', async (name, content) => {
    const id = `fine-${name.replaceAll(' ', '-')}`;
    feeds.deps.catalogue.push(feedRow(id, [publisher.url(id)]));
    publisher.publish(id, content);
    expect(await runSource(feeds.deps, id)).toMatchObject({ status: 'succeeded' });
    expect((await feeds.listed(id)).split('\n')).toHaveLength(1_010);
  });
});
