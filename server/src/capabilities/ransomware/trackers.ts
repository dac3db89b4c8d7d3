import type { Format } from './load/read-content.ts';

/** Publishers of the data sets whose id differs from the name of their publisher. */
const TRACKERS: Readonly<Record<string, string>> = {
  'ransomwatch-posts': 'ransomwatch',
  'ransomwatch-groups': 'ransomwatch',
  'ransomposts-victims': 'ransomposts',
  'ransomposts-latest': 'ransomposts',
  'ransomposts-archive': 'ransomposts',
  'ransomware-live': 'ransomware.live',
  'misp-galaxy-ransomware': 'misp-galaxy',
};

/** The publisher of a data set, by the name that answers show. */
export const trackerOf = (datasetId: string): string => TRACKERS[datasetId] ?? datasetId;

export const isOfPosts = (format: Format): boolean => format === 'post-list' || format === 'post-table';
