import { describe, expect, test } from 'vitest';
import { INFRASTRUCTURE_WORDS } from '../../../../server/src/capabilities/corpus/contract.ts';
import * as phase from './check-state.fixture.ts';
import { IP, source, stateAfter } from './check-state.fixture.ts';
import { contextWords, KNOWN_ATTRIBUTES } from './infrastructure-words.ts';
import type { ReputationSeen } from './panels/check-seen.ts';
import { tagsOf } from './tags.ts';

const textsOf = (of: Partial<ReputationSeen>) =>
  tagsOf(stateAfter(IP, [phase.reputation({ sources: [], ...of } as never)]).phases).map(({ text }) => text);

test('what it is accused of comes first, then what it is, the most telling first', () => {
  const infrastructure = { attributes: ['cloud', 'tor-exit'], sources: [] };
  expect(textsOf({ sources: [{ ...source('A'), category: 'c2' }], infrastructure })).toEqual([
    'C2',
    'Tor exit',
    'Hosting',
  ]);
});

test('a resolver that a list and a service name is one tag', () => {
  const service = { name: 'Google Public DNS', operator: 'Google', kind: 'resolver' } as const;
  const infrastructure = { attributes: ['dns-resolver'], sources: [] };
  expect(textsOf({ service, infrastructure })).toEqual(['Public DNS resolver']);
});

test('a look-alike is a tag, with a title that accuses it of nothing', () => {
  const lookalike = { of: 'paypal.com', technique: 'typosquat', detail: '' } as const;
  const [tag] = tagsOf(stateAfter(IP, [phase.reputation({ sources: [], lookalike })]).phases);
  expect(tag).toEqual({
    text: 'Look-alike',
    title: 'Its name resembles paypal.com; that alone accuses it of nothing',
  });
});

test('no phase, no tag', () => {
  expect(tagsOf({})).toEqual([]);
});

describe('attributes of the service', () => {
  test('each has a tag and a meaning', () => {
    expect([...KNOWN_ATTRIBUTES].sort()).toEqual([...INFRASTRUCTURE_WORDS].sort());
  });
  test('one unknown to this version is quoted', () => {
    expect(contextWords('satellite').tag).toBe('“satellite”');
  });
  test('none is called clean or safe', () => {
    for (const word of KNOWN_ATTRIBUTES)
      expect(JSON.stringify(contextWords(word))).not.toMatch(/\bclean\b|\bsafe\b/i);
  });
});
