/** What every failure of a call says, whoever caused it. */
export type Failure = {
  /** 0 when no answer came. */
  readonly status: number;
  /** The service's own word for the kind of failure, such as `Rate Limited`. */
  readonly error: string;
  readonly message: string;
  readonly requestId?: string | null;
  readonly details?: readonly FieldProblem[];
  readonly retryAfterMs?: number | null;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
};
export type FieldProblem = { readonly path: string; readonly message: string };

/** The root of every failure that a call can end in. It never holds the credential. */
export class AssayError extends Error {
  override name = 'AssayError';
  readonly status: number;
  readonly error: string;
  /** Names the request in the log of the service; quote it when you ask. Null when no answer came. */
  readonly requestId: string | null;
  /** With 400: one entry per field. */
  readonly details: readonly FieldProblem[];
  /** How long the service asks to wait. Null when it did not say. */
  readonly retryAfterMs: number | null;
  /** The whole body of the answer, for fields that are not named here. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(failure: Failure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.status = failure.status;
    this.error = failure.error;
    this.requestId = failure.requestId ?? null;
    this.details = failure.details ?? [];
    this.retryAfterMs = failure.retryAfterMs ?? null;
    this.body = failure.body ?? {};
  }
}

/** 400, 413, 415, 422: what was sent cannot be read. Nothing of the month was charged. */
export class InvalidRequest extends AssayError {
  override name = 'InvalidRequest';
}
/** 401: no credential, or a wrong one. */
export class Unauthorized extends AssayError {
  override name = 'Unauthorized';
}
/** 403: the plan, the role, the licence or the address does not allow it. */
export class Forbidden extends AssayError {
  override name = 'Forbidden';
}
/** 404: there is no such thing, or it is somebody else's. */
export class NotFound extends AssayError {
  override name = 'NotFound';
}
/** 409: it does not go with what is there. */
export class Conflict extends AssayError {
  override name = 'Conflict';
}
/** 503, and 502 or 504 of a proxy: busy, or something the service needs is away. */
export class Unavailable extends AssayError {
  override name = 'Unavailable';
}
/** No answer: the connection could not be made, or broke. */
export class NetworkFailure extends AssayError {
  override name = 'NetworkFailure';
}
/** No answer in time. The service may still carry the request out. */
export class TimedOut extends AssayError {
  override name = 'TimedOut';
}
/** The caller's own signal. Named as the platform names it, so that the usual test of the name holds. */
export class Aborted extends AssayError {
  override name = 'AbortError';
}
/** An event stream that failed after it had begun, or ended without its last event. */
export class StreamBroken extends AssayError {
  override name = 'StreamBroken';
  /** What to send as `lastEventId` to go on after the last event that came; null when none did. */
  readonly lastEventId: string | null;

  constructor(failure: Failure & { readonly lastEventId?: string | null }) {
    super(failure);
    this.lastEventId = failure.lastEventId ?? null;
  }
}

/** Which allowance is used up. `other`: a form this version does not know. */
export type UsedUp = 'burst' | 'month' | 'scans' | 'anonymous' | 'other';

/** 429. A refusal charges nothing. */
export class RateLimited extends AssayError {
  override name = 'RateLimited';
  readonly usedUp: UsedUp;
  readonly plan: string | null;
  /** Of the month or of the scans; null for the burst. */
  readonly usage: { readonly current: number; readonly limit: number } | null;
  /** When all of it is there again, by the service's clock, in milliseconds since the epoch. */
  readonly resetsAtMs: number | null;
  /** When the next call can be granted, by the clock of this machine: what a countdown runs to. Null when nobody said. */
  readonly retryAtMs: number | null;
  readonly upgradeRequired: boolean;

  constructor(failure: Failure) {
    super(failure);
    const { plan, rateLimit, resetsAt, upgradeRequired } = this.body;
    this.plan = typeof plan === 'string' ? plan : null;
    this.usage = usageOf(this.body);
    this.usedUp = usedUpOf(failure.error, this.plan, this.usage !== null, isRecord(rateLimit));
    this.resetsAtMs = timeOf(resetsAt ?? (isRecord(rateLimit) ? rateLimit.resetAt : undefined));
    this.retryAtMs = this.retryAfterMs === null ? this.resetsAtMs : Date.now() + this.retryAfterMs;
    this.upgradeRequired = upgradeRequired === true;
  }
}

function usedUpOf(error: string, plan: string | null, hasUsage: boolean, hasRate: boolean): UsedUp {
  if (error === 'Scan quota exceeded') return 'scans';
  if (plan === 'ANONYMOUS') return 'anonymous';
  if (hasUsage) return 'month';
  return hasRate ? 'burst' : 'other';
}

/** An object in the monthly form; a number beside `limit` in the form of the scans (contract 7). */
function usageOf({ usage, limit }: Readonly<Record<string, unknown>>): RateLimited['usage'] {
  const [current, most] = isRecord(usage) ? [usage.current, usage.limit] : [usage, limit];
  return typeof current === 'number' && typeof most === 'number' ? { current, limit: most } : null;
}

const timeOf = (text: unknown): number | null => {
  const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
};

const BY_STATUS: Readonly<Record<number, new (failure: Failure) => AssayError>> = {
  400: InvalidRequest,
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  413: InvalidRequest,
  415: InvalidRequest,
  422: InvalidRequest,
  429: RateLimited,
  502: Unavailable,
  503: Unavailable,
  504: Unavailable,
};

/** The error of an answer that is no success. A page of a proxy is not quoted: it says nothing to the caller. */
export async function errorOf(response: Response): Promise<AssayError> {
  const parsed = await response.json().catch(() => null);
  const body = isRecord(parsed) ? parsed : {};
  const { error, message, requestId, details, retryAfter } = body;
  const Kind = BY_STATUS[response.status] ?? AssayError;
  return new Kind({
    status: response.status,
    error: typeof error === 'string' ? error : response.statusText || 'Unknown',
    message: typeof message === 'string' ? message : `The service answered ${response.status} and no reason.`,
    requestId: response.headers.get('X-Request-Id') ?? (typeof requestId === 'string' ? requestId : null),
    details: Array.isArray(details) ? (details as FieldProblem[]) : [],
    retryAfterMs: waitOf(response.headers.get('Retry-After'), retryAfter),
    body,
  });
}

/** Retry-After is seconds or a date (RFC 9110 10.2.3); the body repeats the seconds. */
function waitOf(header: string | null, inBody: unknown): number | null {
  if (header !== null && /^\d+$/.test(header.trim())) return Number(header) * 1_000;
  const at = header === null ? Number.NaN : Date.parse(header);
  if (!Number.isNaN(at)) return Math.max(0, at - Date.now());
  return typeof inBody === 'number' && inBody >= 0 ? inBody * 1_000 : null;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
