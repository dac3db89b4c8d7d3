import type { Ip } from './indicator.ts';
import { ipv4Of, NOT_IPV4, readIpv4 } from './ipv4.ts';

const GROUPS = 8;
/** 45 characters: six groups of four digits with their colons (30) and a dotted quad (15). */
const TEXT_MAX = 45;

/** The 16 bytes of an IPv6 text in any form of RFC 4291 section 2.2, without zone or brackets; otherwise null. */
export function readIpv6(text: string): Uint8Array | null {
  if (text.length < 2 || text.length > TEXT_MAX) return null;
  const gap = text.indexOf('::');
  if (gap < 0) {
    const groups = readGroups(text);
    return groups !== null && groups.length === GROUPS ? toBytes(groups, []) : null;
  }
  if (text.indexOf('::', gap + 1) >= 0) return null;
  const head = gap === 0 ? [] : readGroups(text.slice(0, gap), false);
  const tail = gap + 2 === text.length ? [] : readGroups(text.slice(gap + 2));
  if (head === null || tail === null || head.length + tail.length >= GROUPS) return null;
  return toBytes(head, tail);
}

/** Reads 16-bit groups between single colons; the last may be a dotted quad, which fills two groups. */
function readGroups(text: string, quadAllowed = true): number[] | null {
  const groups: number[] = [];
  const parts = text.split(':');
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? '';
    if (part.includes('.')) {
      const address = quadAllowed && i === parts.length - 1 ? readIpv4(part) : NOT_IPV4;
      if (address === NOT_IPV4) return null;
      groups.push(address >>> 16, address & 0xffff);
    } else {
      const group = readHexGroup(part);
      if (group < 0) return null;
      groups.push(group);
    }
  }
  return groups;
}

function readHexGroup(part: string): number {
  if (part.length === 0 || part.length > 4) return -1;
  let group = 0;
  for (let i = 0; i < part.length; i++) {
    const digit = hexDigit(part.charCodeAt(i));
    if (digit < 0) return -1;
    group = group * 16 + digit;
  }
  return group;
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 0x20;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function toBytes(head: readonly number[], tail: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(16);
  const put = (group: number, index: number) => {
    bytes[index * 2] = group >>> 8;
    bytes[index * 2 + 1] = group & 255;
  };
  head.forEach(put);
  tail.forEach((group, i) => {
    put(group, GROUPS - tail.length + i);
  });
  return bytes;
}

/** RFC 5952: lower case, no leading zeros, the first longest run of two or more zero groups as "::". */
export function formatIpv6(bytes: Uint8Array): string {
  const groups = Array.from(
    { length: GROUPS },
    (_, i) => ((bytes[i * 2] ?? 0) << 8) | (bytes[i * 2 + 1] ?? 0),
  );
  let runStart = -1;
  let runLength = 1; // RFC 5952 section 4.2.2: a single zero group is not shortened.
  for (let i = 0; i < GROUPS; i++) {
    let end = i;
    while (end < GROUPS && groups[end] === 0) end += 1;
    if (end - i > runLength) {
      runStart = i;
      runLength = end - i;
    }
    if (end > i) i = end;
  }
  const text = (from: number, to: number) =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(':');
  return runStart < 0 ? text(0, GROUPS) : `${text(0, runStart)}::${text(runStart + runLength, GROUPS)}`;
}

/** True for ::ffff:0:0/96, the only embedding of IPv4 that is converted (decisions 3.1). */
export function isMapped(bytes: Uint8Array): boolean {
  for (let i = 0; i < 10; i++) if (bytes[i] !== 0) return false;
  return bytes[10] === 0xff && bytes[11] === 0xff;
}

export const mappedAddress = (bytes: Uint8Array): number =>
  (((bytes[12] ?? 0) << 24) | ((bytes[13] ?? 0) << 16) | ((bytes[14] ?? 0) << 8) | (bytes[15] ?? 0)) >>> 0;

/**
 * An IPv4-mapped address is the IPv4 address (decisions 3.1). Compatible (::/96), 6to4, Teredo and NAT64 addresses stay
 * IPv6, because they are addresses of a gateway; a verdict unwraps them (`carriedIpv4`) and says so.
 */
export const ipOf = (bytes: Uint8Array): Ip =>
  isMapped(bytes)
    ? ipv4Of(mappedAddress(bytes))
    : { kind: 'ip', version: 6, value: formatIpv6(bytes), bytes };
