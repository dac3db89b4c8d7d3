import { describe, expect, test } from 'vitest';
import { type FormatOptions, formatFrom } from './feeds-format-option.ts';

describe('the format an operator names', () => {
  test.each([
    ['nothing said', {}, null],
    ['a word', { format: 'hosts' }, { kind: 'hosts' }],
    [
      'csv by default: the first column, no header',
      { format: 'csv' },
      { kind: 'csv', values: [0], header: 'none' },
    ],
    [
      'csv by name means there is a header',
      { format: 'csv', column: ['ip', 'domain'], delimiter: '\\t' },
      { kind: 'csv', values: ['ip', 'domain'], header: 'first', delimiter: '\t' },
    ],
    ['json: an array of entries', { format: 'json' }, { kind: 'json', each: ['[*]'] }],
    [
      'json: fields of objects',
      { format: 'json', each: ['data[*]'], field: ['ioc'] },
      { kind: 'json', each: ['data[*]'], fields: { values: ['ioc'] } },
    ],
    ['ndjson', { format: 'ndjson', field: ['cidr'] }, { kind: 'ndjson', fields: { values: ['cidr'] } }],
  ] satisfies readonly [string, FormatOptions, unknown][])('%s', (_name, options, spec) => {
    expect(formatFrom(options)).toEqual(spec);
  });

  test.each([
    ['a column without csv', { column: ['ip'] }, '--column belongs to --format csv.'],
    ['a path without json', { format: 'plain', each: ['a'] }, '--each belongs to --format json.'],
    [
      'a field without json',
      { format: 'csv', field: ['a'] },
      '--field belongs to --format json or --format ndjson.',
    ],
    ['ndjson without a field', { format: 'ndjson' }, '--format ndjson needs --field'],
  ] satisfies readonly [string, FormatOptions, string][])('%s is a mistake', (_name, options, sentence) => {
    expect(() => formatFrom(options)).toThrow(sentence);
  });
});
