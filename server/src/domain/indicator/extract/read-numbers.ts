import type { ParseResult } from '../indicator.ts';
import { NOT_IPV4, readIpv4 } from '../ipv4.ts';

export type Surroundings = { readonly before: string; readonly after: string; readonly previous: string };
type Parse = (raw: string) => ParseResult;
type Reading = { readonly raw: string; readonly result: ParseResult };

const NUMERIC = /^[0-9][0-9.]*(?::\d{1,5})?(?:\/\d{1,3})?$/;
const COLONS = /^[0-9a-f:.]+(?:\/\d{1,3})?$/i;
const QUAD = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;
const QUAD_AND_PORT = /^(\d{1,3}(?:\.\d{1,3}){3})\.\d{1,5}$/;
/**
 * `Chrome/120.0.0.0` is a product with its version; `outside/203.0.113.5(443)` names a firewall interface, and
 * `HIER_DIRECT/203.0.113.5` a proxy's route.
 */
const PRODUCT = /[a-z]\/$/i;
const PROXY_WORD = /_|^(?:DIRECT|NONE)$/;
const VERSION_WORD = /^(?:v|ver|version|build|release|firmware)[.:]?$/i;
const PREFIX4_MAX = 32;

/**
 * Reads addresses and ranges. `nothing`: the digits are certainly something else, such as a date, a version, a time
 * or a hardware address. Null: the text is not numeric.
 */
export function readNumbers(text: string, around: Surroundings, parse: Parse): Reading | 'nothing' | null {
  if (NUMERIC.test(text)) return readQuad(text, around, parse);
  const colons = text.split(':').length - 1;
  if (colons < 2 || !COLONS.test(text)) return null;
  return readIpv6(text, colons, parse);
}

function readQuad(text: string, around: Surroundings, parse: Parse): Reading | 'nothing' {
  const [rest = '', prefix] = text.split('/');
  const [address = ''] = rest.split(':');
  const captured = QUAD_AND_PORT.exec(address)?.[1];
  if (captured !== undefined && isCaptured(around)) return { raw: captured, result: parse(captured) };
  if (!QUAD.test(address) || isVersion(around)) return 'nothing';
  if (prefix === undefined) return { raw: text, result: parse(text) };
  return readRange(rest, address, prefix, parse);
}

/**
 * A range is written with its first address. `192.0.2.7/24` is therefore one address of a range, and in
 * `192.0.2.7/443` some firewalls mean a port.
 */
function readRange(rest: string, address: string, prefix: string, parse: Parse): Reading {
  const text = `${rest}/${prefix}`;
  const result = parse(text);
  const isRange = result.ok && (result.indicator.kind === 'ip' || result.indicator.value === text);
  const isAttempt = !result.ok && address.endsWith('.0') && Number(prefix) > PREFIX4_MAX;
  if (isRange || isAttempt || readIpv4(address) === NOT_IPV4) return { raw: text, result };
  return { raw: address, result: parse(address) };
}

/** Packet captures write the port after a fifth dot, on either side of an arrow. */
const isCaptured = ({ after, previous }: Surroundings): boolean =>
  /^(?: >|:)/.test(after) || previous.split('.').length === 5;

const isVersion = ({ before, after, previous }: Surroundings): boolean =>
  (PRODUCT.test(before) && !/^[(/]/.test(after) && !PROXY_WORD.test(previous)) || VERSION_WORD.test(previous);

/**
 * Times (`10:15:32`) and hardware addresses (`00:16:3e:aa:bb:cc`) have two-digit groups and no gap; a longer group or
 * a gap means an IPv6 address.
 */
function readIpv6(text: string, colons: number, parse: Parse): Reading | 'nothing' {
  const groups = text.split('/', 1)[0]?.split(':') ?? [];
  const hasGap = text.includes('::');
  const filled = groups.filter((group) => group !== '').length;
  if (!hasGap && !groups.some((group) => group.length > 2)) return 'nothing';
  const result = parse(text);
  if (result.ok) return { raw: text, result };
  const isAttempt = hasGap ? filled >= 3 : colons >= 6 && colons <= 9;
  return isAttempt ? { raw: text, result } : 'nothing';
}
