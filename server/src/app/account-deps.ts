import { type Access, callerOf } from '#capabilities/access/index.ts';
import type { ActionCenterDeps } from '#capabilities/action-center/index.ts';
import type { AlertsDeps } from '#capabilities/alerts/index.ts';
import type { CasesDeps } from '#capabilities/cases/index.ts';
import type { WalkableCorpus } from '#capabilities/corpus/index.ts';
import { type CveWatchDeps, createFileReader } from '#capabilities/cve-watch/index.ts';
import { createJudge, type MonitoringDeps } from '#capabilities/monitoring/index.ts';
import { type OrgIndicatorsDeps, warnAbout } from '#capabilities/org-indicators/index.ts';
import type { WebhooksDeps } from '#capabilities/webhooks/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import { createUrlCheck } from '#platform/outbound/check-url.ts';
import { createSecrets } from '#platform/secrets.ts';
import { actionCenterDeps } from './action-center-deps.ts';
import type { OpenParts } from './open-parts.ts';
import { webhookReach } from './webhook-reach.ts';

/** Capabilities with data of accounts: own indicators, watched values, alerts and webhooks, cases and the overview. */
export type AccountServices = {
  readonly orgIndicators: OrgIndicatorsDeps;
  readonly cveWatch: CveWatchDeps;
  readonly webhooks: WebhooksDeps;
  readonly cases: CasesDeps;
  readonly actionCenter: ActionCenterDeps;
  readonly monitoring: MonitoringDeps;
  readonly alerts: AlertsDeps;
};

type Own = Pick<MonitoringDeps, 'own'> & {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly corpus: WalkableCorpus;
};

export const accountDeps = (parts: OpenParts, own: Own): AccountServices => {
  const { access } = parts;
  const { postgres } = access;
  const { clock, log, corpus, config } = own;
  return {
    orgIndicators: orgIndicatorsDeps(access, corpus),
    cveWatch: cveWatchDeps(access),
    webhooks: webhooksDeps(config, access, parts.guard),
    ...actionCenterDeps({ clock, log, postgres }, caseLimitsOf),
    monitoring: monitoringDeps(parts, own),
    alerts: { clock, postgres },
  };
};

const caseLimitsOf: CasesDeps['limitsOf'] = (principal) => ({
  cases: callerOf(principal)?.limits.cases ?? 0,
  evidenceBytes: callerOf(principal)?.limits.caseEvidenceBytes ?? 0,
});

const orgIndicatorsDeps = ({ postgres, clock }: Access, corpus: WalkableCorpus): OrgIndicatorsDeps => ({
  clock,
  postgres,
  dailyLimitOf: (principal) => callerOf(principal)?.limits.orgIndicatorsPerDay ?? 0,
  warn: (item, ranges) => warnAbout(corpus, item, ranges),
});

const monitoringDeps = (
  { access, enrichment, signals, weights, live }: OpenParts,
  { clock, own, corpus }: Own,
): MonitoringDeps => ({
  clock,
  own,
  postgres: access.postgres,
  judge: createJudge({ corpus, enrichment, signals, weights, clock }),
  lookups: { providers: live.providers, book: enrichment.book },
  limitOf: (principal) => callerOf(principal)?.limits.watchItems ?? 0,
});

const cveWatchDeps = ({ postgres, clock }: Access): CveWatchDeps => ({
  clock,
  postgres,
  limitsOf: (principal) => ({
    perimeters: callerOf(principal)?.limits.watchPerimeters ?? 0,
    components: callerOf(principal)?.limits.watchComponents ?? 0,
  }),
  readFile: createFileReader(),
});

const webhooksDeps = (
  config: Config,
  { postgres, clock }: Access,
  guard: WebhooksDeps['guard'],
): WebhooksDeps => ({
  clock,
  postgres,
  secrets: createSecrets(config.SECRET_KEY),
  checkUrl: createUrlCheck({ clock, ...webhookReach(config) }),
  guard,
  verificationsPerHour: config.WEBHOOK_VERIFICATIONS_PER_HOUR,
});
