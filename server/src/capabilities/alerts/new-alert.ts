import type { AlertType, Severity } from '#domain/alerts/index.ts';

/** An alert as a capability raises it. */
export type NewAlert = {
  readonly accountId: string;
  readonly type: AlertType;
  readonly severity: Severity;
  readonly entity: { readonly type: string; readonly value: string };
  /** What tells two alerts of one type about one entity apart; raising the same again counts as an occurrence. */
  readonly detail: string;
  readonly title: string;
  readonly description: string;
  readonly reason: string;
  readonly source: 'monitoring' | 'cve-watch';
  readonly confidence: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly monitorId?: string;
  /** False: no letter is sent about it. */
  readonly notify: boolean;
};
