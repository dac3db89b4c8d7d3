import type { StoredText } from './store.ts';

/**
 * The answer of a record as text. What is stored is JSON as this service writes it, without blanks, so the few parts that differ
 * are replaced in the text: reading and writing the whole record again cost more than everything else of the request. A quote
 * inside a value is escaped, so these patterns can only meet the names of fields.
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
