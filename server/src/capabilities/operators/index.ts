export { beginAct, DONE, type End, endAct } from './act.ts';
export { createOperator, listOperators, revokeOperator } from './manage-operators.ts';
export { createOperatorGates } from './operator-gates.ts';
export { OPERATORS } from './policy.ts';
export { type OperatorsDeps, operatorsRoutes } from './routes.ts';
export type { OperatorRow } from './store.ts';
export type { WebhookDesk, WebhookView } from './webhook-routes.ts';
