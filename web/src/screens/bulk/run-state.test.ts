import { describe, expect, test } from 'vitest';
import type { Failure } from '../../service/failure.ts';
import { replyTo, rowOf } from './bulk-rows.fixture.ts';
import { IDLE_RUN, nextRun, type Run, type RunEvent, type RunPhase } from './run-state.ts';
import { EMPTY_TALLY } from './tally.ts';

const FAILURE: Failure = { kind: 'offline', title: 'x', detail: 'y', requestId: null, retryAtMs: null };
const after = (...events: readonly RunEvent[]): Run => events.reduce(nextRun, IDLE_RUN);
const TALLY = { pasted: 4, duplicates: 1, skipped: [] };
const STARTED: RunEvent = {
  type: 'started',
  entities: ['a.example', 'b.example', 'c.example'],
  tally: TALLY,
};
const landed = (...asked: readonly string[]): RunEvent => ({ type: 'landed', asked, reply: replyTo(asked) });
const FAILED: RunEvent = { type: 'failed', failure: FAILURE };
const entitiesOf = ({ rows }: Run): readonly string[] => rows.map(({ entity }) => entity);

describe('a run', () => {
  test('shows rows as they land, and is done with the last', () => {
    const half = after(STARTED, landed('a.example', 'b.example'));
    expect(half).toMatchObject({ phase: 'running', answered: 2, charged: 2 });
    expect(entitiesOf(half)).toEqual(['a.example', 'b.example']);
    expect(nextRun(half, landed('c.example'))).toMatchObject({ phase: 'done', answered: 3, charged: 3 });
  });

  test.each<[string, RunEvent, RunPhase]>([
    ['a pause', { type: 'paused' }, 'paused'],
    ['a cancel', { type: 'cancelled' }, 'cancelled'],
    ['a failure', FAILED, 'failed'],
    ['a full queue', { type: 'limited', untilMs: 5 }, 'waiting'],
  ])('%s keeps the rows and the place', (_what, event, phase) => {
    const run = after(STARTED, landed('a.example'), event);
    expect(run).toMatchObject({ phase, answered: 1 });
    expect(entitiesOf(run)).toEqual(['a.example']);
  });

  test.each<[string, RunEvent]>([
    ['paused', { type: 'paused' }],
    ['cancelled', { type: 'cancelled' }],
    ['failed', FAILED],
  ])('%s, it can continue from where it was', (_what, event) => {
    const run = after(STARTED, landed('a.example'), event, { type: 'resumed' });
    expect(run).toMatchObject({ phase: 'running', answered: 1, failure: null });
  });

  test.each<RunEvent>([{ type: 'paused' }, { type: 'cancelled' }])(
    'rows that land after $type count: they were charged',
    (event) => {
      const run = after(STARTED, event, landed('a.example'));
      expect(run).toMatchObject({ phase: event.type, answered: 1, charged: 1 });
    },
  );

  test('the last rows finish a run that was paused meanwhile', () => {
    const run = after(STARTED, { type: 'paused' }, landed('a.example', 'b.example', 'c.example'));
    expect(run.phase).toBe('done');
  });

  test('a wait that is over goes on; a wait during a pause is kept for later', () => {
    const limited: RunEvent = { type: 'limited', untilMs: 5 };
    expect(after(STARTED, limited, { type: 'waited' })).toMatchObject({
      phase: 'running',
      waitUntilMs: null,
    });
    expect(after(STARTED, { type: 'paused' }, limited)).toMatchObject({ phase: 'paused', waitUntilMs: 5 });
  });

  test('a new list starts with nothing of the old one', () => {
    const run = after(STARTED, landed('a.example'), FAILED, {
      type: 'started',
      entities: ['z.example'],
      tally: EMPTY_TALLY,
    });
    expect(run).toEqual({ ...IDLE_RUN, phase: 'running', entities: ['z.example'] });
  });

  test.each<[string, number, RunPhase]>([
    ['all rows', 3, 'done'],
    ['some rows', 1, 'interrupted'],
  ])('kept from an earlier page with %s, it is %s of 3 and %s', (_what, answered, phase) => {
    const { entities, tally } = after(STARTED);
    const rows = replyTo(entities.slice(0, answered)).results;
    const kept = { entities, tally, rows, answered, charged: answered };
    const run = after({ type: 'restored', run: kept });
    expect(run).toEqual({ ...IDLE_RUN, ...kept, phase });
    expect(nextRun(after(STARTED), { type: 'restored', run: kept }).rows).toEqual([]);
  });

  test('forgotten, nothing of it is left', () => {
    expect(after(STARTED, landed('a.example'), { type: 'forgotten' })).toBe(IDLE_RUN);
  });

  test('an entity without an answer gets a row that says so', () => {
    const reply = { ...replyTo(['a.example']), results: [rowOf('a.example')] };
    const run = after(STARTED, { type: 'landed', asked: ['a.example', 'b.example'], reply });
    expect(run.rows[1]).toMatchObject({ entity: 'b.example', error: expect.stringContaining('no row') });
  });

  test.each<[string, Run]>([
    ['idle', IDLE_RUN],
    ['done', after(STARTED, landed('a.example', 'b.example', 'c.example'))],
  ])('%s, nothing can be paused, resumed, cancelled or failed', (_what, run) => {
    for (const type of ['paused', 'resumed', 'cancelled'] as const) expect(nextRun(run, { type })).toBe(run);
    expect(nextRun(run, FAILED)).toBe(run);
  });
});
