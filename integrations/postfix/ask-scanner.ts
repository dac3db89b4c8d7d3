import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from './settings.ts';

/** The only part of the scan's answer that the bridge uses. */
export type Scanned = {
  readonly verdict: string;
  readonly action: string;
  readonly score: number;
  readonly reasons: readonly string[];
};

export type SkipReason =
  | 'too-large'
  | 'not-mail'
  | 'key-refused'
  | 'quota'
  | 'busy'
  | 'timeout'
  | 'unreachable'
  | 'bad-answer';

export type ScanOutcome =
  | { readonly ok: true; readonly scanned: Scanned }
  | { readonly ok: false; readonly reason: SkipReason };

export type AskScanner = (message: Buffer, connectingIp: string | null) => Promise<ScanOutcome>;

/** The limit of POST /mail/scan for one message. */
const SCAN_BYTES_MAX = 10 * 1024 * 1024;
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const REASONS_MAX = 20;
/** Pause before the second try to connect: a service that restarts refuses connections for a moment. */
const RECONNECT_MS = 250;
const CONNECT_TRIES = 2;
/** After so many failures in a row no scan is tried for a while, so that mail does not queue up behind timeouts. */
const FAILURES_MAX = 5;
const REST_MS = 5_000;
const WORD = /^[a-z]{1,20}$/;
const CODE = /^[a-z][a-z_.]{1,60}$/;

type Try = ScanOutcome | { readonly ok: null; readonly waitMs: number; readonly reason: SkipReason };

/** Asks POST /mail/scan within one deadline, with a limit on scans at once and pauses that the service asks for. */
export function createScanner(settings: Settings): AskScanner {
  const turns = createTurns(settings.scansAtOnce);
  let failures = 0;
  let restingUntil = 0;
  let lastReason: SkipReason = 'unreachable';

  const note = (outcome: ScanOutcome): ScanOutcome => {
    const isAway = !outcome.ok && ['timeout', 'unreachable', 'busy'].includes(outcome.reason);
    failures = isAway ? failures + 1 : 0;
    if (!outcome.ok) lastReason = outcome.reason;
    if (failures >= FAILURES_MAX) restingUntil = performance.now() + REST_MS;
    return outcome;
  };
  return async (message, connectingIp) => {
    if (message.length > SCAN_BYTES_MAX) return { ok: false, reason: 'too-large' };
    if (performance.now() < restingUntil) return { ok: false, reason: lastReason };
    const until = performance.now() + settings.scanDeadlineMs;
    const signal = AbortSignal.timeout(settings.scanDeadlineMs);
    if (!(await turns.take(signal))) return note({ ok: false, reason: 'busy' });
    try {
      return note(await ask(settings, bodyOf(settings, message, connectingIp), { signal, until }));
    } finally {
      turns.giveBack();
    }
  };
}

type Deadline = { readonly signal: AbortSignal; readonly until: number };

async function ask(settings: Settings, body: Buffer, { signal, until }: Deadline): Promise<ScanOutcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await askOnce(settings, body, signal);
    if (outcome.ok !== null) return outcome;
    const isLast = outcome.reason === 'unreachable' && tries >= CONNECT_TRIES;
    if (isLast || performance.now() + outcome.waitMs >= until) return { ok: false, reason: outcome.reason };
    await pause(outcome.waitMs);
  }
}

async function askOnce(settings: Settings, body: Buffer, signal: AbortSignal): Promise<Try> {
  try {
    const answer = await fetch(settings.scanUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': settings.key },
      body: new Uint8Array(body),
      redirect: 'error',
      signal,
    });
    const text = await readText(answer);
    if (answer.status === 200) return readScanned(text);
    return refusalOf(answer.status, Number(answer.headers.get('retry-after') ?? '2'));
  } catch {
    if (signal.aborted) return { ok: false, reason: 'timeout' };
    return { ok: null, waitMs: RECONNECT_MS, reason: 'unreachable' };
  }
}

function refusalOf(status: number, retryAfterS: number): Try {
  const waitMs = Number.isFinite(retryAfterS) ? Math.max(0.25, retryAfterS) * 1_000 : 2_000;
  if (status === 429) return { ok: null, waitMs, reason: 'quota' };
  if (status === 503 || status === 502 || status === 504) return { ok: null, waitMs, reason: 'busy' };
  if (status === 413) return { ok: false, reason: 'too-large' };
  if (status === 400) return { ok: false, reason: 'not-mail' };
  if (status === 401 || status === 403) return { ok: false, reason: 'key-refused' };
  return { ok: false, reason: 'bad-answer' };
}

async function readText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new Error('The answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads the scan's answer. Only plain words pass, because they become headers of the message. */
function readScanned(text: string): ScanOutcome {
  try {
    const { verdict, recommendedAction, riskScore, reasons } = JSON.parse(text) as Record<string, unknown>;
    const codes = (reasons as { readonly code: unknown }[]).map(({ code }) => String(code));
    if (
      ![verdict, recommendedAction].every((word) => WORD.test(String(word))) ||
      !Number.isInteger(riskScore)
    )
      return { ok: false, reason: 'bad-answer' };
    return {
      ok: true,
      scanned: {
        verdict: String(verdict),
        action: String(recommendedAction),
        score: Number(riskScore),
        reasons: [...new Set(codes)].filter((code) => CODE.test(code)).slice(0, REASONS_MAX),
      },
    };
  } catch {
    return { ok: false, reason: 'bad-answer' };
  }
}

function bodyOf({ authservId, trustedHops }: Settings, message: Buffer, connectingIp: string | null): Buffer {
  const context = {
    trustedHops,
    ...(authservId !== null && { authservId }),
    ...(connectingIp !== null && { connectingIp }),
  };
  return Buffer.from(
    `{"context":${JSON.stringify(context)},"emlBase64":"${message.toString('base64')}"}`,
    'latin1',
  );
}

/** A semaphore with at most `count` holders; the others wait in order. */
function createTurns(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    take: async (signal: AbortSignal): Promise<boolean> => {
      if (free > 0) {
        free -= 1;
        return true;
      }
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const enter = (): void => resolve(true);
      waiting.push(enter);
      signal.addEventListener('abort', () => {
        const place = waiting.indexOf(enter);
        if (place >= 0) waiting.splice(place, 1);
        // Has no effect on a turn that was given before the deadline, because its promise is resolved already.
        resolve(false);
      });
      return promise;
    },
    giveBack: (): void => {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}
