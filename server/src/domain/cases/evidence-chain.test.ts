import { describe, expect, test } from 'vitest';
import { canonicalText, isDeeperThan } from './canonical-text.ts';
import { evidenceText, firstHash, judgeChain, nextHash, type StoredEvidence } from './evidence-chain.ts';
import { merklePaths, merkleRoot, rootAlong } from './merkle.ts';

describe('canonical text', () => {
  test('is the text of RFC 8785 for its own example', () => {
    const value = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    );
    expect(canonicalText(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('orders names by UTF-16 units, also those that look like numbers', () => {
    const value = JSON.parse('{"\\ufb33":7,"\\ud83d\\ude00":6,"10":3,"9":4,"1":2,"\\r":1,"\\u20ac":5}');
    expect(canonicalText(value)).toBe('{"\\r":1,"1":2,"10":3,"9":4,"€":5,"😀":6,"\ufb33":7}');
  });

  test('refuses what JSON cannot carry', () => {
    expect(() => canonicalText({ a: JSON.parse('1e999') })).toThrow(RangeError);
    expect(() => canonicalText({ a: '\ud800' })).toThrow(RangeError);
    expect(() => canonicalText({ '\udc00': 1 })).toThrow(RangeError);
    expect(canonicalText([-0, 1.0])).toBe('[0,1]');
  });

  test('depth is measured without reading deeper', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(isDeeperThan(deep, 20)).toBe(true);
    expect(isDeeperThan({ a: [1] }, 2)).toBe(false);
    expect(isDeeperThan({ a: [1] }, 1)).toBe(true);
  });
});

const CASE = 'case_01';
function chainOf(count: number): StoredEvidence[] {
  const pieces: StoredEvidence[] = [];
  let previous = firstHash(CASE);
  for (let at = 1; at <= count; at += 1) {
    const item = {
      id: `cev_${at}`,
      kind: 'note',
      title: `Piece ${at}`,
      description: null,
      createdAt: '2026-01-01',
    };
    const payload = { at };
    previous = nextHash(previous, evidenceText({ ...item, payload }));
    pieces.push({ ...item, position: at, payload: canonicalText(payload), hash: previous });
  }
  return pieces;
}
const headOf = (pieces: readonly StoredEvidence[]) => ({
  length: pieces.length,
  hash: pieces.at(-1)?.hash ?? firstHash(CASE),
});
const pieceAt = (pieces: readonly StoredEvidence[], at: number) => pieces[at - 1] as StoredEvidence;

describe('a chain of evidence', () => {
  const whole = chainOf(6);
  const seals = [
    { day: '2026-01-01', length: 2, hash: pieceAt(whole, 2).hash },
    { day: '2026-01-02', length: 5, hash: pieceAt(whole, 5).hash },
  ];

  test('that is whole fits, with the newest seal', () => {
    expect(judgeChain(CASE, headOf(whole), whole, seals)).toEqual({
      ok: true,
      length: 6,
      brokenAt: null,
      reason: null,
      sealed: seals[1],
    });
    expect(judgeChain(CASE, headOf([]), [], [])).toMatchObject({ ok: true, length: 0 });
  });

  const changed = (change: (pieces: StoredEvidence[]) => StoredEvidence[]) => change([...whole]);
  const edit = (at: number, part: Partial<StoredEvidence>) =>
    changed((pieces) => pieces.map((piece) => (piece.position === at ? { ...piece, ...part } : piece)));
  test.each([
    ['another title', edit(3, { title: 'Piece 4' }), 3],
    ['another payload', edit(4, { payload: '{"at":5}' }), 4],
    ['blanks in a payload, which keep its value', edit(4, { payload: '{"at": 4}' }), 4],
    ['a payload that is no JSON', edit(4, { payload: '{' }), 4],
    ['another time', edit(2, { createdAt: '2026-01-02' }), 2],
    ['another hash', edit(6, { hash: 'f'.repeat(64) }), 6],
    ['a missing piece', changed((pieces) => pieces.filter(({ position }) => position !== 3)), 3],
    ['a missing end', whole.slice(0, 4), 5],
    ['two pieces in another order', edit(3, { ...pieceAt(whole, 4), position: 3 }), 3],
  ])('with %s is broken there', (_, pieces, position) => {
    expect(judgeChain(CASE, headOf(whole), pieces, seals)).toMatchObject({ ok: false, brokenAt: position });
  });

  test('computed anew after its day is broken behind the last seal that fits', () => {
    const other = chainOf(6).map((piece) => ({ ...piece }));
    let previous = pieceAt(other, 3).hash;
    for (const at of [4, 5, 6]) {
      const piece = { ...pieceAt(other, at), ...(at === 4 && { title: 'Forged' }) };
      const hash = nextHash(previous, evidenceText({ ...piece, payload: { at } }));
      other[at - 1] = { ...piece, hash };
      previous = hash;
    }
    expect(judgeChain(CASE, headOf(other), other, [])).toMatchObject({ ok: true });
    expect(judgeChain(CASE, headOf(other), other, seals)).toMatchObject({
      ok: false,
      brokenAt: 3,
      reason: expect.stringContaining('2026-01-02'),
      sealed: seals[0],
    });
  });

  test('cut and counted anew after its day is broken at the first piece that is gone', () => {
    const cut = whole.slice(0, 3);
    expect(judgeChain(CASE, headOf(cut), cut, seals)).toMatchObject({ ok: false, brokenAt: 4 });
  });
});

test('every text leads along its path to the root, and no other text does', () => {
  for (const count of [1, 2, 3, 4, 5, 7, 8, 13]) {
    const texts = Array.from({ length: count }, (_, at) => `text ${at}`);
    const root = merkleRoot(texts);
    for (const [at, path] of merklePaths(texts).entries()) {
      expect(rootAlong(`text ${at}`, path)).toBe(root);
      expect(rootAlong('another', path)).not.toBe(root);
    }
  }
  expect(merkleRoot(['a', 'b'])).not.toBe(merkleRoot(['b', 'a']));
});
