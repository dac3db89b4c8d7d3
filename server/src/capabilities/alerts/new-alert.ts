import type { AlertType, Severity } from '#domain/alerts/index.ts';

/** An alert as a capability raises it. */
export type NewAlert = {
  readonly accountId: string;
  readonly type: AlertType;
  readonly severity: Severity;
  readonly entity: { readonly type: string; readonly value: string };
  /** Tells alerts of one type about one entity apart. Raising the same detail again counts as an occurrence. */
  readonly detail: string;
  readonly title: string;
  readonly description: string;
  readonly reason: string;
  readonly source: 'monitoring' | 'cve-watch';
  readonly confidence: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly monitorId?: string;
  /** False when no letter is to be sent about the alert. */
  readonly notify: boolean;
};
