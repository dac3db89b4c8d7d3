import { addressOf, type Hosts } from './address.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { AssayError, errorOf } from './errors.ts';
import { type Limits, limitsOf } from './limits.ts';
import { type AnyInput, infoOf, type OperationId, type OperationInfo } from './operation.ts';
import { sleep, waitBeforeRetry } from './retry.ts';

export type CallOptions = {
  readonly signal?: AbortSignal | undefined;
  /** Limit for each attempt, not for the whole call. Defaults to the route's deadline plus five seconds. */
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  /** The longest single Retry-After that a retry waits for. */
  readonly patienceMs?: number | undefined;
  /** For routes that honour it. Generated when absent, so that a retried write is carried out once. */
  readonly idempotencyKey?: string | undefined;
};

/** One attempt, for logs, metrics and a display of the remaining quota. */
export type Seen = {
  readonly operation: OperationId;
  readonly method: string;
  /** The template, such as `/reports/{id}`: the actual path may contain customer data. */
  readonly path: string;
  readonly status: number;
  readonly requestId: string | null;
  readonly limits: Limits;
  readonly attempt: number;
  readonly tookMs: number;
};

export type Transport = {
  readonly hosts: Hosts;
  /** The credential, if any. It is stored only here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: 'include' | 'omit';
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly retries: number;
  readonly patienceMs: number;
  readonly onResponse: ((seen: Seen) => void) | undefined;
};

export type Ask<T> = {
  readonly id: OperationId;
  readonly input: AnyInput;
  readonly options: CallOptions;
  readonly headers?: Readonly<Record<string, string>>;
  readonly read: (response: Response, deadline: Deadline) => Promise<T> | T;
  /** True when `read` returns before it has finished reading and releases the deadline itself. */
  readonly keepsDeadline?: boolean;
};

type Prepared = { readonly url: string; readonly init: RequestInit; readonly idempotencyKey: string | null };

const SLACK_MS = 5_000;
const REPEATABLE = new Set(['GET', 'PUT', 'DELETE']);

export async function exchange<T>(transport: Transport, ask: Ask<T>): Promise<T> {
  const { options } = ask;
  const info = infoOf(ask.id);
  const prepared = prepare(transport, info, ask);
  const rules = {
    retries: options.retries ?? transport.retries,
    patienceMs: options.patienceMs ?? transport.patienceMs,
    isRepeatable: REPEATABLE.has(info.method) || prepared.idempotencyKey !== null,
    hasIdempotencyKey: prepared.idempotencyKey !== null,
  };
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptOnce(transport, ask, prepared, attempt);
    } catch (error) {
      const waitMs = error instanceof AssayError ? waitBeforeRetry(error, attempt, rules) : null;
      if (waitMs === null) throw error;
      await sleep(waitMs, options.signal);
    }
  }
}

async function attemptOnce<T>(
  transport: Transport,
  { id, options, read, keepsDeadline = false }: Ask<T>,
  { url, init }: Prepared,
  attempt: number,
): Promise<T> {
  const info = infoOf(id);
  const deadline = createDeadline(options.timeoutMs ?? info.deadlineMs + SLACK_MS, options.signal);
  const startedMs = performance.now();
  let isKept = false;
  try {
    const response = await transport
      .fetch(url, { ...init, signal: deadline.signal })
      .catch((cause: unknown) => {
        throw deadline.errorOf(cause);
      });
    transport.onResponse?.({
      operation: id,
      method: info.method,
      path: info.path,
      status: response.status,
      requestId: response.headers.get('X-Request-Id'),
      limits: limitsOf(response),
      attempt,
      tookMs: performance.now() - startedMs,
    });
    if (!response.ok) throw await refusalOf(response);
    const answer = await read(response, deadline);
    isKept = keepsDeadline;
    return answer;
  } finally {
    if (!isKept) deadline.release();
  }
}

/** A redirect is not followed: the platform would send X-API-KEY to its target. */
async function refusalOf(response: Response): Promise<AssayError> {
  if (response.type !== 'opaqueredirect' && (response.status < 300 || response.status > 399))
    return errorOf(response);
  await response.body?.cancel();
  return new AssayError({
    status: response.status,
    error: 'Redirected',
    message:
      'The service answered with a redirect, which is not followed. Is the address of the service right?',
    requestId: response.headers.get('X-Request-Id'),
  });
}

function prepare<T>(
  transport: Transport,
  info: OperationInfo,
  { input, options, headers: extra }: Ask<T>,
): Prepared {
  const idempotencyKey = info.takesIdempotencyKey === true ? (options.idempotencyKey ?? randomKey()) : null;
  const headers: Record<string, string> = {
    Accept: info.reply === 'events' ? 'text/event-stream' : 'application/json, text/*;q=0.9, */*;q=0.1',
    ...given(input.headers),
    ...given(extra),
    ...(input.body !== undefined && { 'Content-Type': 'application/json' }),
    ...(idempotencyKey !== null && given({ 'Idempotency-Key': idempotencyKey })),
    ...transport.headers,
  };
  return {
    url: addressOf(info, input, transport.hosts),
    idempotencyKey,
    init: {
      method: info.method,
      headers,
      credentials: transport.credentials,
      redirect: 'manual',
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    },
  };
}

/** Checked here, because the platform quotes an invalid header in its error, and a licence key is a secret. */
function given(headers: AnyInput['headers']): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value === undefined) continue;
    if (typeof value !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(value))
      throw new TypeError(`The header ${name} must be printable characters without spaces.`);
    out[name] = value;
  }
  return out;
}

/** Not `randomUUID`: browsers offer it only on secure pages, and a dashboard inside a network may use plain HTTP. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
