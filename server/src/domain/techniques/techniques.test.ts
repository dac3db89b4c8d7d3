import { describe, expect, test } from 'vitest';
import { TECHNIQUES_OF, TECHNIQUES_OF_WORD } from '../scoring/techniques.ts';
import { openAttack } from './attack-index.ts';
import { compileAttack } from './compile-attack.ts';
import { mitreOf } from './mitre-of.ts';
import { TECHNIQUE_NAMES } from './technique-names.ts';

const reference = (id: string, url?: string) => ({
  external_references: [{ source_name: 'other' }, { source_name: 'mitre-attack', external_id: id, url }],
});
const phases = (...names: readonly string[]) => ({
  kill_chain_phases: names.map((phase_name) => ({ kill_chain_name: 'mitre-attack', phase_name })),
});
const pattern = (id: string, name: string, more: object = phases('impact')) => ({
  type: 'attack-pattern',
  id: `attack-pattern--${id}`,
  name,
  ...reference(id, `https://attack.mitre.org/techniques/${id.replace('.', '/')}`),
  ...more,
});
const tactic = (id: string, name: string, x_mitre_shortname: string) => ({
  type: 'x-mitre-tactic',
  id: `x-mitre-tactic--${id}`,
  name,
  x_mitre_shortname,
  ...reference(id),
});
const mitigation = (id: string, name: string, more: object = {}) => ({
  type: 'course-of-action',
  id: `course-of-action--${id}`,
  name,
  ...reference(id),
  ...more,
});
const mitigates = (from: string, to: string, more: object = {}) => ({
  type: 'relationship',
  relationship_type: 'mitigates',
  source_ref: `course-of-action--${from}`,
  target_ref: `attack-pattern--${to}`,
  ...more,
});

const OBJECTS = [
  tactic('TA0040', 'Impact', 'impact'),
  tactic('TA0001', 'Initial Access', 'initial-access'),
  tactic('TA0099', 'Later', 'later'),
  {
    type: 'x-mitre-matrix',
    id: 'x-mitre-matrix--1',
    tactic_refs: ['x-mitre-tactic--TA0001', 'x-mitre-tactic--TA0040'],
  },
  pattern('T1566.002', 'Spearphishing Link', phases('initial-access')),
  pattern('T1486', 'Data Encrypted for Impact', {
    ...phases('impact', 'initial-access'),
    modified: '2025-10-24T17:48:19.059Z',
  }),
  pattern('T1001', 'Old', { ...phases('impact'), revoked: true }),
  pattern('T1002', 'Older', { ...phases('impact'), x_mitre_deprecated: true }),
  pattern('T0800', 'Of another matrix', {
    kill_chain_phases: [{ kill_chain_name: 'mitre-ics-attack', phase_name: 'impact' }],
  }),
  mitigation('M1053', 'Data Backup'),
  mitigation('M1017', 'User Training'),
  mitigation('T1174', 'Of the old numbering'),
  mitigation('M1001', 'Gone', { x_mitre_deprecated: true }),
  mitigates('M1053', 'T1486'),
  mitigates('M1053', 'T1486'),
  mitigates('M1017', 'T1486'),
  mitigates('M1001', 'T1486'),
  mitigates('T1174', 'T1486'),
  mitigates('M1017', 'T1566.002', { revoked: true }),
];
const compiled = compileAttack({ type: 'bundle', objects: OBJECTS });
const index = openAttack(compiled?.document ?? { format: 1, tactics: [], techniques: [], mitigations: [] });

describe('compiling a bundle', () => {
  test('keeps current techniques of the enterprise matrix, tactics in its order, and mitigations', () => {
    expect(compiled?.document).toEqual({
      format: 1,
      tactics: [
        { id: 'TA0001', name: 'Initial Access' },
        { id: 'TA0040', name: 'Impact' },
        { id: 'TA0099', name: 'Later' },
      ],
      techniques: [
        {
          id: 'T1486',
          name: 'Data Encrypted for Impact',
          url: 'https://attack.mitre.org/techniques/T1486',
          isSubtechnique: false,
          tactics: ['TA0001', 'TA0040'],
          mitigations: ['M1017', 'M1053'],
        },
        {
          id: 'T1566.002',
          name: 'Spearphishing Link',
          url: 'https://attack.mitre.org/techniques/T1566/002',
          isSubtechnique: true,
          tactics: ['TA0001'],
          mitigations: [],
        },
      ],
      mitigations: [
        { id: 'M1017', name: 'User Training' },
        { id: 'M1053', name: 'Data Backup' },
      ],
    });
    expect(compiled?.modifiedAt).toBe('2025-10-24T17:48:19.059Z');
  });

  test.each([[null], ['bundle'], [{ type: 'bundle' }], [{ type: 'report', objects: [] }]])(
    '%j is not a bundle of techniques',
    (value) => {
      expect(compileAttack(value)).toBeNull();
    },
  );

  test('a link that leads elsewhere is not passed on', () => {
    const odd = { ...pattern('T1486', 'Odd'), ...reference('T1486', 'https://evil.example/') };
    expect(compileAttack({ type: 'bundle', objects: [odd] })?.document.techniques[0]?.url).toBeNull();
  });
});

describe('mitreOf (decisions G6)', () => {
  test('the same ids in any order give the same answer: techniques by id, tactics in the order of the matrix', () => {
    const answer = mitreOf(index, ['T1566.002', 'T1486', 'T1486']);
    expect(answer).toEqual(mitreOf(index, ['T1486', 'T1566.002']));
    expect(answer.techniques.map(({ id, tactics }) => [id, tactics])).toEqual([
      ['T1486', ['TA0001', 'TA0040']],
      ['T1566.002', ['TA0001']],
    ]);
    expect(answer.tactics.map(({ id }) => id)).toEqual(['TA0001', 'TA0040']);
    expect(answer.mitigations.map(({ id }) => id)).toEqual(['M1017', 'M1053']);
    expect(Object.keys(answer)).toEqual(['tactics', 'techniques', 'mitigations']);
  });

  test('without a bundle the names are built in, and tactics and mitigations are empty', () => {
    expect(mitreOf(null, ['T1071', 'T9999'])).toEqual({
      tactics: [],
      techniques: [{ id: 'T1071', name: 'Application Layer Protocol', url: null, tactics: [] }],
      mitigations: [],
    });
  });

  test('an id that a newer bundle dropped keeps its built-in name', () => {
    expect(mitreOf(index, ['T1110']).techniques).toEqual([
      { id: 'T1110', name: 'Brute Force', url: null, tactics: [] },
    ]);
  });

  test('every technique that the score names has a name without a bundle', () => {
    const ids = [...Object.values(TECHNIQUES_OF), ...Object.values(TECHNIQUES_OF_WORD)].flat();
    expect([...ids, 'T1204.002'].filter((id) => TECHNIQUE_NAMES[id] === undefined)).toEqual([]);
  });

  test('lists end at 50', () => {
    const all = Object.keys(TECHNIQUE_NAMES);
    expect(all.length).toBeGreaterThan(50);
    expect(mitreOf(null, all).techniques).toHaveLength(50);
  });
});
