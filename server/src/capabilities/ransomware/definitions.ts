import type { DatasetDefinition, DatasetFile } from '#capabilities/datasets/index.ts';
import { DAY_MS, DAY_S, HOUR_S } from '#platform/time-units.ts';
import { loadContent } from './load/load-content.ts';
import type { Format } from './load/read-content.ts';
import { isOfPosts, trackerOf } from './trackers.ts';

/** A file of a tracker, as a data set. Claims name its publisher as their tracker. */
export type RansomwareDataset = DatasetDefinition & {
  readonly format: Format;
};

type Given = Pick<RansomwareDataset, 'id' | 'name' | 'licence' | 'format' | 'volume'> & {
  readonly url?: string;
  readonly everyS?: number;
  readonly attribution?: string;
  readonly isPage?: boolean;
};

const BYTES_MAX = 64 * 1024 * 1024;
const RAW = 'https://raw.githubusercontent.com';

const dataset = ({ url, everyS = DAY_S, ...given }: Given): RansomwareDataset => ({
  ...given,
  capability: 'ransomware',
  publisher: trackerOf(given.id),
  urls: url === undefined ? [] : [url],
  pollS: everyS,
  minIntervalS: Math.ceil(everyS / 2),
  bytesMax: BYTES_MAX,
  // No comparison with the usual number of rows: files of the newest posts grow on busy days and shrink on quiet ones.
  isDelta: isOfPosts(given.format),
  // The same rule as for lists: stale after thirty intervals, and at least two weeks.
  staleAfterMs: Math.max(30 * everyS * 1_000, 14 * DAY_MS),
  // Data sets licensed for non-commercial use are off until an operator switches them on.
  isDefault: url !== undefined && !given.licence.includes('-NC'),
  load: (deps, content) => loadContent(deps, given, content),
});

const POSTS = { max: 200_000 };
const GROUPS = { max: 20_000 };

export const RANSOMWARE_DATASETS: readonly RansomwareDataset[] = [
  dataset({
    id: 'ransomwatch-posts',
    name: 'ransomwatch: posts',
    format: 'post-list',
    url: `${RAW}/joshhighet/ransomwatch/main/posts.json`,
    everyS: HOUR_S,
    licence: 'Unlicense',
    volume: { ...POSTS, min: 1_000 },
  }),
  dataset({
    id: 'ransomposts-victims',
    name: 'ransomposts: newest batch with sectors',
    format: 'post-list',
    url: 'https://ransom.privtools.eu/assets/victims.json',
    everyS: 8 * HOUR_S,
    licence: 'EUPL-1.2',
    volume: { ...POSTS, min: 1 },
  }),
  dataset({
    id: 'ransomposts-latest',
    name: 'ransomposts: newest posts',
    format: 'post-table',
    url: 'https://ransom.privtools.eu/',
    everyS: 8 * HOUR_S,
    isPage: true,
    licence: 'EUPL-1.2',
    volume: { ...POSTS, min: 1 },
  }),
  dataset({
    id: 'ransomposts-archive',
    name: 'ransomposts: archive of 2024',
    format: 'post-table',
    isPage: true,
    licence: 'EUPL-1.2',
    volume: { ...POSTS, min: 100 },
  }),
  dataset({
    id: 'ransomware-live',
    name: 'ransomware.live: newest claims',
    format: 'post-list',
    url: 'https://api.ransomware.live/v2/recentvictims',
    everyS: HOUR_S / 2,
    licence: 'free with attribution',
    attribution: 'ransomware.live',
    volume: { ...POSTS, min: 1 },
  }),
  dataset({
    id: 'ransomlook',
    name: 'RansomLook: newest posts',
    format: 'post-list',
    url: 'https://www.ransomlook.io/api/recent',
    everyS: HOUR_S,
    licence: 'CC BY 4.0',
    attribution: 'RansomLook',
    volume: { ...POSTS, min: 1 },
  }),
  dataset({
    id: 'ransomwatch-groups',
    name: 'ransomwatch: groups',
    format: 'group-list',
    url: `${RAW}/joshhighet/ransomwatch/main/groups.json`,
    licence: 'Unlicense',
    volume: { ...GROUPS, min: 50 },
  }),
  dataset({
    id: 'deepdarkcti',
    name: 'deepdarkCTI: ransomware gangs',
    format: 'gang-table',
    url: `${RAW}/fastfire/deepdarkCTI/main/ransomware_gang.md`,
    licence: 'GPL-3.0',
    volume: { ...GROUPS, min: 50 },
  }),
  dataset({
    id: 'misp-galaxy-ransomware',
    name: 'MISP galaxy: ransomware',
    format: 'galaxy',
    url: `${RAW}/MISP/misp-galaxy/main/clusters/ransomware.json`,
    everyS: 7 * DAY_S,
    licence: 'CC0-1.0 or BSD-2-Clause',
    volume: { ...GROUPS, min: 500 },
  }),
  dataset({
    id: 'cyberwatch',
    name: 'Cyberwatch: attacks told in the press',
    format: 'press',
    url: `${RAW}/Casualtek/Cyberwatch/main/cyberattacks.json`,
    licence: 'CC BY-NC 4.0',
    attribution: 'Cyberwatch by Casualtek, for non-commercial use',
    volume: { max: 200_000, min: 500 },
  }),
];

export const findDefinition = (id: string): RansomwareDataset | undefined =>
  RANSOMWARE_DATASETS.find((each) => each.id === id);

/** Folders of an offline data set that this capability loads. */
export const RANSOMWARE_FOLDERS: readonly string[] = ['ransomware/'];

/** The place of each data set's file in an offline data set. */
export const RANSOMWARE_FILES: readonly DatasetFile[] = [
  { path: 'ransomware/ransomwatch/posts.json.gz', dataset: 'ransomwatch-posts' },
  { path: 'ransomware/ransomposts/victims.json', dataset: 'ransomposts-victims' },
  { path: 'ransomware/ransomposts/index.html', dataset: 'ransomposts-latest' },
  { path: 'ransomware/ransomposts/old.html.gz', dataset: 'ransomposts-archive' },
  { path: 'ransomware/ransomwatch/groups.json', dataset: 'ransomwatch-groups' },
  { path: 'ransomware/deepdarkcti/ransomware_gang.md', dataset: 'deepdarkcti' },
  { path: 'ransomware/misp-galaxy/ransomware.json.gz', dataset: 'misp-galaxy-ransomware' },
  { path: 'ransomware/cyberwatch/cyberattacks.json.gz', dataset: 'cyberwatch' },
  {
    path: 'ransomware/misp-galaxy/sector.json',
    dataset: null,
    note: 'Names of sectors: the table of domain/ransomware/sectors.ts holds them.',
  },
];

/** Ids of the data sets with posts, of which claims are made. */
export const POST_DATASETS: readonly string[] = RANSOMWARE_DATASETS.filter(({ format }) =>
  isOfPosts(format),
).map(({ id }) => id);
