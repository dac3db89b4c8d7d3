import type { SampleEntry } from './entry.ts';

/** Renders the entries of a list as a publisher would, in formats that the feed pipeline reads. */

const HEADING = '# A sample list of Assay. Everything in it is invented.';

export const renderPlain = (entries: readonly SampleEntry[]): string =>
  `${[HEADING, ...entries.map(({ text }) => text)].join('\n')}\n`;

export const renderDated = (entries: readonly SampleEntry[]): string =>
  `${['address,first_seen,family,confidence', ...entries.map(({ text, firstSeen, family, confidence }) => `${text},${firstSeen},${family},${confidence}`)].join('\n')}\n`;

export const renderDigests = (entries: readonly SampleEntry[]): string =>
  `${['sha256,sha1,md5,first_seen,family', ...entries.map(({ text, firstSeen, family }) => `${text},${firstSeen},${family}`)].join('\n')}\n`;

export const renderHosts = (entries: readonly SampleEntry[]): string =>
  `${[HEADING, ...entries.map(({ text }) => `0.0.0.0 ${text}`)].join('\n')}\n`;

export const renderPrefixes = (entries: readonly SampleEntry[]): string =>
  JSON.stringify({ comment: HEADING, prefixes: entries.map(({ text }) => ({ prefix: text })) });

export const renderRanked = (entries: readonly SampleEntry[]): string =>
  `${['rank,name', ...entries.map(({ text }, nth) => `${nth + 1},${text}`)].join('\n')}\n`;

/** A publisher's page on the day its list moved. */
export const BROKEN_PAGE =
  '<!doctype html><html><head><title>Moved</title></head><body><h1>This list has moved</h1></body></html>\n';
