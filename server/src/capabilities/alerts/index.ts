export { type AlertBudget, createAlertBudget } from './alert-budget.ts';
export { AlertCreated, AlertResolved, AlertUpdated } from './events.ts';
export { countOpen } from './figures-store.ts';
export { alertsWorkerPart } from './jobs.ts';
export type { AlertsDeps } from './keep-alerts.ts';
export { decideAlert, listAlerts } from './keep-alerts.ts';
export type { AlertMail } from './mail-alerts.ts';
export type { NewAlert } from './new-alert.ts';
export {
  alertExists,
  countPressing,
  countRaisedAndResolved,
  selectForemostAlerts,
} from './overview-store.ts';
export { type RaisedAlert, raiseAlerts } from './raise-alerts.ts';
export { alertsRoutes } from './routes.ts';
