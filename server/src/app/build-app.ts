import type { FastifyInstance } from 'fastify';
import { accessRoutes, sessionRoutes } from '#capabilities/access/index.ts';
import { accountsRoutes } from '#capabilities/accounts/index.ts';
import { actionCenterRoutes } from '#capabilities/action-center/index.ts';
import { alertsRoutes } from '#capabilities/alerts/index.ts';
import { analyticsRoutes } from '#capabilities/analytics/index.ts';
import { assistantRoutes } from '#capabilities/assistant/index.ts';
import { billingRoutes } from '#capabilities/billing/index.ts';
import { blocklistsRoutes } from '#capabilities/blocklists/index.ts';
import { bulkRoutes } from '#capabilities/bulk/index.ts';
import { casesRoutes } from '#capabilities/cases/index.ts';
import { checkRoutes } from '#capabilities/check/index.ts';
import { contactsRoutes } from '#capabilities/contacts/index.ts';
import { contextPagesRoutes } from '#capabilities/context-pages/index.ts';
import { cveRoutes } from '#capabilities/cve/index.ts';
import { cveWatchRoutes } from '#capabilities/cve-watch/index.ts';
import { factorsRoutes } from '#capabilities/factors/index.ts';
import { feedsRoutes } from '#capabilities/feeds/index.ts';
import { formsRoutes } from '#capabilities/forms/index.ts';
import { historyRoutes } from '#capabilities/history/index.ts';
import { lookupsRoutes } from '#capabilities/lookups/index.ts';
import { mailRoutes } from '#capabilities/mail/index.ts';
import { mmdbRoutes } from '#capabilities/mmdb/index.ts';
import { monitoringRoutes } from '#capabilities/monitoring/index.ts';
import { networkRoutes } from '#capabilities/network/index.ts';
import { onboardingRoutes } from '#capabilities/onboarding/index.ts';
import { orgIndicatorsRoutes } from '#capabilities/org-indicators/index.ts';
import { organizationsRoutes } from '#capabilities/organizations/index.ts';
import { passwordsRoutes } from '#capabilities/passwords/index.ts';
import { ransomwareRoutes } from '#capabilities/ransomware/index.ts';
import { reportsRoutes } from '#capabilities/reports/index.ts';
import { searchRoutes } from '#capabilities/search/index.ts';
import { ssoRoutes } from '#capabilities/sso/index.ts';
import { statusRoutes } from '#capabilities/status/index.ts';
import { streamRoutes } from '#capabilities/stream/index.ts';
import { taxiiRoutes } from '#capabilities/taxii/index.ts';
import { trustRoutes } from '#capabilities/trust/index.ts';
import { usageRoutes } from '#capabilities/usage/index.ts';
import { webhooksRoutes } from '#capabilities/webhooks/index.ts';
import { systemClock } from '#platform/clock.ts';
import { descriptionRoutes } from '#platform/http/description-routes.ts';
import type { Route } from '#platform/http/route.ts';
import { createHttpServer } from '#platform/http/server.ts';
import { createShedder, withDelayFactor } from '#platform/http/shedding.ts';
import { findFonts } from '#platform/http/web-app/find-fonts.ts';
import { ACTIONS } from './action-operations.ts';
import { dashboardDir, dashboardRoutes } from './dashboard-routes.ts';
import { readSampleAnswers } from './read-sample-answers.ts';
import type { Services } from './services.ts';
import { TAG_DESCRIPTIONS } from './tag-descriptions.ts';

/** Paths of the operators' listener that are 404 here; otherwise a route with a parameter would match them. */
const OPERATORS_ONLY = ['/cve/dashboard', '/api/cve/dashboard'];

export function allRoutes(services: Services): readonly Route[] {
  const routes: Route[] = [
    ...checkRoutes(services.check),
    ...lookupsRoutes(services.lookups),
    ...ransomwareRoutes(services.ransomware),
    ...contactsRoutes(services.contacts),
    ...passwordsRoutes(services.passwords),
    ...bulkRoutes(services.bulk),
    ...networkRoutes(services.network),
    ...historyRoutes(services.history),
    ...contextPagesRoutes(services.contextPages),
    ...feedsRoutes(services.feeds),
    ...cveRoutes(services.cve),
    ...monitoringRoutes(services.monitoring),
    ...alertsRoutes(services.alerts),
    ...searchRoutes(services.search),
    ...mailRoutes(services.mail),
    ...assistantRoutes(services.assistant),
    ...reportsRoutes(services.reports),
    ...blocklistsRoutes(services.blocklists),
    ...mmdbRoutes(services),
    ...orgIndicatorsRoutes(services.orgIndicators),
    ...cveWatchRoutes(services.cveWatch),
    ...webhooksRoutes(services.webhooks),
    ...casesRoutes(services.cases),
    ...actionCenterRoutes(services.actionCenter),
    ...trustRoutes(services),
    ...streamRoutes(services.stream),
    ...taxiiRoutes(services.taxii),
    ...accessRoutes(services.access),
    ...sessionRoutes(services.session),
    ...accountsRoutes(services.accounts),
    ...usageRoutes(services.usage),
    ...billingRoutes(services.billing),
    ...onboardingRoutes(services.onboarding),
    ...factorsRoutes(services.factors),
    ...organizationsRoutes(services.organizations),
    ...ssoRoutes(services.sso),
    ...analyticsRoutes(services.analytics),
    ...statusRoutes(services.status),
    ...formsRoutes(services.forms),
  ];
  const description = descriptionRoutes(routes, {
    config: services.config,
    samples: readSampleAnswers,
    fonts: () => findFonts(dashboardDir(services.config)),
    tags: TAG_DESCRIPTIONS,
    actions: ACTIONS,
  });
  return [...routes, ...description];
}

export function buildApp(services: Services): FastifyInstance {
  return createHttpServer({
    config: services.config,
    log: services.log,
    clock: services.clock,
    gates: services.gates,
    readiness: services.readiness,
    countOf: services.counts.countOf,
    shedder: createShedder(withDelayFactor(services.config.SHED_DELAY_FACTOR)),
    // The dashboard comes last and is not part of the described interface.
    routes: [...allRoutes(services), ...dashboardRoutes(services)],
    absent: OPERATORS_ONLY,
  });
}

/** The routes without any engine, to generate documents: their handlers are never called. */
export function describeRoutes(): readonly Route[] {
  const absent: Services = new Proxy({} as Services, {
    // Schemas read the time for the example of an error message.
    get: (_absent, name) => (name === 'clock' ? systemClock() : absent),
  });
  return allRoutes(absent);
}
