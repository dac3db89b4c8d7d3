import { type DatasetRig, pathOf } from './dataset-rig.ts';
import { type NvdOptions, type NvdPage, type NvdRecord, nvdPeer } from './peers/nvd-peer.ts';
import { type Behaviour, goodFile } from './publisher.ts';
import * as bad from './publisher-faults.ts';
import { zipOf } from './small-archives.ts';
import * as files from './vulnerability-files.ts';

/** A turn of a publisher that must not cost the last good content. */
export type BadTurn = {
  readonly name: string;
  readonly dataset: string;
  /** `failed`: no file came. `quarantined`: a file came that a gate refused. */
  readonly status: 'failed' | 'quarantined';
  /** The sentence that the freshness report must contain. */
  readonly says: RegExp;
  readonly behaves: (rig: DatasetRig) => Behaviour;
  /** True when the turn is tested in the landing lane too. */
  readonly isShort?: boolean;
};

const DAY_MS = 86_400_000;
/** The day of the good editions, before the clock of the tests begins. */
const GOOD_DAY = '2026-05-06';
const [NVD_RECORDS, NVD_PAGE] = [120, 50];
const ENTRIES = 100;

/** Records that NVD changed a minute ago, so that every walk finds them. */
const nvdRecords = (rig: DatasetRig, more: object = {}): readonly NvdRecord[] =>
  Array.from({ length: NVD_RECORDS }, (_, nth) =>
    files.nvdRecord(nth, new Date(rig.now() - 60_000).toISOString().slice(0, -1), more),
  );
const nvd =
  (turn?: NvdOptions['turn'], more: object = {}) =>
  (rig: DatasetRig): Behaviour =>
    nvdPeer({
      now: rig.now,
      pageRecords: NVD_PAGE,
      records: () => nvdRecords(rig, more),
      ...(turn === undefined ? {} : { turn }),
    });

const goodKev = (released = GOOD_DAY, entries = files.kevEntries(ENTRIES)) =>
  files.kevFile({ released, entries });
const epss = (
  day = GOOD_DAY,
  scores: readonly (readonly [string, number | string])[] = files.epssScores(ENTRIES),
) => files.gzipped(files.epssFile(day, scores));
const records = (updated: string, cna: object = {}) =>
  Array.from({ length: ENTRIES }, (_, nth) => files.cveRecord(nth, updated, cna));

type Good = (rig: DatasetRig, edition: number) => Behaviour;
const good = (content: (edition: number) => string | Buffer, lastModified?: string): Good => {
  const options = lastModified === undefined ? {} : { lastModified };
  return (_, edition) => goodFile(Buffer.from(content(edition)), options);
};
const dayOf = (edition: number): string => `2026-05-0${3 + edition}`;
const GOOD: Readonly<Record<string, Good>> = {
  nvd: nvd(),
  kev: good((edition) => goodKev(dayOf(edition), files.kevEntries(ENTRIES + edition))),
  epss: good((edition) => epss(dayOf(edition))),
  'cve-list': good((edition) => files.cveListZip(records(`${dayOf(edition)}T10:00:00.000Z`))),
  'osv-pypi': good((edition) => files.osvZip(ENTRIES + edition)),
  'ransomwatch-posts': good((edition) => JSON.stringify(files.posts(ENTRIES + edition))),
  'ransomwatch-groups': good(
    (edition) => JSON.stringify(files.groups(ENTRIES + edition)),
    'Thu, 07 May 2026 10:00:00 GMT',
  ),
};

/** Data sets of the turns; three editions of each are loaded before them. */
export const TURNED: readonly string[] = Object.keys(GOOD);

/** Puts good content up; the first three editions make a usual size. */
export function publishGood(rig: DatasetRig, dataset: string, edition = 3): void {
  const behaves = GOOD[dataset];
  if (behaves === undefined) throw new Error(`There is no good content of '${dataset}'.`);
  rig.publisher.misbehave(pathOf(dataset), behaves(rig, edition));
}

const always = (behaviour: Behaviour) => (): Behaviour => behaviour;
const said = (content: string | Buffer, type = 'application/json') => always(bad.body(content, type));
const page = (change: (page: NvdPage, nth: number) => Partial<NvdPage>) =>
  nvd((sent, nth) => ({ ...sent, ...change(sent, nth) }));

const refused = (
  dataset: string,
  name: string,
  says: RegExp,
  behaves: BadTurn['behaves'],
  more: Partial<BadTurn> = {},
): BadTurn => ({ name: `${dataset}: ${name}`, dataset, status: 'quarantined', says, behaves, ...more });
const failed: typeof refused = (dataset, name, says, behaves, more) =>
  refused(dataset, name, says, behaves, { status: 'failed', ...more });
const SHORT = { isShort: true };

const NVD_TURNS: readonly BadTurn[] = [
  failed('nvd', '403 to every request', /refuses us \(403\)/, always(bad.answers(403))),
  failed(
    'nvd',
    '429 with a wish',
    /too often \(429\) and names 7200 s/,
    always(bad.answers(429, '', { 'retry-after': '7200' })),
    SHORT,
  ),
  failed('nvd', '500 to every request', /problem of its own \(500\)/, always(bad.answers(500, '{}'))),
  refused('nvd', 'cut-off HTML', /web page instead/, always(bad.html('<html><head><title>503 Serv')), SHORT),
  refused(
    'nvd',
    'half a page',
    /cut off or is no page/,
    nvd((sent) => JSON.stringify(sent).slice(0, JSON.stringify(sent).length / 2)),
  ),
  refused(
    'nvd',
    'a total that changes during the walk',
    /do not fit together/,
    page((sent, nth) => ({ totalResults: sent.totalResults + (nth === 1 ? 0 : 1) })),
    SHORT,
  ),
  refused(
    'nvd',
    'a page that moves during the walk: one record twice, another one never',
    /do not fit together/,
    page((sent, nth) => ({
      vulnerabilities:
        nth === 1
          ? sent.vulnerabilities
          : [{ cve: files.nvdRecord(0, '2026-05-08T00:00:00.000') }, ...sent.vulnerabilities.slice(1)],
    })),
    SHORT,
  ),
  refused(
    'nvd',
    'a total of more records than there are',
    /do not fit together/,
    page((sent) => ({ totalResults: sent.totalResults + 500 })),
  ),
  refused(
    'nvd',
    'a total of fewer records than a page has',
    /do not fit together/,
    page(() => ({ totalResults: 10 })),
  ),
  refused(
    'nvd',
    'the first page to every request',
    /do not fit together/,
    page(() => ({ startIndex: 0 })),
  ),
  refused(
    'nvd',
    'no scores any more',
    /100\.0 % of the records of nvd have no scores/,
    nvd(undefined, { metrics: {} }),
    SHORT,
  ),
  refused('nvd', 'null descriptions', /have no description/, nvd(undefined, { descriptions: null })),
  refused(
    'nvd',
    'another name of the list',
    /cut off or is no page/,
    nvd(({ vulnerabilities, ...sent }) => ({ ...sent, items: vulnerabilities })),
  ),
  refused(
    'nvd',
    'another name of the id',
    /None of its 120 entries could be read \(most often: wrong-format/,
    page((sent, nth) => ({
      vulnerabilities: sent.vulnerabilities.map((_, at) => ({ cve: { cveNumber: `${nth} ${at}` } })),
    })),
  ),
];

const KEV_TURNS: readonly BadTurn[] = [
  refused(
    'kev',
    'a connection that is cut in the middle',
    /cut off or damaged/,
    always(bad.cutAt(Buffer.from(goodKev('2026-05-08')), 5_000)),
  ),
  refused(
    'kev',
    'half a file',
    /None of its 1 entries could be read \(most often: not-json/,
    said(goodKev('2026-05-08').slice(0, 9_000)),
    SHORT,
  ),
  refused('kev', "yesterday's edition", /sent the edition of 2026-05-05/, said(goodKev('2026-05-05')), SHORT),
  refused(
    'kev',
    'an edition of next year',
    /2027-05-08, a day in the future/,
    said(goodKev('2027-05-08')),
    SHORT,
  ),
  refused(
    'kev',
    'a third of its entries',
    /33 entries are less than half the usual/,
    said(goodKev('2026-05-08', files.kevEntries(33))),
  ),
  refused(
    'kev',
    'a count of other entries than it has',
    /wrong-total, count 103, entries 60/,
    said(files.kevFile({ released: '2026-05-08', entries: files.kevEntries(60), count: 103 })),
  ),
  refused(
    'kev',
    'every entry twice',
    /100 of 200 entries repeat the id/,
    said(goodKev('2026-05-08', [...files.kevEntries(100), ...files.kevEntries(100)])),
    SHORT,
  ),
  refused('kev', 'an empty answer', /an empty file/, said('')),
  refused(
    'kev',
    'a catalogue without entries',
    /names no CVE at all/,
    said(files.kevFile({ released: '2026-05-08', entries: [] })),
  ),
  refused('kev', 'an object without the list', /most often: wrong-format/, said('{"error":"try later"}')),
  refused(
    'kev',
    'null in its descriptions',
    /100\.0 % of the records of kev have no description/,
    said(goodKev('2026-05-08', files.kevEntries(ENTRIES, { shortDescription: null }))),
  ),
  refused(
    'kev',
    'null in its dates',
    /most often: bad-date/,
    said(goodKev('2026-05-08', files.kevEntries(ENTRIES, { dateAdded: null }))),
  ),
  failed(
    'kev',
    'a redirect to a private address',
    /leads to an address that is not public/,
    always(bad.redirectsTo('http://10.0.0.8/known_exploited_vulnerabilities.json')),
    SHORT,
  ),
  failed('kev', 'a file that is gone', /no longer has this file \(404\)/, always(bad.answers(404))),
  failed(
    'kev',
    'a part of the file (206)',
    /answered 206/,
    always(bad.answers(206, goodKev('2026-05-08').slice(0, 4_000))),
  ),
  refused(
    'kev',
    'a gzip bomb',
    /unpacks to far more than it is/,
    always(bad.answers(200, files.zeroBomb(80), { 'content-encoding': 'gzip' })),
  ),
  refused(
    'kev',
    'a PDF',
    /not text|most often: /,
    said('%PDF-1.7\n1 0 obj << /Type /Catalog >>', 'application/pdf'),
  ),
];

const EPSS_TURNS: readonly BadTurn[] = [
  refused(
    'epss',
    'all zeros',
    /All 100 scores are 0/,
    said(
      epss(
        '2026-05-08',
        files.epssScores(ENTRIES).map(([id]) => [id, 0]),
      ),
    ),
    SHORT,
  ),
  refused(
    'epss',
    'half a gzip file',
    /ends in the middle of its gzip/,
    said(epss('2026-05-08').subarray(0, 300)),
  ),
  refused('epss', "yesterday's edition", /sent the edition of 2026-05-05/, said(epss('2026-05-05'))),
  refused(
    'epss',
    'no scores in its lines',
    /bad-number/,
    said(
      epss(
        '2026-05-08',
        files.epssScores(ENTRIES).map(([id]) => [id, '']),
      ),
    ),
  ),
  refused(
    'epss',
    'two scores for each CVE',
    /100 of 200 entries repeat the id/,
    said(epss('2026-05-08', [...files.epssScores(ENTRIES), ...files.epssScores(ENTRIES, 1)])),
  ),
  refused('epss', 'a gzip bomb', /not text|unpacks to/, said(files.zeroBomb(80), 'application/gzip')),
];

const ARCHIVE_TURNS: readonly BadTurn[] = [
  refused(
    'cve-list',
    'half a zip',
    /ends before the directory of its zip/,
    () => {
      const zip = files.cveListZip(records('2026-05-08T10:00:00.000Z'));
      return bad.body(zip.subarray(0, zip.length / 2), 'application/zip');
    },
    SHORT,
  ),
  refused(
    'cve-list',
    'records without the words of the CNA',
    /of the records of cna have no (?:description|references|affected)/,
    () =>
      bad.body(
        files.cveListZip(records('2026-05-08T10:00:00.000Z', { descriptions: null })),
        'application/zip',
      ),
  ),
  refused(
    'cve-list',
    'an archive of other files',
    /names no CVE at all|holds no/,
    said(zipOf({ 'README.md': 'moved' })),
  ),
  refused('osv-pypi', 'advisories without an id', /most often: |names no CVE/, () =>
    bad.body(files.osvZip(ENTRIES, { id: null, aliases: null }), 'application/zip'),
  ),
];

const TRACKER_TURNS: readonly BadTurn[] = [
  refused(
    'ransomwatch-posts',
    'half a file',
    /not JSON, or ends in the middle/,
    said(JSON.stringify(files.posts(ENTRIES)).slice(0, 4_000)),
  ),
  refused(
    'ransomwatch-posts',
    'null in its groups',
    /100 of 100 rows cannot be used \(most often: no group\)/,
    said(JSON.stringify(files.posts(ENTRIES, { group_name: null }))),
    SHORT,
  ),
  refused(
    'ransomwatch-posts',
    'posts of the year 2099',
    /most often: date in the future/,
    said(JSON.stringify(files.posts(ENTRIES, { discovered: '2099-01-01' }))),
  ),
  refused('ransomwatch-posts', 'an object without posts', /0 entries are fewer than/, said('{}')),
  refused(
    'ransomwatch-posts',
    'a sign-in page',
    /web page instead/,
    always(bad.html('<!doctype html><title>Sign in</title>')),
  ),
  refused(
    'ransomwatch-groups',
    'a tenth of its groups',
    /fewer than|less than half/,
    said(JSON.stringify(files.groups(11))),
  ),
  refused(
    'ransomwatch-groups',
    'older groups',
    /older data than what is in use/,
    () => (_, response) =>
      response
        .writeHead(200, { 'last-modified': new Date(Date.UTC(2026, 4, 7) - 30 * DAY_MS).toUTCString() })
        .end(JSON.stringify(files.groups(90))),
  ),
];

export const BAD_TURNS: readonly BadTurn[] = [
  ...NVD_TURNS,
  ...KEV_TURNS,
  ...EPSS_TURNS,
  ...ARCHIVE_TURNS,
  ...TRACKER_TURNS,
];
