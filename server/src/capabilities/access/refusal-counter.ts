import { counter } from '#platform/metrics.ts';

export const refusals = counter({
  name: 'auth_refusals_total',
  help: 'Requests refused before their route, by reason.',
  labels: ['reason'],
});
