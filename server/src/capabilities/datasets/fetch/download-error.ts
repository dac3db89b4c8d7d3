/** The publisher did not deliver the file. The gates have nothing to judge, so the run failed. */
export class DownloadError extends Error {
  readonly retryAfterMs: number | null;
  /** HTTP status of the publisher's answer; null: no answer came. */
  readonly status: number | null;

  constructor(
    sentence: string,
    options: {
      readonly retryAfterMs?: number | null;
      readonly status?: number;
      readonly cause?: unknown;
    } = {},
  ) {
    super(sentence, { cause: options.cause });
    this.name = 'DownloadError';
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.status = options.status ?? null;
  }
}

type Answer = { readonly status: number; readonly headers: Readonly<Record<string, string>> };

/** One sentence per status with the operator's next step; never the URL, which may hold a key. */
export function refusalOf(
  { status, headers }: Answer,
  keyEnv: string | undefined,
  nowMs: number,
): DownloadError {
  const retryAfterMs = retryAfter(headers['retry-after'], nowMs);
  return new DownloadError(sentenceOf(status, keyEnv, retryAfterMs), { retryAfterMs, status });
}

function sentenceOf(status: number, keyEnv: string | undefined, retryAfterMs: number | null): string {
  switch (status) {
    case 401:
    case 403:
      return keyEnv === undefined
        ? `The publisher refuses us (${status}). It may ask for a key now, or block this address; see its page.`
        : `The publisher does not accept the key in ${keyEnv} (${status}). Renew it and set it again.`;
    case 404:
    case 410:
      return `The publisher no longer has this file (${status}). The list has moved or ended; see its page.`;
    case 429:
      return `The publisher says we ask too often (429)${retryAfterMs === null ? '' : ` and names ${Math.ceil(retryAfterMs / 1_000)} s`}. It is asked again later; a longer interval helps if this lasts.`;
    default:
      return status >= 500
        ? `The publisher has a problem of its own (${status}). It is asked again later.`
        : `The publisher answered ${status} instead of the list. It is asked again later.`;
  }
}

/** Seconds or a date (RFC 9110, 10.2.3); other text is ignored. */
export function retryAfter(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1_000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
