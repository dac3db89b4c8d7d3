import { OPERATIONS, type Operations } from './generated/operations.ts';

export type OperationId = keyof Operations;
type Replies = { readonly [K in OperationId]: (typeof OPERATIONS)[K]['reply'] };

export type StreamId = { [K in OperationId]: Replies[K] extends 'events' ? K : never }[OperationId];
export type CallId = Exclude<OperationId, StreamId>;

export type Reply<K extends OperationId> = Operations[K]['reply'];
/** The input of an operation by place: `path`, `query`, `headers`, `body`. */
export type Input<K extends OperationId> = Omit<Operations[K], 'reply'>;
export type InputArguments<K extends OperationId, Options> =
  Record<never, never> extends Input<K>
    ? [input?: Input<K>, options?: Options]
    : [input: Input<K>, options?: Options];

export type OperationInfo = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly surface: 'api' | 'web' | 'both';
  readonly reply: 'json' | 'text' | 'bytes' | 'events' | 'none';
  readonly deadlineMs: number;
  readonly takesIdempotencyKey?: true;
};

export type AnyInput = {
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
};

export function infoOf(id: OperationId): OperationInfo {
  if (!Object.hasOwn(OPERATIONS, id)) throw new TypeError(`There is no operation '${id}'.`);
  return OPERATIONS[id];
}
