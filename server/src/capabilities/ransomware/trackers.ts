import type { Format } from './load/read-content.ts';

/** Data sets that have another name than their publisher. */
const TRACKERS: Readonly<Record<string, string>> = {
  'ransomwatch-posts': 'ransomwatch',
  'ransomwatch-groups': 'ransomwatch',
  'ransomposts-victims': 'ransomposts',
  'ransomposts-latest': 'ransomposts',
  'ransomposts-archive': 'ransomposts',
  'ransomware-live': 'ransomware.live',
  'misp-galaxy-ransomware': 'misp-galaxy',
};

/** Who publishes a data set, as answers name it. */
export const trackerOf = (datasetId: string): string => TRACKERS[datasetId] ?? datasetId;

export const isOfPosts = (format: Format): boolean => format === 'post-list' || format === 'post-table';
