import type { StoredText } from './store.ts';

/**
 * Makes the answer by replacing a few parts in the stored JSON text, because parsing and serialising the record took
 * more time than the rest of the request. This service wrote the text without blanks. Quotes in values are escaped,
 * so these patterns can only match names of fields.
 */
const ASSIGNER = /"assigner":"[a-z-]*",/g;
const EPSS =
  /"epssScore":(?:null|[\d.e+-]+),"epssPercentile":(?:null|[\d.e+-]+),"epssPercent":(?:null|[\d.e+-]+)/;
const EPSS_SOURCE = /,?"epssScore":"epss"/;
const FIRST_COMMA = /"provenance":\{,/;

/** The record with today's EPSS. Its last field is `provenance`. */
export function writeCve({ record, changes, epss, percentile }: StoredText): string {
  const percent = epss === null ? null : Math.round(epss * 10_000) / 100;
  const body = record
    .replace(ASSIGNER, '')
    .replace(EPSS, `"epssScore":${epss},"epssPercentile":${percentile},"epssPercent":${percent}`)
    .replace(EPSS_SOURCE, '')
    .replace(FIRST_COMMA, '"provenance":{');
  const source = epss === null ? '' : `${body.endsWith('{}}') ? '' : ','}"epssScore":"epss"`;
  return `${body.slice(0, -2)}${source}},"changes":${changes}}`;
}
