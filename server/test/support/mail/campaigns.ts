import { type MessageFacts, organizationOf } from '#domain/mail/index.ts';

type Named<T> = { readonly mail: T; readonly facts: MessageFacts };

/** The first six longer words of a text, without numbers, codes and dates, which change in copies of a campaign. */
const shapeOf = (text: string | null): string =>
  (text ?? '')
    .toLowerCase()
    .replace(/[^\p{L}\s]/gu, ' ')
    .split(/\s+/)
    .filter((word) => word.length > 3)
    .slice(0, 6)
    .join(' ');

/**
 * What two messages of one campaign have in common: where its links lead, the domain it is sent from, the shape of its
 * subject or the place for replies. Names that many campaigns share are left out by the caller.
 */
function tracesOf(
  { from, subject, links, replyTo, contacts }: MessageFacts,
  isShared: (host: string) => boolean,
): readonly string[] {
  const hosts = links.filter(({ way }) => way === 'click').map(({ host }) => organizationOf(host));
  const sender = from?.email == null ? null : organizationOf(from.email.domain);
  return [
    ...hosts.filter((host) => !isShared(host)).map((host) => `link ${host}`),
    ...(sender !== null && !isShared(sender) ? [`sender ${sender}`] : []),
    ...(shapeOf(subject).split(' ').length > 2 ? [`subject ${shapeOf(subject)}`] : []),
    ...replyTo.flatMap(({ email }) =>
      email === null || isShared(email.domain.value) ? [] : [`reply ${email.value}`],
    ),
    ...contacts.flatMap(({ kind, value }) => (kind === 'phone' ? [`phone ${value}`] : [])),
  ];
}

/** Groups messages that share a trace, directly or through others. */
export function campaignsOf<T>(
  messages: readonly Named<T>[],
  isShared: (host: string) => boolean,
): readonly (readonly T[])[] {
  const parent = messages.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (parent[root] !== root) root = parent[root] ?? root;
    return root;
  };
  const first = new Map<string, number>();
  for (const [at, { facts }] of messages.entries())
    for (const trace of tracesOf(facts, isShared)) {
      const known = first.get(trace);
      if (known === undefined) first.set(trace, at);
      else parent[rootOf(at)] = rootOf(known);
    }
  const groups = Map.groupBy(
    messages.entries().map(([at, { mail }]) => ({ at, mail })),
    ({ at }) => rootOf(at),
  );
  return [...groups.values()].map((group) => group.map(({ mail }) => mail));
}
