import { sleep } from './eventually.ts';

const ANSWER_MS = 20_000;
const PAUSE_MS = 100;
/** A write is sent again until it is answered, so its outcome is always known. */
const ATTEMPTS_MAX = 3_000;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A caller with a key that repeats each request until it is answered; writes have an Idempotency-Key. */
export class AnsweredWrites {
  acknowledged = 0;
  retried = 0;
  readonly #url: string;
  readonly #credential: string;
  #writes = 0;

  constructor(url: string, credential: string) {
    this.#url = url;
    this.#credential = credential;
  }

  async write<T>(method: Method, path: string, body?: object): Promise<T> {
    this.#writes += 1;
    const answer = await this.send<T>(method, path, body, { 'idempotency-key': `write-${this.#writes}` });
    this.acknowledged += 1;
    return answer;
  }

  async send<T>(method: Method, path: string, body?: object, headers: object = {}): Promise<T> {
    const { text } = await this.answerTo(method, path, body, headers);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** The first answer that says that the request was carried out. */
  async answerTo(
    method: Method,
    path: string,
    body?: object,
    headers: object = {},
  ): Promise<{ readonly status: number; readonly text: string; readonly etag: string | null }> {
    let last = '';
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      try {
        const answer = await fetch(`${this.#url}${path}`, {
          method,
          headers: {
            'x-api-key': this.#credential,
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(ANSWER_MS),
        });
        last = await answer.text();
        if (answer.ok) return { status: answer.status, text: last, etag: answer.headers.get('etag') };
        // The answer to a request that cannot succeed is the same on every try.
        if (answer.status === 400 || answer.status === 404) break;
      } catch (error) {
        last = String(error);
      }
      this.retried += 1;
      await sleep(PAUSE_MS);
    }
    throw new Error(`${method} ${path} was never carried out: ${last}`);
  }
}
