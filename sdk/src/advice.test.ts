import { describe, expect, test } from 'vitest';
import { enumOf } from '../test/described-enums.ts';
import { actionOf, confidenceWord } from './advice.ts';

const ACTIONS = enumOf('Evidence', 'recommendedAction');
const CONFIDENCES = enumOf('Confidence', 'level');

describe('recommended action and confidence in words', () => {
  test('each action of the description has a sentence of its own', () => {
    const sentences = ACTIONS.map(actionOf);
    expect(new Set(sentences).size).toBe(ACTIONS.length);
    for (const sentence of sentences) {
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(sentence).not.toMatch(/clean|safe|recommends/i);
    }
    expect(actionOf('block')).toBe('Block it.');
  });

  test('an action unknown to this version is quoted, and no action is said to be none', () => {
    expect(actionOf('quarantine')).toBe('The service recommends: quarantine.');
    expect(actionOf('constructor')).toBe('The service recommends: constructor.');
    for (const nothing of [null, undefined, ''])
      expect(actionOf(nothing)).toBe('The service recommends nothing.');
  });

  test('confidence is a word', () => {
    expect(CONFIDENCES.map((level) => confidenceWord({ level }))).toEqual([
      'Low confidence',
      'Medium confidence',
      'High confidence',
    ]);
    expect([confidenceWord('high'), confidenceWord('absolute')]).toEqual(['High confidence', 'absolute']);
    expect([confidenceWord(null), confidenceWord(undefined)]).toEqual(Array(2).fill('Confidence unknown'));
  });
});
