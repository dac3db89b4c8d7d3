import { expect, test } from 'vitest';
import { Places } from './places.ts';

const slow = { accountId: 'org_01', status: 'pending', isPrompt: false } as const;
const prompt = { ...slow, isPrompt: true } as const;
const aside = { ...prompt, status: 'once' } as const;
const NONE = { all: 500, slow: 200, aside: 50, asideOfAccount: 5, fullAccounts: [] };

test('endpoints that are slow have 200 of 500 places, deliveries beside their lanes 50, prompt endpoints all that is free', () => {
  const places = new Places(500);
  expect(places.room()).toEqual(NONE);
  for (let at = 0; at < 200; at += 1) places.take(slow);
  for (let at = 0; at < 50; at += 1) places.take({ ...aside, accountId: `org_${at}` });
  expect(places.room()).toMatchObject({ all: 250, slow: 0, aside: 0 });
  for (let at = 0; at < 250; at += 1) places.take(prompt);
  expect(places.room()).toMatchObject({ all: 0, slow: 0, aside: 0 });
  places.release(slow);
  expect(places.room()).toMatchObject({ all: 1, slow: 1, aside: 0 });
});

test('prompt endpoints that hold all places leave none for slow ones', () => {
  const places = new Places(500);
  for (let at = 0; at < 500; at += 1) places.take(prompt);
  expect(places.room()).toMatchObject({ all: 0, slow: 0, aside: 0 });
});

test('an account with five deliveries beside its lanes waits, and others do not', () => {
  const places = new Places(500);
  for (let at = 0; at < 5; at += 1) places.take(aside);
  places.take({ ...aside, accountId: 'org_02' });
  expect(places.room()).toMatchObject({ all: 494, slow: 200, aside: 44, fullAccounts: ['org_01'] });
  places.release(aside);
  expect(places.room().fullAccounts).toEqual([]);
});

test('what was released leaves nothing behind', () => {
  const places = new Places(500);
  for (const each of [slow, prompt, aside]) places.take(each);
  for (const each of [slow, prompt, aside]) places.release(each);
  expect(places.room()).toEqual(NONE);
});
