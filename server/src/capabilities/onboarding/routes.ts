import { KEYED } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { Onboarding, TickBody } from './contract.ts';
import { type OnboardingDeps, readSteps, tickStep } from './follow-steps.ts';

const TAGS = ['Account'];

export const onboardingRoutes = (deps: OnboardingDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/onboarding',
    summary: 'The first steps of your account, and which of them are done.',
    description:
      'Steps are ticked by what your account has: a key, a check, a scan, a download, a second member, an indicator of its own. Checks and scans show a second or two later.',
    tags: TAGS,
    policy: KEYED,
    reply: Onboarding,
    handle: ({ principal }) => readSteps(deps, principal),
  }),
  route({
    method: 'PATCH',
    path: '/onboarding',
    summary: 'Tick a step that the service cannot see, or take the tick back.',
    description: 'Any other step answers 400. The answer is that of GET.',
    tags: TAGS,
    policy: { ...KEYED, role: ['OWNER', 'ADMIN', 'MEMBER'], class: 'C' },
    body: TickBody,
    reply: Onboarding,
    handle: ({ principal, body }) => tickStep(deps, principal, body),
  }),
];
