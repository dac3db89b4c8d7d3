import {
  type CorpusWriteDeps,
  findSource,
  registerSource,
  type Source,
  SourceId,
  type SourceSettings,
} from '#capabilities/corpus/index.ts';
import { badRequest, notFound, ServiceError } from '#platform/errors.ts';
import type { Postgres } from '#platform/postgres.ts';
import type { Submission, SubmissionStatus } from './contract.ts';
import { lockSubmission, markDecided, planFirstRun, selectSubmissions } from './store.ts';
import { settingsOfSubmission } from './submitted-row.ts';

const LISTED_MAX = 1_000;
const NOTE_MAX = 500;
const SLUG_MAX = 48;

/** For operators, across accounts; null: every status. */
export const listSubmissions = (
  system: Postgres,
  status: SubmissionStatus | null = 'pending',
): Promise<readonly Submission[]> => selectSubmissions(system.db, status, LISTED_MAX);

export type ApproveOptions = {
  /** Id of the source; derived from the name when absent. */
  readonly sourceId?: string;
  readonly settings?: SourceSettings;
  readonly note?: string;
};

/**
 * Registers the proposed list as a source that is due at the schedule's next check; fetches and queues nothing itself.
 * It may be repeated after a crash between the steps: an approval without a source is completed.
 */
export async function approveSubmission(
  deps: CorpusWriteDeps,
  id: string,
  options: ApproveOptions = {},
): Promise<{ readonly submission: Submission; readonly source: Source }> {
  const submission = await decide(deps, id, 'approved', options.note ?? null, async (found) => {
    if (found.status === 'rejected')
      throw conflict(`'${id}' was rejected. Register its source by hand if that was a mistake.`);
    await refuseTakenId(deps, found, sourceIdOf(found, options));
  });
  const settings = { ...settingsOfSubmission(submission), ...options.settings };
  const source = await registerSource(deps, sourceIdOf(submission, options), settings);
  await planFirstRun(deps.system.db, source.number, deps.clock.now());
  return { submission, source };
}

/** The row of a rejected address stays, so that it cannot be proposed again. */
export const rejectSubmission = (deps: CorpusWriteDeps, id: string, note: string): Promise<Submission> =>
  decide(deps, id, 'rejected', note, async ({ status }) => {
    if (status === 'approved') throw conflict(`'${id}' was approved. Disable its source instead.`);
  });

async function decide(
  { system, clock }: CorpusWriteDeps,
  id: string,
  status: SubmissionStatus,
  note: string | null,
  assertPossible: (found: Submission) => Promise<void>,
): Promise<Submission> {
  if (note !== null && note.length > NOTE_MAX) throw badRequest(`A note has at most ${NOTE_MAX} characters.`);
  return system.transaction(async (tx) => {
    const found = await lockSubmission(tx, id);
    if (found === undefined) throw notFound('Submission', id);
    await assertPossible(found);
    const nowMs = Math.trunc(clock.now());
    await markDecided(tx, id, status, note, nowMs);
    return { ...found, status, note, decidedAt: new Date(nowMs) };
  });
}

/** A proposal must not take over the id of another list. */
async function refuseTakenId(deps: CorpusWriteDeps, { url }: Submission, sourceId: string): Promise<void> {
  const checked = SourceId.safeParse(sourceId);
  if (!checked.success)
    throw badRequest(checked.error.issues[0]?.message ?? `'${sourceId}' is not a source id.`);
  const taken = await findSource(deps.system.db, sourceId);
  if (taken !== undefined && taken.url !== url)
    throw conflict(`There is a source '${sourceId}' already. Give this one another id.`);
}

/** Readable and unique: words of the name and the end of the submission's id. */
const sourceIdOf = (submission: Submission, { sourceId }: ApproveOptions): string =>
  sourceId ?? `${slug(submission.name)}-${submission.id.slice(-6).toLowerCase()}`;

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, SLUG_MAX)
    .replace(/(?<!-)-+$/, '') || 'submitted';

const conflict = (message: string): ServiceError => new ServiceError('Conflict', message);
