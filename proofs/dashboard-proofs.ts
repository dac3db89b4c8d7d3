import type { Proof, VitestRun } from './proof.ts';

const browser = (...names: string[]): VitestRun => ({
  kind: 'vitest',
  project: 'browser',
  files: names.map((name) => `web/test/browser/${name}.test.ts`),
});
const pages = (...names: string[]): VitestRun => ({
  kind: 'vitest',
  project: 'browser-proofs',
  files: names.map((name) => `web/test/proofs/${name}.test.ts`),
});

/** Proofs that open the dashboard in a real browser. */
export const DASHBOARD_PROOFS: readonly Proof[] = [
  {
    name: 'dashboard-accessible',
    shows:
      'Every scene in both themes and widths breaks no rule of WCAG 2.2 AA, and nothing moves while it loads.',
    promises: [],
    run: browser('accessibility', 'stability', 'scenes'),
  },
  {
    name: 'dashboard-every-look',
    shows: 'Every scene in every theme and width under axe.',
    promises: [],
    run: pages('every-look', 'mounted-twice'),
  },
  {
    name: 'dashboard-inert',
    shows: 'Hostile strings in every field of every scene stay text.',
    promises: ['3.X'],
    run: browser('hostile', 'words'),
  },
  {
    name: 'dashboard-faults',
    shows: 'Triage with a verdict within a second, and pages that say what failed.',
    promises: [],
    run: browser('faults', 'limits', 'lost-scripts', 'triage'),
  },
  {
    name: 'dashboard-people',
    shows:
      'Five journeys of people with letters, passkeys, recovery codes and organizations, and sign-ins through a provider, also one that lies.',
    promises: [],
    run: browser('entry', 'single-sign-on'),
  },
  {
    name: 'dashboard-journeys',
    shows: 'The journeys of an analyst on the real corpus, with the first verdict within a second.',
    promises: [],
    run: pages('real-corpus'),
  },
  {
    name: 'dashboard-timed',
    shows: 'The first page and a cold permalink beside a drawing without script.',
    promises: [],
    run: pages('speed'),
  },
];
