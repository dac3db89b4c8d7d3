import { describe, expect, test } from 'vitest';
import { CATALOGUE, DEFAULT_THREAT_SOURCES, findRow } from './catalogue.ts';
import { type Deployment, suggestSources } from './suggest-sources.ts';

const DEFAULTS = new Set(DEFAULT_THREAT_SOURCES.map(({ id }) => id));
/** A new deployment: the defaults are scheduled, no key is set. */
const NEW: Deployment = { hasKey: () => false, isScheduled: (id) => DEFAULTS.has(id) };
const of = (deployment: Deployment) => suggestSources(CATALOGUE, deployment);
const sentenceOf = (id: string, deployment = NEW): string | undefined =>
  of(deployment).find(({ sourceId }) => sourceId === id)?.sentence;

describe('what one key or one accepted license would add', () => {
  test.each([
    [
      'phishtank',
      'phishtank: needs a free key (PHISHTANK_KEY); about 25,000 phishing URLs and domains, 1 in 2,700 recent entries is a site people visit.',
    ],
    [
      'threatfox',
      'threatfox: needs a free key (ABUSE_CH_AUTH_KEY); about 20,000 command-and-control IP addresses, domains, URLs and file hashes, 17 in 1,000 of its IP addresses belong to shared services and another operator lists 25 %, its publisher verifies each entry.',
    ],
    [
      'malshare',
      'malshare: needs a free key (MALSHARE_KEY); about 3,000 malware file hashes, each entry names one file.',
    ],
    [
      'c2intelfeeds',
      'c2intelfeeds: needs its license accepted (CC BY-NC-SA 4.0); about 1,700 command-and-control IP addresses and domains, 1.2 in 1,000 of its IP addresses belong to shared services and another operator lists 98 %, its publisher verifies each entry.',
    ],
    [
      'openphish',
      'openphish: needs its license accepted (OpenPhish community feed: non-commercial use); about 300 phishing URLs, precision not measured.',
    ],
    [
      'abuseipdb',
      'abuseipdb: needs a free key (ABUSEIPDB_KEY) and its license accepted (AbuseIPDB terms of service); about 10,000 abuse IP addresses, precision not measured.',
    ],
  ])('%s', (id, sentence) => {
    expect(sentenceOf(id)).toBe(sentence);
  });

  test('keys first, then licenses; verified lists first, then precise, unmeasured and imprecise ones', () => {
    const suggested = of(NEW);
    const needs = suggested.map((one) => one.needs);
    expect(needs).toEqual([...needs].sort((a, b) => (a === b ? 0 : a === 'key' ? -1 : 1)));
    expect(new Set(needs)).toEqual(new Set(['key', 'license']));
    const idsOf = (need: string) =>
      suggested.filter((one) => one.needs === need).map(({ sourceId }) => sourceId);
    expect(idsOf('key')).toEqual(['threatfox', 'phishtank', 'malshare', 'abuseipdb']);
    expect(idsOf('license').slice(0, 2)).toEqual(['c2intelfeeds', 'c2intelfeeds-unverified']);
  });

  test('nothing that the deployment has, no aggregate, no context list', () => {
    const withKey: Deployment = { ...NEW, hasKey: (variable) => variable === 'PHISHTANK_KEY' };
    expect(sentenceOf('phishtank', withKey)).toBeUndefined();
    const accepted: Deployment = { ...NEW, isScheduled: (id) => DEFAULTS.has(id) || id === 'c2intelfeeds' };
    expect(sentenceOf('c2intelfeeds', accepted)).toBeUndefined();
    for (const { sourceId } of of(NEW)) {
      expect(findRow(sourceId)?.threatClass, sourceId).toBe('threat');
      expect(findRow(sourceId)?.aggregate, sourceId).not.toBe(true);
    }
    expect(of({ hasKey: () => true, isScheduled: () => true })).toEqual([]);
  });

  test('a free source that became a default after the installation is suggested too', () => {
    const older: Deployment = { ...NEW, isScheduled: (id) => DEFAULTS.has(id) && id !== 'polkadot-phishing' };
    expect(sentenceOf('polkadot-phishing', older)).toBe(
      'polkadot-phishing: free, and off here; about 55,000 phishing domains, 1 in 10,000 entries is a site people visit.',
    );
  });
});
