import { createHash } from 'node:crypto';
import { type NetworkUse, networksOf } from './networks.ts';
import type { Random } from './random.ts';

/** Draws one entry of a list. `nth` is the number of entries so far, which makes each unique. */
export type Draw = (random: Random, nth: number) => string;

/** This share of a list lies in a few /24s of each network, as bad neighbourhoods do on the real internet. */
const CROWDED_SHARE = 0.35;
const CROWDED_SLASH24S = 9;

export const addressIn =
  (...uses: readonly NetworkUse[]): Draw =>
  (random) => {
    const { prefix4, asn } = random.pick(networksOf(...uses));
    const isCrowded = random.share() < CROWDED_SHARE;
    const third = isCrowded ? (asn * 37 + random.below(CROWDED_SLASH24S) * 23) % 256 : random.below(256);
    return `${prefix4}.${third}.${1 + random.below(254)}`;
  };

export const address6In =
  (...uses: readonly NetworkUse[]): Draw =>
  (random) => {
    const { prefix6 } = random.pick(networksOf(...uses));
    const group = () => random.below(0xffff).toString(16);
    return `${prefix6}:${group()}:${random.below(64).toString(16)}::${(1 + random.below(0xfffe)).toString(16)}`;
  };

export const rangeIn =
  (bits: readonly number[], ...uses: readonly NetworkUse[]): Draw =>
  (random) => {
    const { prefix4 } = random.pick(networksOf(...uses));
    const length = random.pick(bits);
    const size = 2 ** (32 - length);
    const host = Math.floor(random.below(65_536) / size) * size;
    return `${prefix4}.${host >> 8}.${host & 255}/${length}`;
  };

/** Invented companies: names below example.com, example.net and example.org are reserved (RFC 2606). */
const BRANDS =
  'kestrelpay northwharf bluepine lumenpost harborbank orchardmail tidewater mapleloan quartzpay ferrydrop'.split(
    ' ',
  );
const LURES = 'login signin verify secure account billing update support portal webmail wallet refund'.split(
  ' ',
);
const THINGS =
  'otter maple cobalt fennel granite heron juniper lantern meadow nimbus opal pebble quill raven sable thistle'.split(
    ' ',
  );
const ZONES = ['example.com', 'example.net', 'example.org'] as const;
const mark = (random: Random): string => random.below(0x10_0000).toString(36);

export const lureName: Draw = (random, nth) =>
  `${random.pick(LURES)}-${random.pick(BRANDS)}-${mark(random)}${nth.toString(36)}.${random.pick(ZONES)}`;

export const plainName =
  (kind: string): Draw =>
  (random, nth) =>
    `${random.pick(THINGS)}${nth.toString(36)}.${kind}-${random.pick(THINGS)}.${random.pick(ZONES)}`;

export const lureUrl: Draw = (random, nth) =>
  `https://${lureName(random, nth)}/${random.pick(LURES)}/${mark(random)}.html`;

const FILES = ['setup.exe', 'invoice.zip', 'update.bin', 'player.apk', 'loader.dll', 'notes.iso'] as const;
export const payloadUrl: Draw = (random, nth) =>
  random.share() < 0.3
    ? `http://${addressIn('hosting')(random, nth)}/${mark(random)}/${random.pick(FILES)}`
    : `http://${plainName('files')(random, nth)}/${mark(random)}/${random.pick(FILES)}`;

export const digest = (algorithm: 'sha256' | 'sha1' | 'md5', text: string): string =>
  createHash(algorithm).update(`assay sample: ${text}`).digest('hex');

export const fileDigests =
  (kind: string): Draw =>
  (_random, nth) =>
    (['sha256', 'sha1', 'md5'] as const).map((each) => digest(each, `${kind} ${nth}`)).join(',');

export const FAMILIES = [
  'SampleLoader',
  'SampleStealer',
  'SampleRat',
  'SampleMiner',
  'SampleLocker',
  'SampleBeacon',
] as const;
