import type { Certificates, CtHistory, TlsFacts } from './contract-hosts.ts';
import { type MissingReason, missing, type Outcome } from './outcome.ts';

type Leaf = Certificates['history'][number];

const PROBLEM_MAX = 200;

/**
 * G15: one certificate, the newest valid leaf, with what else is known. The one the host itself shows is in use, so it
 * comes before a newer one that only a log has, as long as it is valid and trusted; an expired or self-signed one is
 * shown when there is nothing better, and is told of in `problem` in any case.
 */
export function joinCertificates(
  tls: Outcome<TlsFacts>,
  ct: Outcome<CtHistory>,
  nowMs: number,
): Outcome<Certificates> {
  if (tls.state !== 'found' && ct.state !== 'found') return joinNothing(tls, ct);
  const shown = tls.state === 'found' ? tls.value : null;
  const logged = ct.state === 'found' ? ct.value : null;
  const joined = choose(shown, logged, nowMs);
  const used = [tls, ct].flatMap((outcome) => (outcome.state === 'found' ? [outcome] : []));
  const fetchedAtMs = Math.min(...used.map((outcome) => outcome.fetchedAtMs));
  if (joined === null) return { state: 'absent', fetchedAtMs };
  return { state: 'found', value: joined, fetchedAtMs, isStale: used.some(({ isStale }) => isStale) };
}

function choose(shown: TlsFacts | null, logged: CtHistory | null, nowMs: number): Certificates | null {
  const history = logged?.history ?? [];
  const rest = { history, total: logged?.total ?? 0 };
  const newest = newestOf(history.filter((leaf) => isValid(leaf, nowMs)));
  const isShownGood = shown?.isTrusted === true && isValid(shown.certificate, nowMs);
  if (shown !== null && (isShownGood || newest === null || isSame(shown.certificate, newest))) {
    const { certificate, names, isTrusted, problem } = shown;
    return { ...certificate, names, isTrusted, problem, ...rest };
  }
  const leaf = newest ?? newestOf(history);
  if (leaf === null) return null;
  const problem = shown === null ? null : problemOfShown(shown);
  return { ...leaf, names: logged?.names ?? [], isTrusted: null, problem, ...rest };
}

function problemOfShown({ problem }: TlsFacts): string {
  const text = `The host itself shows another certificate: ${problem ?? 'not valid at this time'}`;
  return text.slice(0, PROBLEM_MAX);
}

const isValid = ({ validFrom, validTo }: Pick<Leaf, 'validFrom' | 'validTo'>, nowMs: number): boolean =>
  Date.parse(validFrom) <= nowMs && nowMs < Date.parse(validTo);

/** Serial numbers are unique per issuer; tools write them with colons, leading zeros and either case. */
const isSame = (one: Pick<Leaf, 'serialNumber'>, other: Pick<Leaf, 'serialNumber'>): boolean =>
  plainSerial(one.serialNumber) === plainSerial(other.serialNumber);
const plainSerial = (serial: string): string =>
  serial
    .replace(/[^0-9a-f]/gi, '')
    .replace(/^0+/, '')
    .toLowerCase();

/** Logs are asked for newest first, which is their order of logging and not of issue. */
function newestOf(leaves: readonly Leaf[]): Leaf | null {
  let newest: Leaf | null = null;
  for (const leaf of leaves)
    if (newest === null || Date.parse(leaf.validFrom) > Date.parse(newest.validFrom)) newest = leaf;
  return newest;
}

/** Said in answer to nobody's question; the other one's word is then the whole answer. */
const UNASKED: ReadonlySet<MissingReason> = new Set(['inapplicable', 'off', 'unconfigured']);

/** "None" only when everybody who was asked says so. */
function joinNothing(tls: Outcome<TlsFacts>, ct: Outcome<CtHistory>): Outcome<Certificates> {
  const reasons = [tls, ct].flatMap((outcome) => (outcome.state === 'missing' ? [outcome.reason] : []));
  const absentAtMs = [tls, ct].flatMap((outcome) =>
    outcome.state === 'absent' ? [outcome.fetchedAtMs] : [],
  );
  const failed = reasons.find((reason) => !UNASKED.has(reason));
  if (failed !== undefined) return missing(failed);
  if (absentAtMs.length > 0) return { state: 'absent', fetchedAtMs: Math.min(...absentAtMs) };
  return missing(reasons.find((reason) => reason !== 'inapplicable') ?? 'inapplicable');
}
