import { describe, expect, test } from 'vitest';
import { bodyTimeMs, createBodiesInTransit } from './bodies-in-transit.ts';
import type { Exchange } from './exchange.ts';

const LIMITS = { totalMax: 4, perSenderMax: 2, bytesMax: 100 };
const body = (name: string) => ({ name, bodyFrom: null, bodyBytes: 0 }) as unknown as Exchange;

function transit() {
  const givenUp: string[] = [];
  const bodies = createBodiesInTransit(
    (exchange) => givenUp.push((exchange as unknown as { readonly name: string }).name),
    LIMITS,
  );
  const enter = (name: string, sender: string, bytes = 1) => {
    const exchange = body(name);
    bodies.enter(exchange, sender, bytes);
    return exchange;
  };
  return { bodies, enter, givenUp };
}

describe('bodies in transit', () => {
  test('above the bound of a sender its own oldest gives way, and no other', () => {
    const { bodies, enter, givenUp } = transit();
    enter('other', 'b');
    for (const name of ['first', 'second', 'third', 'fourth']) enter(name, 'a');
    expect(givenUp).toEqual(['first', 'second']);
    expect(bodies.size()).toBe(3);
  });

  test('above the bound of all the oldest gives way', () => {
    const { bodies, enter, givenUp } = transit();
    for (let i = 0; i < 6; i += 1) enter(`body ${i}`, `sender ${i}`);
    expect(givenUp).toEqual(['body 0', 'body 1']);
    expect(bodies.size()).toBe(4);
  });

  test('declared bytes are bounded, and one body alone is always accepted', () => {
    const { bodies, enter, givenUp } = transit();
    enter('a', 'a', 60);
    enter('b', 'b', 60);
    expect(givenUp).toEqual(['a']);
    enter('large', 'c', 1_000);
    expect([givenUp, bodies.size()]).toEqual([['a', 'b'], 1]);
  });

  test('a body that has arrived makes room, once', () => {
    const { bodies, enter, givenUp } = transit();
    const arrived = enter('first', 'a', 50);
    bodies.leave(arrived);
    bodies.leave(arrived);
    for (const name of ['second', 'third']) enter(name, 'a', 50);
    expect([givenUp, bodies.size()]).toEqual([[], 2]);
  });

  test('the time of a body goes by its size', () => {
    expect(
      [1, 4_096, 4_096 + 32_000, 64 * 1024, 1024 * 1024].map((bytes) => bodyTimeMs(bytes, 30_000)),
    ).toEqual([5_000, 5_000, 6_000, 6_920, 30_000]);
  });
});
