/** A request that a caller beside the attack sends again and again. */
export type Probe = {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Statuses with which a calm service answers this request. */
  readonly expected: readonly number[];
  readonly times: number;
};

/** What the thread of a probe is asked for, and what it saw of each request. */
export type Asked = { readonly times: number };
export type Seen = { readonly status: number; readonly ms: number };
