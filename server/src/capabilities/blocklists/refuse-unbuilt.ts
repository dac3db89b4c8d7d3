import { type ServiceError, unavailable } from '#platform/errors.ts';
import type { ListName } from './list-names.ts';
import type { ListState } from './store.ts';

const RETRY_AFTER_S = 600;
const BUILD_COMMAND = 'npm run admin -- lists build';
const EVERY = 'Lists are built every ten minutes';

type State = Pick<ListState, 'failure' | 'failedAtMs'>;

/** The 503 of a list without a file: why there is none, and what to do. `states` are empty where no worker ever built. */
export function refuseUnbuilt(
  list: ListName,
  states: ReadonlyMap<ListName, State & Pick<ListState, 'checkedAtMs'>>,
): ServiceError {
  const state = states.get(list);
  if (state !== undefined && state.failure !== null) return unavailable(wordFailure(state), RETRY_AFTER_S);
  const isTried = [...states.values()].some(
    ({ failedAtMs, checkedAtMs }) => failedAtMs !== null || checkedAtMs !== null,
  );
  return unavailable(
    isTried
      ? `This list has not been built yet. ${EVERY}.`
      : `No list has been built yet. ${EVERY} by the worker process, once all indicators are scored. The operator can build them now: ${BUILD_COMMAND}`,
    RETRY_AFTER_S,
  );
}

function wordFailure({ failure, failedAtMs }: State): string {
  const at = failedAtMs === null ? '' : `, last try ${timeText(failedAtMs)}`;
  return `This list could not be built: ${plainReason(failure ?? '')}${at}. It is tried again every ten minutes.`;
}

/** The message of a driver or of the machine is for the operator (`lists status`); a caller learns the kind of failure. */
function plainReason(failure: string): string {
  if (/timeout|timed? out|took too long/i.test(failure)) return 'reading the data took too long';
  if (/ECONN|connection|not queryable|terminat|shut(ting)? ?down|recovery/i.test(failure))
    return 'the database was not reachable';
  if (/ENOSPC|no space|disk full/i.test(failure)) return 'the disk is full';
  return 'an internal error, which the operator sees with the command lists status';
}

const timeText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
