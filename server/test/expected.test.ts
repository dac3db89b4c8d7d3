import { describe, expect, test } from 'vitest';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { registrySource } from '#test/registry.ts';
import { readCut, replicaOfCut, signalsOfCut } from '../../bench/accuracy/cut-corpus.ts';
import {
  EXPECTED_SHARE_MIN,
  type Expected,
  faultsOf,
  readExpected,
} from '../../bench/accuracy/expected-table.ts';
import { openJudge } from '../../bench/accuracy/judge-corpus.ts';
import { judgeExpected, linesOf, shareExpected } from '../../bench/accuracy/judge-expected.ts';
import { JUDGED_AT_MS } from '../../bench/accuracy/measure.ts';
import { MemoryReplica } from '../../bench/accuracy/memory-replica.ts';
import { differencesOf, readDifferences, readExplanations } from '../../bench/accuracy/write-expected.ts';
import { openCorpus } from '../src/capabilities/corpus/index.ts';

const indicator = (text: string): Indicator => {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
};

describe('indicators chosen by hand', () => {
  test('are 300, at least 15 of each group, each with words of the ladder, an action and a reason', () => {
    const rows = readExpected();
    expect(rows).toHaveLength(300);
    expect(faultsOf(rows)).toEqual([]);
  });

  test('a table with a wrong kind, an unknown word or a value twice is refused with sentences', () => {
    const [first] = readExpected() as [Expected];
    const faults = faultsOf([
      { ...first, kind: 'hash', words: ['Fine'], actions: ['shrug'], why: '' },
      { ...first, value: 'no indicator' },
      first,
      first,
    ]);
    for (const part of [
      'resolvers has only 4 entries.',
      `${first.value} stands twice.`,
      `${first.value} is a ip, not a hash.`,
      'has a word outside the ladder: Fine',
      'has an unknown action: shrug',
      'has no description or no reason',
      'no indicator is no indicator',
    ])
      expect(faults.join('\n')).toContain(part);
  });

  test('are answered as an expert expects, at least 97 of 100, on the cut of the real lists, and every difference is explained', () => {
    const cut = readCut();
    const judge = openJudge(replicaOfCut(cut), JUDGED_AT_MS, { signals: signalsOfCut(cut) });
    const answers = judgeExpected(judge, readExpected());
    expect(shareExpected(answers), linesOf(answers).join('\n')).toBeGreaterThanOrEqual(EXPECTED_SHARE_MIN);
    const differing = [...differencesOf(answers).differences, ...readDifferences().differences];
    const explained = readExplanations();
    expect(differing.map(({ value }) => value).filter((value) => !explained.has(value))).toEqual([]);
  });
});

describe('a corpus in memory', () => {
  const listing = (sourceNumber: number) => ({
    sourceNumber,
    firstSeenS: JUDGED_AT_MS / 1_000,
    lastSeenS: 0,
    confidence: -1,
    dating: 'own' as const,
    isDelisted: false,
  });
  const found = (replica: MemoryReplica, text: string): readonly string[] =>
    openCorpus(replica)
      .lookup(indicator(text))
      .listings.map(({ source, matchType, matched }) => `${source.id} ${matchType} ${matched}`);

  test('answers the real lookup like the replica: itself, parents, ranges, digests, pages and the /64', () => {
    const replica = new MemoryReplica([registrySource({ number: 1 }), registrySource({ number: 2 })]);
    replica.add(indicator('bad.example.com'), listing(2));
    replica.add(indicator('bad.example.com'), listing(1));
    replica.add(indicator('198.18.0.0/15'), listing(1));
    replica.addRelated(indicator('host.example.com'), 'page', listing(2));
    replica.addSite(indicator('2a00:1450::5'), listing(2));
    const [md5, sha1] = ['0'.repeat(31).concat('1'), '0'.repeat(39).concat('2')];
    replica.add(indicator(md5), listing(1));
    replica.addAlias(indicator(sha1), indicator(md5));
    expect(found(replica, 'a.bad.example.com')).toEqual([
      'list-1 parent bad.example.com',
      'list-2 parent bad.example.com',
    ]);
    expect(found(replica, '198.18.7.7')).toEqual(['list-1 cidr 198.18.0.0/15']);
    expect(found(replica, 'host.example.com')).toEqual(['list-2 page host.example.com']);
    expect(found(replica, '2a00:1450::5')).toEqual(['list-2 site 2a00:1450::/64']);
    expect(found(replica, sha1)).toEqual([`list-1 alias ${md5}`]);
    expect(found(replica, 'example.org')).toEqual([]);
  });
});
