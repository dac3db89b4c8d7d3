/** Maps each error code of contract 7 and decisions 1.2 to its status. */
export const HTTP_STATUS = {
  'Bad Request': 400,
  Unauthorized: 401,
  Forbidden: 403,
  'Not Found': 404,
  'Method Not Allowed': 405,
  'Request Timeout': 408,
  Conflict: 409,
  'Payload Too Large': 413,
  'Unsupported Media Type': 415,
  'Unprocessable Content': 422,
  'Rate Limited': 429,
  'Scan quota exceeded': 429,
  'Internal Server Error': 500,
  'Service unavailable': 503,
} as const;
export type ErrorCode = keyof typeof HTTP_STATUS;

export type ErrorDetail = { readonly path: string; readonly message: string };

export type ServiceErrorOptions = {
  readonly cause?: unknown;
  readonly internal?: Readonly<Record<string, unknown>>;
  readonly details?: readonly ErrorDetail[];
  /** Additional fields of the body where the contract names them (429 forms, decisions 1.5). */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Every expected failure: `message` is written for the caller, `cause` and `internal` for the log. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly options: ServiceErrorOptions;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.options = options;
  }

  get status(): number {
    return HTTP_STATUS[this.code];
  }
}

export const badRequest = (message: string, details?: readonly ErrorDetail[]): ServiceError =>
  new ServiceError('Bad Request', message, details === undefined ? {} : { details });

/** An object of another tenant gives the same 404 as one that does not exist (decisions 1.2). */
export const notFound = (what: string, id: string): ServiceError =>
  new ServiceError('Not Found', `${what} '${id}' was not found.`);

export const forbidden = (message: string): ServiceError => new ServiceError('Forbidden', message);

/**
 * The operator has not configured what this needs. It is no 503: a retry does not change it, so the message names the setting
 * or what to do instead (decisions O63).
 */
export const notConfigured = (message: string): ServiceError => new ServiceError('Conflict', message);

export const unavailable = (message: string, retryAfterS: number, cause?: unknown): ServiceError =>
  new ServiceError('Service unavailable', message, {
    cause,
    headers: { 'Retry-After': String(retryAfterS) },
    body: { retryAfter: retryAfterS },
  });
