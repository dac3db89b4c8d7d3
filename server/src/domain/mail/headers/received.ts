import { type Ip, isBogon, parseIndicator } from '../../indicator/index.ts';

const COMMENTS_MAX = 8;
const CLAUSE_MAX = 2_000;
const LITERAL = /\[(?:IPv6:)?([0-9a-fA-F:.]{3,45})\]/i;
const BARE = /^[0-9a-fA-F:.]{3,45}$/;

function ipOf(text: string): Ip | null {
  const parsed = parseIndicator(text);
  return parsed.ok && parsed.indicator.kind === 'ip' ? parsed.indicator : null;
}

/** Reads the `from` clause, which ends at a `by` outside of comments; its comments are returned separately. */
function fromClause(value: string): { readonly name: string; readonly comments: readonly string[] } | null {
  const text = value.slice(0, CLAUSE_MAX);
  if (!/^from\s/i.test(text)) return null;
  const comments: string[] = [];
  let outside = '';
  let depth = 0;
  let from = 0;
  for (let at = 5; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '(') {
      if (depth === 0) from = at + 1;
      depth += 1;
    } else if (char === ')' && depth > 0) {
      depth -= 1;
      if (depth === 0 && comments.length < COMMENTS_MAX) comments.push(text.slice(from, at));
    } else if (depth === 0) {
      outside += char;
      if (char === ';' || /\sby\s$/i.test(outside.slice(-4))) break;
    }
  }
  return { name: outside.trim().split(/\s/, 1)[0] ?? '', comments };
}

/**
 * The address that the receiving host saw: the TCP-info of the `from` clause (RFC 5321 4.4). The name in the clause is what
 * the sender claimed, and `by`, `id` and other comments name no sender: `id 15.20.9587.18` is a version (O42).
 */
export function tcpAddressOf(received: string): Ip | null {
  const clause = fromClause(received);
  if (clause === null) return null;
  for (const comment of clause.comments) {
    const literal = LITERAL.exec(comment)?.[1];
    const last = comment.trim().split(/\s+/).at(-1) ?? '';
    const found = literal ?? (BARE.test(last) ? last : null);
    const ip = found === null ? null : ipOf(found);
    if (ip !== null) return ip;
  }
  // Exim writes the address it saw as the name, and the name that the sender claimed as a comment.
  const literal = clause.comments.some((comment) => /^helo=/i.test(comment))
    ? LITERAL.exec(clause.name)
    : null;
  return literal?.[1] === undefined ? null : ipOf(literal[1]);
}

/** The address that connected to the last trusted hop; hops are counted from the top. */
export function connectingAddress(received: readonly string[], trustedHops: number): Ip | null {
  const value = received[trustedHops - 1];
  return value === undefined ? null : tcpAddressOf(value);
}

/** True if at least one hop saw a public address, so the message came over the internet. */
export const cameFromInternet = (received: readonly string[]): boolean =>
  received.some((value) => {
    const ip = tcpAddressOf(value);
    return ip !== null && !isBogon(ip);
  });
