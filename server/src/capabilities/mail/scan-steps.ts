import type { MessageFacts } from '#domain/mail/index.ts';
import type { ErrorCode, ErrorDetail } from '#platform/errors.ts';
import type { ScanContext } from './contract.ts';

/** What a listener and a scan thread say to each other: a body is opened, then read, or forgotten. */
export type ToThread =
  | { readonly type: 'open'; readonly bytes: Uint8Array }
  | { readonly type: 'read' }
  | { readonly type: 'forget' };
export type FromThread =
  | { readonly type: 'ready' }
  | { readonly type: 'opened'; readonly context: ScanContext }
  | {
      readonly type: 'refused';
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: readonly ErrorDetail[] | null;
    }
  | { readonly type: 'facts'; readonly facts: MessageFacts };
