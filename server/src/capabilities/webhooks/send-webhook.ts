import type { Readable } from 'node:stream';
import { inertText } from '#domain/text/inert-text.ts';
import { type Answer, readRetryAfter } from '#domain/webhooks/index.ts';
import type { Clock } from '#platform/clock.ts';
import { type Outbound, OutboundError } from '#platform/outbound.ts';
import type { Secrets } from '#platform/secrets.ts';
import type { Claim } from './lane-store.ts';
import { openSecret, signatureHeaders } from './sign-delivery.ts';
import { challengeIn, VERIFICATION } from './verification.ts';
import { WEBHOOK_PORTS } from './webhooks-deps.ts';

export type SendDeps = { readonly clock: Clock; readonly secrets: Secrets; readonly outbound: Outbound };

export type Sent = Answer & {
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** The challenge in an answer to a verification. */
  readonly challenge: string | null;
};

const TIMEOUT_MS = 15_000;
const READ_MAX = 64 * 1024;
const KEPT_CHARS = 1_024;
const ERROR_CHARS = 300;

/** Makes one attempt. Every failure is returned as a result; it rejects only when the process stops. */
export async function sendWebhook(
  { clock, secrets, outbound }: SendDeps,
  claim: Claim,
  signal: AbortSignal,
): Promise<Sent> {
  const startedAt = clock.monotonic();
  const nowMs = clock.now();
  const durationOf = () => Math.round(clock.monotonic() - startedAt);
  const keys = keysOf(secrets, claim, nowMs);
  if (keys.length === 0)
    return failed('The secret cannot be opened: rotate the secret of this webhook.', durationOf());
  const isVerification = claim.event === VERIFICATION;
  const body = claim.outOfOrder ? `${claim.body.slice(0, -1)},"outOfOrder":true}` : claim.body;
  try {
    const answer = await outbound.fetch(claim.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        ...signatureHeaders(keys, { id: claim.id, timestampS: Math.floor(nowMs / 1_000), body }),
      },
      body,
      deadlineMs: TIMEOUT_MS,
      // No limit: only the first kilobyte is kept, and a long answer is cut off instead of refused.
      bytesMax: Number.MAX_SAFE_INTEGER,
      ports: WEBHOOK_PORTS,
      signal,
    });
    const text = await readStart(answer.body);
    return {
      status: answer.status,
      retryAfterMs: readRetryAfter(answer.headers['retry-after'], nowMs),
      // A service that repeats what it gets would show the challenge to the account, which has to get it from the receiver.
      responseBody: isVerification ? null : inertText(text, KEPT_CHARS),
      challenge: isVerification ? challengeIn(text) : null,
      error: null,
      durationMs: durationOf(),
    };
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof OutboundError ? error.message : 'The request could not be sent.';
    return failed(why, durationOf());
  }
}

const failed = (error: string, durationMs: number): Sent => ({
  status: null,
  retryAfterMs: null,
  responseBody: null,
  challenge: null,
  error: error.slice(0, ERROR_CHARS),
  durationMs,
});

function keysOf(secrets: Secrets, claim: Claim, nowMs: number): readonly Buffer[] {
  const isOlderValid = claim.olderSecret !== null && nowMs < (claim.olderUntilMs ?? 0);
  const sealed =
    isOlderValid && claim.olderSecret !== null ? [claim.secret, claim.olderSecret] : [claim.secret];
  return sealed.flatMap((each) => openSecret(secrets, claim.endpointId, each) ?? []);
}

/** Reads the start of a body. Only the status decides, so a long, slow or broken body changes nothing. */
function readStart(body: Readable): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let read = 0;
    body.on('data', (chunk: Buffer) => {
      if (read < KEPT_CHARS) chunks.push(chunk.subarray(0, KEPT_CHARS));
      read += chunk.length;
      if (read > READ_MAX) body.destroy();
    });
    body.once('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}
