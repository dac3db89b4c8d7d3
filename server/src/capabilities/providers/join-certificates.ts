import type { Certificates, CtHistory, TlsFacts } from './contract-hosts.ts';
import { type MissingReason, missing, type Outcome } from './outcome.ts';

type Leaf = Certificates['history'][number];

const PROBLEM_MAX = 200;

/**
 * Chooses one certificate, the newest valid leaf, with its history (G15). The certificate of the host is in
 * use, so it comes before a newer one that only a log has, if it is valid and trusted. An expired or
 * self-signed one is returned when there is nothing better; `problem` names it in any case.
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

/** Serial numbers are unique per issuer; tools write them with colons, leading zeros and in either case. */
const isSame = (one: Pick<Leaf, 'serialNumber'>, other: Pick<Leaf, 'serialNumber'>): boolean =>
  plainSerial(one.serialNumber) === plainSerial(other.serialNumber);
const plainSerial = (serial: string): string =>
  serial
    .replace(/[^0-9a-f]/gi, '')
    .replace(/^0+/, '')
    .toLowerCase();

/** Logs are read newest first, which is the order of logging, not of issue. */
function newestOf(leaves: readonly Leaf[]): Leaf | null {
  let newest: Leaf | null = null;
  for (const leaf of leaves)
    if (newest === null || Date.parse(leaf.validFrom) > Date.parse(newest.validFrom)) newest = leaf;
  return newest;
}

/** Reasons of a lookup that was not made; the other lookup alone decides then. */
const UNASKED: ReadonlySet<MissingReason> = new Set(['inapplicable', 'off', 'unconfigured']);

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
