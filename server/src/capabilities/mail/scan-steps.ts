import type { GateFacts, GateMode } from '#domain/gate/index.ts';
import type { LinkFact, MessageFacts } from '#domain/mail/index.ts';
import type { ErrorCode, ErrorDetail } from '#platform/errors.ts';
import type { ScanContext } from './contract.ts';

export type ContentContext = { readonly mode: GateMode; readonly source: LinkFact | null };
export type ContentFacts = GateFacts & { readonly content: string };

/** What a scan thread returns for each route: the context of the request and the facts of the text. */
export type Forms = {
  readonly mail: { readonly context: ScanContext; readonly facts: MessageFacts };
  readonly content: { readonly context: ContentContext; readonly facts: ContentFacts };
};
export type Form = keyof Forms;

/** What a listener and a scan thread say to each other: a body is opened, then read, or forgotten. */
export type ToThread =
  | { readonly type: 'open'; readonly form: Form; readonly bytes: Uint8Array }
  | { readonly type: 'read' }
  | { readonly type: 'forget' };
export type FromThread = Said & {
  /** The CPU time that the thread has taken since it was started. */
  readonly cpuMs: number;
};
export type Said =
  | { readonly type: 'ready' }
  | { readonly type: 'opened'; readonly context: Forms[Form]['context'] }
  | {
      readonly type: 'refused';
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: readonly ErrorDetail[] | null;
    }
  | { readonly type: 'facts'; readonly facts: Forms[Form]['facts'] };
