export { METRIC_HREFS, type OverviewMetrics, type SocAction, socActionsOf } from './actions.ts';
export {
  type Candidate,
  orderQueue,
  type PrimaryAction,
  QUEUE_SOURCES,
  type QueueSource,
  URGENCIES,
  type Urgency,
} from './queue.ts';
export {
  type AlertFacts,
  alertCandidate,
  type CaseFacts,
  caseCandidate,
  type FindingFacts,
  findingCandidate,
  STALE_MS,
} from './reasons.ts';
