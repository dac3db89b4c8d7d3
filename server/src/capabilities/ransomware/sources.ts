import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';

/** How a file is read; the reader of each is in `domain/ransomware/readers`. */
export const FORMATS = ['post-list', 'post-table', 'group-list', 'gang-table', 'galaxy', 'press'] as const;
export type Format = (typeof FORMATS)[number];

export type RansomwareSource = {
  readonly id: string;
  readonly label: string;
  /** The publisher, which answers name as the tracker of a claim. */
  readonly tracker: string;
  readonly format: Format;
  /** Id of its file in the manifest of an offline data set. */
  readonly manifestId: string | null;
  /** Where it is fetched; null for a file that is loaded by hand. */
  readonly url: string | null;
  readonly intervalMs: number;
  readonly licence: string;
  /** Fewer rows than this are no content of this source: an error page, or a file that was cut off. */
  readonly rowsMin: number;
};

const source = (given: Omit<RansomwareSource, 'intervalMs'> & { readonly intervalMs?: number }): RansomwareSource => ({
  intervalMs: DAY_MS,
  ...given,
});

export const RANSOMWARE_SOURCES: readonly RansomwareSource[] = [
  source({
    id: 'ransomwatch-posts',
    label: 'ransomwatch: posts',
    tracker: 'ransomwatch',
    format: 'post-list',
    manifestId: 'ransomwatch/posts.json',
    url: 'https://raw.githubusercontent.com/joshhighet/ransomwatch/main/posts.json',
    intervalMs: HOUR_MS,
    licence: 'Unlicense',
    rowsMin: 100,
  }),
  source({
    id: 'ransomposts-victims',
    label: 'ransomposts: newest batch with sectors',
    tracker: 'ransomposts',
    format: 'post-list',
    manifestId: 'ransomposts/victims.json',
    url: 'https://ransom.privtools.eu/assets/victims.json',
    intervalMs: 8 * HOUR_MS,
    licence: 'EUPL-1.2',
    rowsMin: 1,
  }),
  source({
    id: 'ransomposts-latest',
    label: 'ransomposts: newest posts',
    tracker: 'ransomposts',
    format: 'post-table',
    manifestId: 'ransomposts/index.html',
    url: 'https://ransom.privtools.eu/',
    intervalMs: 8 * HOUR_MS,
    licence: 'EUPL-1.2',
    rowsMin: 1,
  }),
  source({
    id: 'ransomposts-archive',
    label: 'ransomposts: archive of 2024',
    tracker: 'ransomposts',
    format: 'post-table',
    manifestId: 'ransomposts/old.html',
    url: null,
    licence: 'EUPL-1.2',
    rowsMin: 100,
  }),
  source({
    id: 'ransomware-live',
    label: 'ransomware.live: newest claims',
    tracker: 'ransomware.live',
    format: 'post-list',
    manifestId: null,
    url: 'https://api.ransomware.live/v2/recentvictims',
    intervalMs: HOUR_MS / 2,
    licence: 'free with attribution',
    rowsMin: 1,
  }),
  source({
    id: 'ransomlook',
    label: 'RansomLook: newest posts',
    tracker: 'ransomlook',
    format: 'post-list',
    manifestId: null,
    url: 'https://www.ransomlook.io/api/recent',
    intervalMs: HOUR_MS,
    licence: 'CC BY 4.0',
    rowsMin: 1,
  }),
  source({
    id: 'ransomwatch-groups',
    label: 'ransomwatch: groups',
    tracker: 'ransomwatch',
    format: 'group-list',
    manifestId: 'ransomwatch/groups.json',
    url: 'https://raw.githubusercontent.com/joshhighet/ransomwatch/main/groups.json',
    licence: 'Unlicense',
    rowsMin: 20,
  }),
  source({
    id: 'deepdarkcti',
    label: 'deepdarkCTI: ransomware gangs',
    tracker: 'deepdarkcti',
    format: 'gang-table',
    manifestId: 'deepdarkcti/ransomware_gang.md',
    url: 'https://raw.githubusercontent.com/fastfire/deepdarkCTI/main/ransomware_gang.md',
    licence: 'GPL-3.0',
    rowsMin: 20,
  }),
  source({
    id: 'misp-galaxy-ransomware',
    label: 'MISP galaxy: ransomware',
    tracker: 'misp-galaxy',
    format: 'galaxy',
    manifestId: 'misp-galaxy/ransomware.json',
    url: 'https://raw.githubusercontent.com/MISP/misp-galaxy/main/clusters/ransomware.json',
    intervalMs: 7 * DAY_MS,
    licence: 'CC0-1.0 or BSD-2-Clause',
    rowsMin: 100,
  }),
  source({
    id: 'cyberwatch',
    label: 'Cyberwatch: attacks told in the press',
    tracker: 'cyberwatch',
    format: 'press',
    manifestId: 'cyberwatch/cyberattacks.json',
    url: 'https://raw.githubusercontent.com/Casualtek/Cyberwatch/main/cyberattacks.json',
    licence: 'CC BY-NC 4.0',
    rowsMin: 100,
  }),
];

export const findSource = (id: string): RansomwareSource | undefined =>
  RANSOMWARE_SOURCES.find((each) => each.id === id);

export const trackerOf = (sourceId: string): string => findSource(sourceId)?.tracker ?? sourceId;

export const isOfPosts = ({ format }: Pick<RansomwareSource, 'format'>): boolean =>
  format === 'post-list' || format === 'post-table';

/** As for lists: thirty intervals, at least two weeks. */
export const staleAfterMs = ({ intervalMs }: RansomwareSource): number => Math.max(30 * intervalMs, 14 * DAY_MS);
