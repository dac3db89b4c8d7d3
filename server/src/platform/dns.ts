import { randomInt } from 'node:crypto';
import type { Clock } from './clock.ts';
import { DnsError, type DnsFailure } from './dns/dns-error.ts';
import { exchangeTcp, exchangeUdp } from './dns/exchange.ts';
import { type DnsAnswer, type Question, type Reply, readReply, writeQuestion } from './dns/message.ts';
import { askableName } from './dns/name.ts';
import type { DnsRecords, RecordType } from './dns/records.ts';
import { type DnsServer, serverList } from './dns/servers.ts';
import { counter } from './metrics.ts';

export { DnsError } from './dns/dns-error.ts';
export type { DnsAnswer } from './dns/message.ts';

export type AskDns = { readonly signal?: AbortSignal; readonly deadlineMs: number };

/** Queries recursive name servers. It keeps no cache; the caller bounds the number of concurrent queries. */
export type Dns = {
  /** Throws only `DnsError`. */
  readonly resolve: <T extends RecordType>(
    name: string,
    type: T,
    ask: AskDns,
  ) => Promise<DnsAnswer<DnsRecords[T]>>;
};

const FIRST_TRY_MS = 800;
const ROUNDS = 3;
const SERVERS_MAX = 3;
/** A server that answered any query this recently is in service, so its refusal is about the name. */
const SERVES_FOR_MS = 60_000;
/** When servers disagree, the first of these failures is reported: it says most about the name. */
const PREFERRED: readonly DnsFailure[] = ['servfail', 'garbage', 'slow', 'refused', 'timeout'];

const questions = counter({
  name: 'dns_questions_total',
  help: 'DNS queries by outcome.',
  labels: ['outcome'],
});

type Health = { answeredAtMs: number; servedAtMs: number; probe: Promise<void> | null };
type Asking = {
  readonly server: DnsServer;
  readonly name: string;
  readonly type: RecordType;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

/**
 * Node's resolver reports no TTL for MX, NS and TXT, cannot cancel a single query, and reads answers of any size.
 * Here each query has its own port, id, deadline and limits.
 */
export function createDns({
  servers: given,
  clock,
}: {
  readonly servers: readonly string[];
  readonly clock: Pick<Clock, 'monotonic'>;
}): Dns {
  const servers = serverList(given, clock);
  const health = createHealth(clock);
  return {
    resolve: async (name, type, ask) => {
      try {
        const answer = await resolve({ servers: servers(), clock, health }, askableName(name), type, ask);
        questions.inc({ outcome: answer.state });
        return answer as never;
      } catch (error) {
        const failure =
          error instanceof DnsError ? error : new DnsError('garbage', 'Unreadable answer.', error);
        questions.inc({ outcome: failure.kind });
        throw failure;
      }
    },
  };
}

type Deps = {
  readonly servers: readonly DnsServer[];
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly health: (server: DnsServer) => Health;
};

/** Tries the servers in turn, up to three rounds with growing timeouts; one that has answered is not asked again. */
async function resolve(
  deps: Deps,
  name: string,
  type: RecordType,
  { signal, deadlineMs }: AskDns,
): Promise<DnsAnswer<DnsRecords[RecordType]>> {
  const { clock, health } = deps;
  const startedAtMs = clock.monotonic();
  const failures = new Map<DnsServer, DnsError>();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const server of deps.servers.slice(0, SERVERS_MAX)) {
      const leftMs = startedAtMs + deadlineMs - clock.monotonic();
      const before = failures.get(server);
      if (leftMs <= 0 || (before !== undefined && before.kind !== 'timeout')) continue;
      if (signal?.aborted === true)
        throw new DnsError('aborted', 'The caller cancelled the query.', signal.reason);
      // The first try gets at most half the time, which leaves time for a second try and a probe.
      const patienceMs = round === 0 ? Math.min(FIRST_TRY_MS, deadlineMs / 2) : FIRST_TRY_MS * 2 ** round;
      const timeoutMs = Math.min(leftMs, patienceMs);
      const reply = await ask({ server, name, type, timeoutMs, signal }, health(server), clock).catch(
        asFailure,
      );
      if (reply instanceof DnsError && reply.kind === 'aborted') throw reply;
      if (!(reply instanceof DnsError)) return reply;
      failures.set(server, reply);
      // Checks whether the server is silent or only the zone, so that one slow zone does not mark our resolver as dead.
      if (reply.kind === 'timeout') void probe(server, health(server), clock);
    }
  throw mostTelling(deps, failures, startedAtMs);
}

const asFailure = (error: unknown): DnsError =>
  error instanceof DnsError ? error : new DnsError('garbage', 'The answer could not be read.', error);

function mostTelling(
  { health }: Deps,
  failures: ReadonlyMap<DnsServer, DnsError>,
  sinceMs: number,
): DnsError {
  const told = [...failures].map(([server, failure]) =>
    failure.kind === 'timeout' && health(server).answeredAtMs > sinceMs
      ? new DnsError('slow', 'The name servers of this name did not answer in time.', failure)
      : failure,
  );
  const first = PREFERRED.flatMap((kind) => told.find((failure) => failure.kind === kind) ?? [])[0];
  return first ?? new DnsError('timeout', 'There is no name server to ask, or no time.');
}

/** One try with one server: UDP, then TCP after truncation, without EDNS when the server does not know it. */
async function ask(
  asking: Asking,
  state: Health,
  clock: Pick<Clock, 'monotonic'>,
): Promise<DnsAnswer<DnsRecords[RecordType]>> {
  const untilMs = clock.monotonic() + asking.timeoutMs;
  const left = (): Asking => ({ ...asking, timeoutMs: Math.max(1, untilMs - clock.monotonic()) });
  let withEdns = true;
  let reply = await send(exchangeUdp, asking, withEdns);
  if (reply.kind === 'unread') {
    withEdns = false;
    reply = await send(exchangeUdp, left(), withEdns);
  }
  state.answeredAtMs = clock.monotonic();
  if (reply.kind === 'truncated') reply = await send(exchangeTcp, left(), withEdns);
  if (reply.kind === 'answered') {
    state.servedAtMs = clock.monotonic();
    return reply.answer;
  }
  if (reply.kind === 'servfail') throw new DnsError('servfail', 'The zone of this name does not work.');
  if (reply.kind === 'truncated') throw new DnsError('garbage', 'The answer is cut off over TCP as well.');
  const isServing = clock.monotonic() - state.servedAtMs < SERVES_FOR_MS;
  throw isServing
    ? new DnsError('servfail', 'The name server will not answer for this name.')
    : new DnsError('refused', 'The name server does not serve us.');
}

function send(exchange: typeof exchangeUdp, asking: Asking, withEdns: boolean): Promise<Reply> {
  const { server, name, type, timeoutMs, signal } = asking;
  const question: Question = { id: randomInt(0x1_0000), name, type };
  return exchange<Reply>({
    server,
    timeoutMs,
    signal,
    query: writeQuestion(question, withEdns),
    read: (message) => {
      const reply = readReply(message, question);
      return reply.kind === 'foreign' ? null : reply;
    },
  });
}

function createHealth({ monotonic }: Pick<Clock, 'monotonic'>): (server: DnsServer) => Health {
  const known = new Map<string, Health>();
  return ({ host, port }) => {
    const key = `${host} ${port}`;
    const state = known.get(key) ?? {
      answeredAtMs: monotonic() - SERVES_FOR_MS,
      servedAtMs: monotonic() - SERVES_FOR_MS,
      probe: null,
    };
    known.set(key, state);
    return state;
  };
}

/** The root is in every cache, so a live server answers at once. One probe at a time for each server. */
function probe(server: DnsServer, state: Health, clock: Pick<Clock, 'monotonic'>): Promise<void> {
  const asking: Asking = { server, name: '', type: 'NS', timeoutMs: FIRST_TRY_MS, signal: undefined };
  state.probe ??= send(exchangeUdp, asking, false)
    .then(
      () => {
        state.answeredAtMs = clock.monotonic();
      },
      () => undefined,
    )
    .finally(() => {
      state.probe = null;
    });
  return state.probe;
}
