import { isIP } from 'node:net';
import { z } from 'zod';

const listOf = (text: string): string[] =>
  text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));

function isRange(text: string): boolean {
  const [address = '', bits, more] = text.split('/');
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  return family !== 0 && more === undefined && /^\d{1,3}$/.test(bits ?? '') && Number(bits) <= most;
}

/** Without path, query and fragment, which a proxy does not have. */
function isProxy(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'http:' && url.hostname !== '' && url.pathname === '/' && !/[?#]/.test(text);
}

/** Where outgoing requests may go, beyond what the service refuses by itself. */
export const OUTBOUND_ENVIRONMENT = {
  OUTBOUND_DENY: z
    .string()
    .max(8_192)
    .default('')
    .transform(listOf)
    .refine((list) => list.every(isRange), 'expected CIDRs such as 198.51.100.0/24 or 2001:db8::/32')
    .describe(
      'Ranges that no outgoing request reaches, as comma-separated IPv4 and IPv6 CIDRs: public addresses inside your own network, for instance. Private and other special ranges are refused without it. It wins over OUTBOUND_ALLOW, SSO_ALLOW and WEBHOOK_ALLOW.',
    ),
  OUTBOUND_PROXY: z
    .string()
    .max(2_048)
    .refine(isProxy, 'expected http://HOST:PORT or http://USER:PASSWORD@HOST:PORT')
    .optional()
    .describe(
      'HTTP CONNECT proxy through which outgoing requests leave, such as smokescreen or Squid. This service still resolves each name and checks every address; the proxy is asked for the address. Addresses of OUTBOUND_ALLOW, SSO_ALLOW and WEBHOOK_ALLOW are reached directly, and so are DNS, SMTP, PostgreSQL and Redis.',
    ),
} as const;
