import { Forbidden, InvalidRequest, Unauthorized } from '@assay/sdk';
import { PasskeyNotShown } from '../../secrets/passkey-not-shown.ts';
import { describeFailure, type Failure } from '../../service/failure.ts';

/** The action of a page as the subject of a sentence, such as "Signing in needs a change". */
type Act =
  | 'Signing in'
  | 'Registering'
  | 'Asking for a letter'
  | 'Proving the address'
  | 'Setting the password'
  | 'Claiming the key'
  | 'Joining the organization';

/** A failure in the service's own words; only the title is ours and names the action. */
export const entryFailure =
  (act: Act) =>
  (error: unknown, nowMs: number): Failure => {
    const failure = describeFailure(error, nowMs);
    if (error instanceof PasskeyNotShown)
      return {
        ...failure,
        title: 'No passkey was shown',
        detail: 'Nothing was sent. Try again, or use another way.',
      };
    if (error instanceof InvalidRequest)
      return { ...failure, title: `${act} needs a change`, detail: problemsOf(error) };
    if (error instanceof Unauthorized || error instanceof Forbidden)
      return { ...failure, title: `${act} was refused` };
    if (failure.kind === 'limited') return { ...failure, title: 'Too many attempts' };
    if (failure.kind === 'busy') return { ...failure, title: `${act} is not possible right now` };
    return failure;
  };

const problemsOf = ({ details, message }: InvalidRequest): string =>
  details.length === 0 ? message : details.map((problem) => problem.message).join(' ');

/** True when the link itself is refused. A refused password is different: the service then names that field. */
export const isLinkEnded = (error: unknown): boolean =>
  error instanceof InvalidRequest &&
  error.details.every(({ path }) => path === 'token' || path === 'request');
