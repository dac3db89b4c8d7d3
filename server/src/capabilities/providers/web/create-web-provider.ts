import type { Domain, Ip } from '#domain/indicator/index.ts';
import type { Outbound } from '#platform/outbound.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { Technologies } from '../contract-hosts.ts';
import { type Ask, type Provider, ProviderFailure } from '../provider.ts';
import { targetFailure } from '../target-failure.ts';
import { type Page, recognizeTechnologies } from './recognize-technologies.ts';
import { isSameSite } from './same-site.ts';

export type WebProviderDeps = {
  readonly outbound: Outbound;
  /** For tests; otherwise the standard ports. */
  readonly ports?: { readonly https: number; readonly http: number };
};

const READ_BYTES_MAX = 128 * 1024;
const REDIRECTS_MAX = 2;
/** A firewall that swallows 443 must leave time for 80. */
const HTTPS_SHARE = 0.6;

/** Technologies of a host, from its front page alone: one visit like that of a browser, without probing. */
export function createWebProvider({ outbound, ports }: WebProviderDeps): Provider<Ip | Domain, Technologies> {
  const frontPage = (scheme: 'https' | 'http', host: Ip | Domain): URL => {
    const name = host.kind === 'ip' && host.version === 6 ? `[${host.value}]` : host.value;
    return new URL(`${scheme}://${name}${ports === undefined ? '' : `:${ports[scheme]}`}/`);
  };
  return {
    name: 'web',
    keyOf: ({ value }) => value,
    upstreamOf: () => 'hosts',
    schema: Technologies,
    deadlineMs: 5_000,
    atOnceMax: 32,
    freshMs: DAY_MS,
    absentMs: HOUR_MS,
    keepMs: 0,
    ask: async (host, ask) => {
      const httpsMs = Math.ceil(ask.deadlineMs * HTTPS_SHARE);
      try {
        const page = await visit(outbound, host, frontPage('https', host), { ...ask, deadlineMs: httpsMs });
        return { value: recognizeTechnologies(page) };
      } catch (error) {
        const failure = targetFailure(error);
        if (!(failure instanceof ProviderFailure) || failure.kind !== 'target') throw failure;
      }
      try {
        const rest = { ...ask, deadlineMs: Math.max(1, ask.deadlineMs - httpsMs) };
        return { value: recognizeTechnologies(await visit(outbound, host, frontPage('http', host), rest)) };
      } catch (error) {
        throw targetFailure(error);
      }
    },
  };
}

/** A redirect to another site ends the visit, because the next host is not the target. */
async function visit(outbound: Outbound, host: Ip | Domain, start: URL, ask: Ask): Promise<Page> {
  let followed = 0;
  const { headers, body } = await outbound.fetch(start, {
    ...ask,
    // The body is cut below; the first part of a larger page is still useful.
    bytesMax: Number.MAX_SAFE_INTEGER,
    schemes: ['https', 'http'],
    redirects: REDIRECTS_MAX,
    mayFollow: (next) => isSameSite(host, next) && ++followed <= REDIRECTS_MAX,
    headers: { accept: 'text/html' },
  });
  const isHtml = /^(?:text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? '');
  if (isHtml) return { headers, html: await firstPart(body) };
  body.destroy();
  return { headers, html: '' };
}

async function firstPart(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= READ_BYTES_MAX) break;
  }
  return Buffer.concat(chunks).subarray(0, READ_BYTES_MAX).toString('utf8');
}
