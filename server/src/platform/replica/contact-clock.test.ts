import { expect, test } from 'vitest';
import { ContactClock } from './contact-clock.ts';

const HOUR_MS = 3_600_000;

function rig() {
  const at = { wall: 1_800_000_000_000, monotonic: 5_000 };
  const contact = new ContactClock({ now: () => at.wall, monotonic: () => at.monotonic });
  const pass = (ms: number) => {
    at.wall += ms;
    at.monotonic += ms;
  };
  const ageMs = () => at.wall - contact.atMs();
  return { at, contact, pass, ageMs };
}

test('the age is that of the stamp at first sight, and grows with time', () => {
  const { at, contact, pass, ageMs } = rig();
  contact.look({ contactAtMs: at.wall - 700, contactTookMs: 0, generation: 'a' });
  expect(ageMs()).toBe(700);
  pass(1_000);
  contact.look({ contactAtMs: at.wall - 1_700, contactTookMs: 0, generation: 'a' });
  expect(ageMs()).toBe(1_700);
});

test.each([HOUR_MS, 24 * HOUR_MS, -HOUR_MS])(
  'a clock that jumps by %i ms makes no contact older or newer',
  (jumpMs) => {
    const { at, contact, pass, ageMs } = rig();
    const stamp = at.wall;
    contact.look({ contactAtMs: stamp, contactTookMs: 0, generation: 'a' });
    at.wall += jumpMs;
    pass(50);
    contact.look({ contactAtMs: stamp, contactTookMs: 0, generation: 'a' });
    expect(ageMs()).toBe(50);
    // The replicator still stamps with the clock before the jump.
    pass(50);
    contact.look({ contactAtMs: stamp + 90, contactTookMs: 0, generation: 'a' });
    expect(ageMs()).toBeLessThanOrEqual(50);
  },
);

test('a stopped replicator ages although the clock goes back', () => {
  const { at, contact, pass, ageMs } = rig();
  contact.look({ contactAtMs: at.wall, contactTookMs: 0, generation: 'a' });
  at.wall -= 24 * HOUR_MS;
  pass(20 * 60_000);
  expect(ageMs()).toBe(20 * 60_000);
});

test('a reader that was stopped itself does not take an old stamp for a new one', () => {
  const { at, contact, pass, ageMs } = rig();
  contact.look({ contactAtMs: at.wall, contactTookMs: 0, generation: 'a' });
  pass(60_000);
  contact.look({ contactAtMs: at.wall - 30_000, contactTookMs: 0, generation: 'a' });
  expect(ageMs()).toBe(30_000);
});

test('a new generation has the age of its own stamp', () => {
  const { at, contact, pass, ageMs } = rig();
  contact.look({ contactAtMs: at.wall, contactTookMs: 0, generation: 'a' });
  pass(50);
  contact.look({ contactAtMs: at.wall - 180_000, contactTookMs: 0, generation: 'b' });
  expect(ageMs()).toBe(180_000);
});

test('a stamp whose writing took three seconds is three seconds old when it is first seen', () => {
  const { at, contact, pass, ageMs } = rig();
  contact.look({ contactAtMs: at.wall, contactTookMs: 0, generation: 'a' });
  pass(4_000);
  contact.look({ contactAtMs: at.wall - 4_000, contactTookMs: 0, generation: 'a' });
  pass(50);
  contact.look({ contactAtMs: at.wall - 3_000, contactTookMs: 2_990, generation: 'a' });
  expect(ageMs()).toBe(3_000);
});
