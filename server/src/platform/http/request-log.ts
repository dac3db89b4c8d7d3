import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Exchange } from './exchange.ts';
import type { MountedRoute } from './mounted-route.ts';
import type { Principal } from './principal.ts';

/** The level numbers of pino, so that these lines sort with its own. */
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, silent: 100 } as const;
export type LogLevel = keyof typeof LEVELS;

/** The caller disconnected before the answer; never sent, only counted. */
export const CLIENT_GONE = 499;

export type RequestLine = (exchange: Exchange, status: number, ms: number) => void;

/**
 * One hand-built line for each request, because a logger call costs as much as the lookup (architecture, one
 * request). It names the route by its template and the caller by id, never the key, the body or the indicator.
 */
export function requestLines(
  log: Log,
  clock: Clock,
  threshold: LogLevel,
): (mounted: MountedRoute) => RequestLine {
  const lowest = LEVELS[threshold];
  const pid = process.pid;
  return (mounted) => {
    const place = `","route":${quote(mounted.template)},"surface":"${mounted.surface}","status":`;
    return (exchange, status, ms) => {
      const level = status < 500 ? LEVELS.info : LEVELS.error;
      if (level < lowest) return;
      const { request, reply, principal } = exchange;
      const bytes = Number(reply.getHeader('content-length') ?? 0);
      log.line(
        `{"level":${level},"time":${clock.now()},"pid":${pid},"msg":"request","requestId":"${request.id}","method":"${
          request.method
        }${place}${status},"ms":${Math.round(ms * 100) / 100},"bytes":${bytes}${
          principal === null ? '' : callerOf(principal)
        }}`,
      );
    };
  };
}

/** The caller's part of the line is the same for every request with one key, so it is built once for each principal. */
const callers = new WeakMap<Principal, string>();

function callerOf(principal: Principal): string {
  const known = callers.get(principal);
  if (known !== undefined) return known;
  const text = `,"principal":${quote(principal.id)},"account":${quote(principal.accountId)},"plan":${quote(principal.plan)}`;
  callers.set(principal, text);
  return text;
}

const NEEDS_ESCAPING = /[^\x20-\x7e]|["\\]/;
const TEXT_MAX = 256;

/** The JSON text of a value that is nearly always plain; any other is escaped and cut to stay on one line. */
export const quote = (text: string): string =>
  text.length <= TEXT_MAX && !NEEDS_ESCAPING.test(text)
    ? `"${text}"`
    : JSON.stringify(text.slice(0, TEXT_MAX));
