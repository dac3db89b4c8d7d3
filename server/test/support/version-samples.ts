import type { VersionScheme } from '#domain/versions/index.ts';

/** Draws from few numbers and words and every separator of the scheme, so that many versions are close together. */
export function sampleVersion(scheme: VersionScheme, random: () => number): string {
  return SAMPLES[scheme](drawFrom(random));
}

/** Two versions; every second pair differs in one number at most, because distant versions say little about an order. */
export function samplePair(scheme: VersionScheme, random: () => number): readonly [string, string] {
  const first = sampleVersion(scheme, random);
  if (random() < 0.5) return [first, sampleVersion(scheme, random)];
  const draw = drawFrom(random);
  const runs = first.split(/([0-9]+)/);
  const at = 1 + 2 * draw.upTo(Math.max(0, Math.floor((runs.length - 1) / 2) - 1));
  return [first, runs.map((run, index) => (index === at ? draw.of(['0', '1', '2', '10']) : run)).join('')];
}

type Draw = {
  readonly upTo: (max: number) => number;
  readonly of: <T>(values: readonly T[]) => T;
  readonly maybe: (chance: number, make: () => string) => string;
  readonly join: (count: number, separators: readonly string[], make: () => string) => string;
};

function drawFrom(random: () => number): Draw {
  const upTo = (max: number) => Math.floor(random() * (max + 1));
  const of = <T>(values: readonly T[]): T => values[upTo(values.length - 1)] as T;
  return {
    upTo,
    of,
    maybe: (chance, make) => (random() < chance ? make() : ''),
    join: (count, separators, make) =>
      Array.from({ length: count }, (_, at) => `${at === 0 ? '' : of(separators)}${make()}`).join(''),
  };
}

const NUMBERS = ['0', '0', '1', '1', '2', '3', '9', '10', '11', '20240101', '9007199254740'];
const PADDED = [...NUMBERS, '00', '01', '007', '010'];
const number = (draw: Draw) => () => draw.of(NUMBERS);
const padded = (draw: Draw) => () => draw.of(PADDED);

const SAMPLES: Readonly<Record<VersionScheme, (draw: Draw) => string>> = {
  semver,
  go: (draw) => `v${semver(draw)}`,
  nuget: (draw) => semver(draw),
  pep440: (draw) =>
    [
      draw.maybe(0.1, () => 'v'),
      draw.maybe(0.15, () => `${draw.upTo(2)}!`),
      draw.join(1 + draw.upTo(3), ['.'], padded(draw)),
      draw.maybe(
        0.4,
        () =>
          `${sign(draw)}${draw.of(['a', 'b', 'c', 'rc', 'alpha', 'BETA', 'pre', 'preview'])}${sign(draw, true)}`,
      ),
      draw.maybe(0.25, () =>
        draw.of([`-${draw.upTo(3)}`, `${sign(draw)}${draw.of(['post', 'rev', 'r'])}${sign(draw, true)}`]),
      ),
      draw.maybe(0.25, () => `${sign(draw)}dev${sign(draw, true)}`),
      draw.maybe(
        0.2,
        () =>
          `+${draw.join(1 + draw.upTo(2), ['.', '-', '_'], () => draw.of(['1', '2', '10', 'abc', 'ubuntu', 'a1']))}`,
      ),
    ].join(''),
  dpkg: (draw) =>
    [
      draw.maybe(0.2, () => `${draw.upTo(2)}:`),
      draw.of(PADDED),
      draw.join(draw.upTo(4), ['.', '+', '~', '', '-'], () =>
        draw.of(['1', '2', '10', '0', 'rc', 'beta', 'a', 'Z', 'dfsg', 'git']),
      ),
      draw.maybe(
        0.6,
        () =>
          `-${draw.join(1 + draw.upTo(2), ['.', '+', '~', ''], () => draw.of(['1', '2', '0', 'ubuntu', 'deb', 'b']))}`,
      ),
    ].join(''),
  rpm: (draw) =>
    [
      draw.maybe(0.2, () => `${draw.upTo(2)}:`),
      draw.join(1 + draw.upTo(4), ['.', '_', '~', '^', '', '+'], () =>
        draw.of(['1', '2', '10', '0', '01', 'rc', 'a', 'B', 'git']),
      ),
      draw.maybe(
        0.6,
        () =>
          `-${draw.join(1 + draw.upTo(3), ['.', '', '~', '_'], () => draw.of(['1', '2', '0', 'el8', 'fc', '3']))}`,
      ),
    ].join(''),
  apk: (draw) =>
    [
      draw.of(PADDED),
      draw.join(draw.upTo(3), [''], () => `.${draw.of(PADDED)}`),
      draw.maybe(0.2, () => draw.of(['a', 'b', 'z'])),
      draw.join(
        draw.upTo(2),
        [''],
        () => `_${draw.of(['alpha', 'beta2', 'pre', 'rc1', 'git20200101', 'p2'])}`,
      ),
      draw.maybe(0.4, () => `-r${draw.upTo(12)}`),
    ].join(''),
  rubygems: (draw) =>
    [
      draw.of(NUMBERS),
      draw.join(
        draw.upTo(4),
        [''],
        () => `.${draw.of([...PADDED, 'a', 'b', 'rc', 'rc1', 'pre', 'Z', '1a2'])}`,
      ),
      draw.maybe(
        0.2,
        () => `-${draw.join(1 + draw.upTo(1), ['.', '-'], () => draw.of(['1', 'java', 'x86', '0']))}`,
      ),
    ].join(''),
  maven: (draw) =>
    draw.join(1 + draw.upTo(4), ['.', '-', '', '_'], () =>
      draw.of([
        ...PADDED,
        'alpha',
        'a',
        'b',
        'm',
        'rc',
        'cr',
        'SNAPSHOT',
        'ga',
        'final',
        'sp',
        'jre',
        'Beta',
      ]),
    ),
  composer: (draw) =>
    [
      draw.maybe(0.2, () => 'v'),
      draw.join(1 + draw.upTo(3), ['.'], () => draw.of(['0', '1', '2', '10', '01', '2024'])),
      draw.maybe(
        0.5,
        () =>
          `${draw.of(['-', '.', '_', ''])}${draw.of(['beta', 'b', 'RC', 'alpha', 'a', 'patch', 'pl', 'p', 'stable'])}${draw.maybe(0.6, () => `${draw.of(['', '.', '-'])}${draw.upTo(3)}`)}`,
      ),
      draw.maybe(0.2, () => '-dev'),
    ].join(''),
  generic: (draw) =>
    `${draw.of(PADDED)}${draw.join(draw.upTo(4), [''], () => `${draw.of(['.', '-', '_', '', '+'])}${draw.of([...PADDED, 'rc', 'a', 'b', 'p', 'sp', 'k', 'beta', 'final', 'dev'])}`)}`,
};

function semver(draw: Draw): string {
  const word = () => draw.of(['alpha', 'beta', 'rc', 'rc1', 'x-y', 'Z', 'a', '0a', '-', ...NUMBERS]);
  return [
    draw.join(3, ['.'], number(draw)),
    draw.maybe(0.6, () => `-${draw.join(1 + draw.upTo(3), ['.'], word)}`),
    draw.maybe(0.2, () => `+${draw.of(['build', '001', 'incompatible', 'a.b'])}`),
  ].join('');
}

const sign = (draw: Draw, isCounted = false): string =>
  `${draw.of(['', '.', '-', '_'])}${isCounted ? draw.upTo(12) : ''}`;
