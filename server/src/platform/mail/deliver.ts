import type { NodemailerError } from 'nodemailer/lib/errors';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpTarget } from './smtp-target.ts';

export type MailOutcome =
  | { readonly status: 'sent'; readonly reason: string }
  /** The server refused this message for good (5xx to the recipient or the content). */
  | { readonly status: 'refused'; readonly reason: string }
  /** The server asks to try this message later (4xx). */
  | { readonly status: 'later'; readonly reason: string }
  /** No message can be sent now: no connection, a broken one, wrong credentials, a refused sender. */
  | { readonly status: 'away'; readonly reason: string };

export type MailTiming = {
  readonly connectMs: number;
  readonly greetingMs: number;
  /** The longest time without a byte from the server. */
  readonly silenceMs: number;
  readonly totalMs: number;
};
export const MAIL_TIMING: MailTiming = {
  connectMs: 10_000,
  greetingMs: 10_000,
  silenceMs: 30_000,
  totalMs: 60_000,
};
const RESPONSE_BYTES_MAX = 16 * 1024;
const REASON_CHARS_MAX = 300;
const SERVICE_CLOSING = 421;

export type Delivery = { readonly from: string; readonly to: string; readonly bytes: Buffer };

/** One connection for one message: nothing of it can be left to another. */
export async function deliver(
  target: SmtpTarget,
  delivery: Delivery,
  { signal, timing }: { readonly signal: AbortSignal; readonly timing: MailTiming },
): Promise<MailOutcome> {
  const overdue = AbortSignal.timeout(timing.totalMs);
  const ended = AbortSignal.any([signal, overdue]);
  const connection = openConnection(target, timing);
  const aborted = Promise.withResolvers<never>();
  const abort = () =>
    aborted.reject(
      overdue.aborted ? new Error(`The mail server took more than ${timing.totalMs} ms.`) : signal.reason,
    );
  if (ended.aborted) abort();
  ended.addEventListener('abort', abort, { once: true });
  // Connection errors come as events, beside or instead of the callback of the step that runs.
  connection.on('error', (error: Error) => aborted.reject(error));
  aborted.promise.catch(() => undefined);
  try {
    const response = await Promise.race([converse(connection, target, delivery), aborted.promise]);
    return { status: 'sent', reason: wordReason(response, delivery.to) };
  } catch (error) {
    return judgeFailure(error, delivery.to);
  } finally {
    ended.removeEventListener('abort', abort);
    connection.close();
  }
}

const openConnection = (target: SmtpTarget, timing: MailTiming): SMTPConnection =>
  new SMTPConnection({
    host: target.host,
    port: target.port,
    secure: target.secure,
    requireTLS: target.requireTLS,
    ignoreTLS: target.ignoreTLS,
    connectionTimeout: timing.connectMs,
    dnsTimeout: timing.connectMs,
    greetingTimeout: timing.greetingMs,
    socketTimeout: timing.silenceMs,
    maxResponseSize: RESPONSE_BYTES_MAX,
    allowInternalNetworkInterfaces: true,
    tls: {
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
      ...(target.ca === undefined ? {} : { ca: [...target.ca] }),
    },
  });

/** The answer of the server to the message. */
async function converse(
  connection: SMTPConnection,
  { credentials }: SmtpTarget,
  { from, to, bytes }: Delivery,
): Promise<string> {
  await step((done) => connection.connect((error) => done(error ?? null)));
  if (credentials !== null) await step((done) => connection.login({ ...credentials }, done));
  const sent = Promise.withResolvers<string>();
  connection.send({ from, to: [to], size: bytes.length }, bytes, (error, info) =>
    error === null ? sent.resolve(info.response) : sent.reject(error),
  );
  const response = await sent.promise;
  connection.quit();
  return response;
}

function step(run: (done: (error: NodemailerError | null) => void) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  run((error) => (error === null ? resolve() : reject(error)));
  return promise;
}

/**
 * Only what the server says of the recipient or of the content is about this message. A refused sender, password or
 * greeting is about the whole service, and a letter must outlive the operator's mistake.
 */
export function judgeFailure(error: unknown, to: string): MailOutcome {
  const { responseCode, command, message = '' } = (error ?? {}) as Partial<NodemailerError>;
  const reason = wordReason(message, to);
  const isOfMessage = command === 'RCPT TO' || command === 'DATA';
  if (!isOfMessage || responseCode === undefined || responseCode === SERVICE_CLOSING)
    return { status: 'away', reason };
  return responseCode >= 500 ? { status: 'refused', reason } : { status: 'later', reason };
}

/** One line without the address: the reason is kept after the address was erased. */
const wordReason = (text: string, to: string): string =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(to, 'the recipient')
    .replaceAll(to.toLowerCase(), 'the recipient')
    .slice(0, REASON_CHARS_MAX)
    .trim();
