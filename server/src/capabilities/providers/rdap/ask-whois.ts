import type { Clock } from '#platform/clock.ts';
import type { OutboundStreams } from '#platform/outbound/stream-target.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { Whois } from '../contract-hosts.ts';
import { type Answer, type Ask, ProviderFailure } from '../provider.ts';
import { readLines, readWhois, referralOf } from './read-whois.ts';

const PORT = 43;
const BYTES_MAX = 64 * 1024;
/** The root, the registry, and one more server that the registry refers to. */
const SERVERS_MAX = 3;
const REFERRAL_MS = DAY_MS;
const REFERRALS_MAX = 2_000;

/** Two registries need options for language and table. */
const PHRASING: ReadonlyMap<string, (name: string) => string> = new Map([
  ['whois.denic.de', (name: string) => `-T dn,ace ${name}`],
  ['whois.jprs.jp', (name: string) => `${name}/e`],
]);

export type WhoisDeps = {
  readonly streams: OutboundStreams;
  readonly clock: Clock;
  readonly whoisRoot: string;
  /** The port for referrals; 43 when absent. The port in a referral is ignored. */
  readonly whoisPort?: number;
};
export type AskWhois = (name: string, ask: Ask) => Promise<Answer<Whois>>;

type Server = { readonly host: string; readonly port: number };

/**
 * WHOIS (RFC 3912) for registries without RDAP: the root names the server of the top-level domain, which is
 * then queried.
 */
export function createAskWhois(deps: WhoisDeps): AskWhois {
  const { clock, streams } = deps;
  const root = serverOf(deps.whoisRoot);
  const port = deps.whoisPort ?? PORT;
  const referrals = new Map<string, { readonly host: string; readonly untilMs: number }>();

  const exchange = async (server: Server, question: string, ask: Ask, endsMs: number): Promise<string> => {
    const deadlineMs = Math.floor(endsMs - clock.monotonic());
    if (deadlineMs <= 0) throw new ProviderFailure('upstream', 'No time is left to query the registry.');
    const phrase = PHRASING.get(server.host)?.(question) ?? question;
    const answer = await streams.exchange({
      ...server,
      text: `${phrase}\r\n`,
      bytesMax: BYTES_MAX,
      deadlineMs,
      signal: ask.signal,
    });
    return decode(answer);
  };

  const registryOf = async (name: string, ask: Ask, endsMs: number): Promise<string> => {
    const zone = name.slice(name.lastIndexOf('.') + 1);
    const known = referrals.get(zone);
    if (known !== undefined && known.untilMs > clock.monotonic()) return known.host;
    const host = referralOf(readLines(await exchange(root, zone, ask, endsMs)));
    if (host === null)
      throw new ProviderFailure('target', `The registry of .${zone} has neither RDAP nor WHOIS.`);
    if (referrals.size >= REFERRALS_MAX) referrals.clear();
    referrals.set(zone, { host, untilMs: clock.monotonic() + REFERRAL_MS });
    return host;
  };

  return async (name, ask) => {
    const endsMs = clock.monotonic() + ask.deadlineMs;
    const asked = new Set([root.host]);
    let host = await registryOf(name, ask, endsMs);
    while (asked.size < SERVERS_MAX && !asked.has(host)) {
      asked.add(host);
      const text = await exchange({ host, port }, name, ask, endsMs);
      const next = onlyReferral(text);
      if (next === null) return { value: readWhois(text, name) };
      host = next;
    }
    throw new ProviderFailure('target', `The registry of '${name}' refers in circles.`);
  };
}

function onlyReferral(text: string): string | null {
  const lines = readLines(text);
  const hasFacts = lines.has('createdDate') || lines.has('nameServers') || lines.has('registrar');
  return hasFacts ? null : referralOf(lines);
}

function serverOf(text: string): Server {
  const colon = text.lastIndexOf(':');
  if (colon === -1) return { host: text, port: PORT };
  return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
