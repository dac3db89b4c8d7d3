import type { PipelineDeps } from '#capabilities/feeds/index.ts';
import type { Route } from '#platform/http/route.ts';
import { accountRoutes } from './account-routes.ts';
import { cveDashboardRoutes } from './cve-routes.ts';
import { jobRoutes } from './job-routes.ts';
import { mailRoutes } from './mail-routes.ts';
import { noticeRoutes } from './notice-routes.ts';
import { overviewRoutes } from './overview.ts';
import { sourceRoutes } from './source-routes.ts';
import { type WebhookDesk, webhookRoutes } from './webhook-routes.ts';

/** What the routes of operators are made of: the connections of the pipeline, and what other capabilities offer. */
export type OperatorsDeps = PipelineDeps & {
  readonly webhooks: WebhookDesk;
};

export const operatorsRoutes = (deps: OperatorsDeps): readonly Route[] => [
  ...overviewRoutes(deps),
  ...sourceRoutes(deps),
  ...accountRoutes(deps),
  ...jobRoutes(deps),
  ...mailRoutes(deps),
  ...cveDashboardRoutes(deps),
  ...noticeRoutes(deps),
  ...webhookRoutes(deps, deps.webhooks),
];
