import { expect, test } from 'vitest';
import { keySlot } from './key-slot.ts';

test.each([
  // Values of CLUSTER KEYSLOT.
  ['123456789', 12_739],
  ['foo', 12_182],
  ['{user1000}.following', 3_443],
  ['{user1000}.followers', 3_443],
  ['foo{}{bar}', 8_363],
  ['foo{{bar}}zap', 4_015],
  ['foo{bar}{zap}', 5_061],
])('%s is in slot %i', (key, slot) => {
  expect(keySlot(key)).toBe(slot);
});

test('keys of one account share a slot', () => {
  expect(keySlot('assay:{org_01}:b:key_1')).toBe(keySlot('assay:{org_01}:u:202611'));
});
