import { describe, expect, test } from 'vitest';
import type { ServiceError } from '#platform/errors.ts';
import { bodyTimeMs, createBodiesInTransit } from './bodies-in-transit.ts';
import type { Exchange } from './exchange.ts';

const LIMITS = {
  totalMax: 4,
  bytesMax: 100,
  perNetworkMax: 2,
  networkBytesMax: 80,
  perAccountMax: 2,
  accountBytesMax: 60,
};
const body = (name: string) =>
  ({ name, bodyFrom: null, bodyAccount: null, bodyBytes: 0 }) as unknown as Exchange;

function transit() {
  const givenUp: string[] = [];
  const refusals: ServiceError[] = [];
  const bodies = createBodiesInTransit((exchange, refusal) => {
    givenUp.push((exchange as unknown as { readonly name: string }).name);
    refusals.push(refusal);
  }, LIMITS);
  const enter = (name: string, network: string, bytes = 1) => {
    const exchange = body(name);
    bodies.enter(exchange, network, bytes);
    return exchange;
  };
  return { bodies, enter, givenUp, refusals };
}

describe('bodies in transit', () => {
  test('above the limit of a network its own oldest gives way with 429, and no other', () => {
    const { bodies, enter, givenUp, refusals } = transit();
    enter('other', 'b');
    for (const name of ['first', 'second', 'third', 'fourth']) enter(name, 'a');
    expect(givenUp).toEqual(['first', 'second']);
    expect(bodies.size()).toBe(3);
    expect(refusals.map(({ status, options }) => [status, options.headers])).toEqual(
      Array(2).fill([429, { 'Retry-After': '2' }]),
    );
    expect(refusals[0]?.message).toContain('Your IP address is sending more request bodies at once');
  });

  test('the declared bytes of a network are limited too', () => {
    const { enter, givenUp } = transit();
    enter('first', 'a', 50);
    enter('other', 'b', 10);
    enter('second', 'a', 40);
    expect(givenUp).toEqual(['first']);
  });

  test('above the limit of an account its next body is refused, and those under way stay', () => {
    const { bodies, enter, givenUp } = transit();
    const count = (exchange: Exchange, account: string) => bodies.countForAccount(exchange, account);
    const [first, second, third] = ['a', 'b', 'c'].map((network) => enter(network, network));
    if (first === undefined || second === undefined || third === undefined) throw new Error('Not entered.');
    expect([count(first, 'org_1'), count(second, 'org_1')]).toEqual([null, null]);
    expect(count(third, 'org_1')).toMatchObject({ status: 429, options: { body: { retryAfter: 2 } } });
    expect(count(third, 'org_2')).toBeNull();
    bodies.leave(first);
    const large = enter('large', 'd', 60);
    expect(count(large, 'org_1')).toMatchObject({ status: 429 });
    bodies.leave(large);
    expect(count(enter('small', 'e', 59), 'org_1')).toBeNull();
    expect(givenUp).toEqual([]);
  });

  test('above the limit of all the oldest gives way with 503', () => {
    const { bodies, enter, givenUp, refusals } = transit();
    for (let i = 0; i < 6; i += 1) enter(`body ${i}`, `network ${i}`);
    expect(givenUp).toEqual(['body 0', 'body 1']);
    expect(bodies.size()).toBe(4);
    expect(refusals.map(({ status }) => status)).toEqual([503, 503]);
  });

  test('above the limit of all the network that holds most gives way, and not the one large body that came first', () => {
    const { enter, givenUp } = transit();
    enter('honest', 'a', 30);
    enter('held 1', 'b', 35);
    enter('held 2', 'b', 35);
    for (let i = 3; i < 9; i += 1) enter(`held ${i}`, 'b', 35);
    expect(givenUp).not.toContain('honest');
    for (let i = 0; i < 3; i += 1) enter(`tiny ${i}`, 'c', 1);
    expect(givenUp).not.toContain('honest');
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
    for (const name of ['second', 'third']) enter(name, name, 50);
    expect([givenUp, bodies.size()]).toEqual([[], 2]);
  });

  test('the time of a body goes by its size', () => {
    expect(
      [1, 4_096, 4_096 + 32_000, 64 * 1024, 1024 * 1024].map((bytes) => bodyTimeMs(bytes, 30_000)),
    ).toEqual([5_000, 5_000, 6_000, 6_920, 30_000]);
  });
});
