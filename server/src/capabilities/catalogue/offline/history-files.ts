/**
 * Recorded histories of lists: when each entry was listed, read from the public history of its file. A line is a value,
 * a tab, and periods `from/to` parted by commas; an empty `from` is before the history begins.
 */
export type HistoryFile = {
  readonly path: string;
  /** The sources whose entries this history dates. */
  readonly sources: readonly string[];
};

/** The histories of C2IntelFeeds are left out: their licence (CC BY-NC-SA 4.0) allows evaluation only. */
export const HISTORY_FILES: readonly HistoryFile[] = [
  { path: 'history/threatfox-ips.tsv.gz', sources: ['threatfox'] },
  { path: 'history/phishtank-hosts.tsv.gz', sources: ['phishtank'] },
  { path: 'history/data-shield-ips.tsv.gz', sources: ['data-shield'] },
  { path: 'history/c2-tracker-ips.tsv.gz', sources: ['c2-tracker'] },
  {
    path: 'history/maltrail-trails.tsv.gz',
    sources: ['maltrail-malware', 'maltrail-malicious', 'maltrail-suspicious', 'maltrail-mass-scanner'],
  },
];
