import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { shellQuoted } from '../../words/shell-quoted.ts';
import * as phase from './check-state.fixture.ts';
import { geo, IP, stateAfter } from './check-state.fixture.ts';
import { curlOf, formOf } from './copy-forms.ts';
import { COPY_FORMS } from './copy-list.ts';

const AT = {
  permalink: 'https://assay.example/app/ip/185.220.101.34',
  apiUrl: 'https://api.assay.example/',
};
const UUID = '5d0092c5-5f74-4287-9642-33f4c354e56d';
const FINISHED = stateAfter(IP, [
  phase.reputation(),
  phase.basic({ geo: null }),
  phase.insights({ asnReputation: { asn: 60_729, listed: false, list: null, score: 0 } }),
  phase.enrichment({ late: { geo } }),
  phase.done,
]);
const formed = (form: Parameters<typeof formOf>[0], state = FINISHED) => formOf(form, state, AT, UUID);

test('raw, defanged and the link', () => {
  expect(formed('raw')).toBe('185.220.101.34');
  expect(formed('defanged')).toBe('185[.]220[.]101[.]34');
  expect(formed('link')).toBe(AT.permalink);
  const url = stateAfter({ type: 'url', value: 'https://evil.example.com/a?b=c' }, []);
  expect(formed('defanged', url)).toBe('hxxps[://]evil[.]example[.]com/a?b=c');
});

test('JSON is the merged check, with late parts in their fields and no fields of the stream', () => {
  const result = JSON.parse(formed('json') ?? '') as Record<string, unknown>;
  expect(result).toMatchObject({
    query: IP.value,
    malicious: false,
    riskScore: { score: 48 },
    evidence: { verdict: 'medium' },
    geo: { countryCode: 'DE' },
    apiVersion: 'v2',
    enrichmentLevel: 'full',
  });
  for (const key of [
    'type',
    'verdict',
    'listings',
    'coverage',
    'asnReputation',
    'late',
    'degraded',
    'provisional',
  ])
    expect(result).not.toHaveProperty(key);
});

test('JSON of an unfinished check says that it is', () => {
  const result = JSON.parse(formed('json', stateAfter(IP, [phase.reputation()])) ?? '') as object;
  expect(result).toHaveProperty('provisional', true);
  expect(result).not.toHaveProperty('riskScore');
});

test('STIX is a bundle with one indicator, and none before there is a verdict', () => {
  const bundle = JSON.parse(formed('stix') ?? '') as { id: string; objects: object[] };
  expect(bundle.id).toBe(`bundle--${UUID}`);
  expect(bundle.objects).toMatchObject([
    {
      type: 'indicator',
      pattern: "[ipv4-addr:value = '185.220.101.34']",
      confidence: 79,
      labels: ['bruteforce'],
      valid_from: '2026-04-23T00:00:00.000000Z',
      x_svc_score: 48,
    },
  ]);
  expect(formed('stix', stateAfter(IP, [phase.reputation()]))).toBeNull();
});

test('STIX is valid from the date of the data where no list dates its entry, not from the moment of the check', () => {
  const listing = {
    value: IP.value,
    matchType: 'exact',
    firstSeen: null,
    lastSeen: null,
    contribution: 40,
  } as const;
  const { data } = phase.insights() as Extract<phase.Unmarked, { type: 'insights' }>;
  const undated = stateAfter(IP, [
    phase.reputation({
      listings: [
        { ...listing, sourceId: 'data-shield', stillListedOn: '2026-11-02T00:00:00.000Z' },
        { ...listing, sourceId: 'log4j-exploit-sources', stillListedOn: '2026-11-01T00:00:00.000Z' },
        { ...listing, sourceId: 'some-cloud', stillListedOn: '2026-01-01T00:00:00.000Z' },
      ],
    }),
    phase.insights({ dataTrust: { ...data.dataTrust, firstSeen: null } }),
    phase.done,
  ]);
  const { objects } = JSON.parse(formed('stix', undated) ?? '') as { objects: object[] };
  expect(objects).toMatchObject([{ valid_from: '2026-11-01T00:00:00.000000Z' }]);
});

describe('the curl command', () => {
  test('queries this installation and takes the key from the shell', () => {
    expect(curlOf('185.220.101.34', AT.apiUrl)).toBe(
      `curl -sG 'https://api.assay.example/check' -H "X-API-KEY: $ASSAY_KEY" --data-urlencode 'query=185.220.101.34' -d enrichment=full`,
    );
  });
  test.each([
    "http://evil.example/'; touch /tmp/pwned; '",
    'http://evil.example/$(id)`id`',
    'http://evil.example/\\\'"\\',
    "''",
    '-rf !history',
  ])('a shell reads %s as one word, exactly as it is', (value) => {
    const echoed = execFileSync('/bin/sh', ['-c', `printf %s ${shellQuoted(value)}`], { encoding: 'utf8' });
    expect(echoed).toBe(value);
  });
});

test('every form of the menu has a text after a finished check', () => {
  for (const { form } of COPY_FORMS) expect(formed(form)).toBeTypeOf('string');
});
