import { NetworkFailure, RateLimited } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import { replyTo } from './bulk-rows.fixture.ts';
import type { RunPlan } from './run-plan.ts';
import { IDLE_RUN, type RunPhase } from './run-state.ts';
import { createRunner } from './runner.ts';
import { EMPTY_TALLY } from './tally.ts';

const BURST = { status: 429, error: 'Rate Limited', message: 'Too fast.', body: { rateLimit: {} } };
const burst = (seconds: number) => new RateLimited({ ...BURST, retryAfterMs: seconds * 1_000 });
const MONTH = new RateLimited({
  status: 429,
  error: 'Rate Limited',
  message: 'The month is used up.',
  retryAfterMs: 5_000,
  body: { usage: { current: 10, limit: 10 } },
});
const OFFLINE = new NetworkFailure({ status: 0, error: 'Network', message: 'gone' });
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `h${n}.example`);
const planOf = (entities: readonly string[]): RunPlan => ({ entities, tally: EMPTY_TALLY });

/** A fake service and clock: the test gives each answer, and only a wait of the runner moves the time. */
function createWorld() {
  let nowMs = 1_000_000;
  const asked: (readonly string[])[] = [];
  const waits: number[] = [];
  const answers: PromiseWithResolvers<ReturnType<typeof replyTo>>[] = [];
  let endWait: (() => void) | null = null;
  const runner = createRunner({
    nowMs: () => nowMs,
    send: (entities) => {
      asked.push(entities);
      const answer = Promise.withResolvers<ReturnType<typeof replyTo>>();
      answers.push(answer);
      return answer.promise;
    },
    wait: (ms, signal) => {
      waits.push(ms);
      return new Promise((resolve) => {
        endWait = () => {
          nowMs += ms;
          resolve();
        };
        signal.addEventListener('abort', () => {
          endWait = null;
          resolve();
        });
      });
    },
  });
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    runner,
    asked,
    waits,
    answer: async (at = asked.length - 1) => {
      answers[at]?.resolve(replyTo(asked[at] ?? []));
      await settled();
    },
    refuse: async (error: Error) => {
      answers.at(-1)?.reject(error);
      await settled();
    },
    later: (ms: number) => {
      nowMs += ms;
    },
    settled,
    passTime: async () => {
      endWait?.();
      await settled();
    },
    phase: (): RunPhase => runner.run().phase,
  };
}

describe('the runner', () => {
  test('sends one request after the other, each within the cap', async () => {
    const { runner, asked, answer, phase } = createWorld();
    runner.start(planOf(many(5)), 2);
    expect(asked).toHaveLength(1);
    await answer();
    await answer();
    await answer();
    expect(asked.map((batch) => batch.length)).toEqual([2, 2, 1]);
    expect(asked.flat()).toEqual(many(5));
    expect(phase()).toBe('done');
  });

  test('a refusal for the burst is waited out, as long as the service says, and the same request goes again', async () => {
    const { runner, asked, waits, answer, refuse, passTime, phase } = createWorld();
    runner.start(planOf(many(4)), 2);
    await answer();
    await refuse(burst(43));
    expect(phase()).toBe('waiting');
    expect(runner.run().waitUntilMs).toBe(1_043_000);
    expect(waits).toEqual([43_000]);
    await passTime();
    expect(asked[2]).toEqual(asked[1]);
    await answer();
    expect(phase()).toBe('done');
    expect(runner.run().rows).toHaveLength(4);
  });

  test.each([
    ['a month that is used up', MONTH],
    ['a wait of an hour', burst(3_600)],
    ['a connection that broke', OFFLINE],
  ])('%s stops it, with the rows kept, until a person resumes it', async (_what, error) => {
    const { runner, asked, answer, refuse, phase } = createWorld();
    runner.start(planOf(many(4)), 2);
    await answer();
    await refuse(error);
    expect(phase()).toBe('failed');
    expect(runner.run().rows).toHaveLength(2);
    expect(asked).toHaveLength(2);
    runner.resume();
    expect(asked[2]).toEqual(asked[1]);
    await answer();
    expect(phase()).toBe('done');
    expect(runner.run().rows).toHaveLength(4);
  });

  test('a pause lets the request on its way land and sends no more', async () => {
    const { runner, asked, answer, phase } = createWorld();
    runner.start(planOf(many(4)), 2);
    runner.pause();
    await answer();
    expect(runner.run().rows).toHaveLength(2);
    expect(asked).toHaveLength(1);
    runner.resume();
    await answer();
    expect(asked).toHaveLength(2);
    expect(phase()).toBe('done');
  });

  test('pause and resume while a request is on its way send nothing twice', async () => {
    const { runner, asked, answer } = createWorld();
    runner.start(planOf(many(4)), 2);
    runner.pause();
    runner.resume();
    await answer();
    await answer();
    expect(asked.flat()).toEqual(many(4));
  });

  test('a pause during a wait keeps what is left of it', async () => {
    const { runner, asked, waits, refuse, later, settled, phase } = createWorld();
    runner.start(planOf(many(4)), 2);
    await refuse(burst(30));
    runner.pause();
    await settled();
    expect(phase()).toBe('paused');
    later(12_000);
    runner.resume();
    expect(phase()).toBe('waiting');
    expect(waits).toEqual([30_000, 18_000]);
    expect(asked).toHaveLength(1);
  });

  test('a wait that has passed during a pause is not waited again', async () => {
    const { runner, asked, refuse, later, settled, answer, phase } = createWorld();
    runner.start(planOf(many(4)), 2);
    await refuse(burst(30));
    runner.pause();
    await settled();
    later(31_000);
    runner.resume();
    await settled();
    expect(phase()).toBe('running');
    expect(asked).toHaveLength(2);
    await answer();
    await answer();
    expect(phase()).toBe('done');
  });

  test('a cancel keeps the rows, lets the request on its way land, and sends no more', async () => {
    const { runner, asked, answer, phase } = createWorld();
    runner.start(planOf(many(6)), 2);
    await answer();
    runner.cancel();
    await answer();
    expect(phase()).toBe('cancelled');
    expect(asked).toHaveLength(2);
    expect(runner.run().rows).toHaveLength(4);
  });

  test('an answer to an older list is not put into a new one', async () => {
    const { runner, answer } = createWorld();
    runner.start(planOf(['old.example']), 2);
    runner.cancel();
    runner.start(planOf(['new.example']), 2);
    await answer(0);
    expect(runner.run().rows).toEqual([]);
    await answer(1);
    expect(runner.run().rows.map(({ entity }) => entity)).toEqual(['new.example']);
  });

  test('an empty list starts nothing', () => {
    const { runner, asked, phase } = createWorld();
    runner.start(planOf([]), 10);
    expect(phase()).toBe('idle');
    expect(asked).toHaveLength(0);
  });

  test('a run of an earlier page is shown without a request, and goes on from where it was', async () => {
    const { runner, asked, answer } = createWorld();
    const entities = many(3);
    const { results: rows } = replyTo(entities.slice(0, 1));
    runner.restore({ entities, tally: EMPTY_TALLY, rows, answered: 1, charged: 1 }, 2);
    expect(runner.run()).toMatchObject({ phase: 'interrupted', answered: 1 });
    expect(asked).toEqual([]);
    runner.resume();
    expect(asked).toEqual([entities.slice(1)]);
    await answer();
    expect(runner.run()).toMatchObject({ phase: 'done', charged: 3 });
  });

  test('forgotten, a run is gone, and an answer that comes later changes nothing', async () => {
    const { runner, answer } = createWorld();
    runner.start(planOf(many(3)), 2);
    runner.forget();
    expect(runner.run()).toBe(IDLE_RUN);
    await answer();
    expect(runner.run()).toBe(IDLE_RUN);
  });
});
