import type { ClauseId, NoteId } from '../clauses.ts';
import { readInstant } from '../instants.ts';
import { isObject } from '../wire.ts';
import { badValueOf } from './observable-values.ts';
import { readPattern } from './pattern.ts';
import { scoIdOf } from './sco-id.ts';
import { REFERENCE_TYPES, STIX_TYPES, type StixType } from './stix-types.ts';

export type StixObject = Readonly<Record<string, unknown>>;
export type ObjectFinding = { readonly clause: ClauseId; readonly example: string };
export type ObjectNote = { readonly note: NoteId; readonly example: string };
export type ObjectReading = {
  readonly findings: readonly ObjectFinding[];
  readonly notes: readonly ObjectNote[];
  /** Every id that the object refers to, with the property that holds it. */
  readonly references: readonly (readonly [property: string, id: string])[];
};

type Report = {
  readonly clause: (clause: ClauseId, example: string) => void;
  readonly note: (note: NoteId, example: string) => void;
};

const TYPE = /^[a-z][a-z0-9-]{1,248}[a-z0-9]$/;
const ID =
  /^([a-z][a-z0-9-]*[a-z0-9])--[0-9a-f]{8}-[0-9a-f]{4}-([1-8])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const PROPERTY = /^[a-z0-9_]{2,250}$/;
const TIMESTAMPS = new Set([
  'created',
  'modified',
  'valid_from',
  'valid_until',
  'first_observed',
  'last_observed',
  'first_seen',
  'last_seen',
  'start_time',
  'stop_time',
  'published',
]);
const VERSION_DIGITS_MIN = 3;

/** Judges one STIX object by itself; references and versions need the other objects too. */
export function readObject(object: StixObject): ObjectReading {
  const findings: ObjectFinding[] = [];
  const notes: ObjectNote[] = [];
  const name = `${String(object.type)} ${String(object.id)}`;
  const report: Report = {
    clause: (clause, example) => findings.push({ clause, example: `${name}: ${example}` }),
    note: (note, example) => notes.push({ note, example: `${name}: ${example}` }),
  };
  if (typeof object.type !== 'string' || !TYPE.test(object.type)) {
    report.clause('stix-type', `the type is ${JSON.stringify(object.type)}`);
    return { findings, notes, references: [] };
  }
  const type = STIX_TYPES.get(object.type);
  if (type === undefined) report.note('unknown-type', object.type);
  judgeId(object, type, report);
  judgeSpecVersion(object, type, report);
  judgeRequired(object, type, report);
  judgeProperties(object, report);
  judgeTimes(object, report);
  judgeMeaning(object, report);
  return { findings, notes, references: referencesIn(object, report) };
}

export const isStixId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);

function judgeId(object: StixObject, type: StixType | undefined, report: Report): void {
  const parts = typeof object.id === 'string' ? ID.exec(object.id) : null;
  if (parts === null || parts[1] !== object.type)
    report.clause('stix-id', `the id is ${JSON.stringify(object.id)}`);
  if (parts === null || parts[1] !== object.type || type?.group !== 'observable') return;
  const expected = scoIdOf(object);
  if (expected === null || expected === object.id) return;
  if (parts[2] === '5') report.clause('stix-sco-id', `its properties make ${expected}`);
  else report.note('sco-random-id', `its properties make ${expected}`);
}

function judgeSpecVersion(object: StixObject, type: StixType | undefined, report: Report): void {
  const mayLack = type === undefined || type.group === 'observable';
  if (object.spec_version === undefined && mayLack) return;
  if (object.spec_version !== '2.1')
    report.clause('stix-spec-version', `spec_version is ${JSON.stringify(object.spec_version)}`);
}

const VERSIONED = ['created', 'modified'];

function judgeRequired(object: StixObject, type: StixType | undefined, report: Report): void {
  if (type === undefined) return;
  const common =
    type.group === 'observable' ? [] : object.type === 'marking-definition' ? ['created'] : VERSIONED;
  for (const name of [...common, ...type.required])
    if (object[name] === undefined || object[name] === null)
      report.clause('stix-required', `${name} is missing (section ${type.section})`);
  if (type.oneOf !== undefined && !type.oneOf.some((name) => object[name] !== undefined))
    report.clause('stix-required', `one of ${type.oneOf.join(', ')} is missing (section ${type.section})`);
}

function judgeProperties(object: StixObject, report: Report): void {
  for (const [name, value] of Object.entries(object)) {
    if (!PROPERTY.test(name)) report.clause('stix-property-name', `a property is ${JSON.stringify(name)}`);
    if (value === null) report.clause('stix-value', `${name} is null`);
    if (Array.isArray(value) && value.length === 0) report.clause('stix-empty', `${name} is an empty list`);
  }
  const { confidence, revoked, labels, is_family: isFamily } = object;
  const isWrong = (value: unknown, isRight: boolean): boolean => value !== undefined && !isRight;
  if (
    isWrong(confidence, Number.isInteger(confidence) && Number(confidence) >= 0 && Number(confidence) <= 100)
  )
    report.clause('stix-value', `confidence is ${JSON.stringify(confidence)}, where 0 to 100 is wanted`);
  if (isWrong(revoked, typeof revoked === 'boolean'))
    report.clause('stix-value', `revoked is ${JSON.stringify(revoked)}, where true or false is wanted`);
  if (isWrong(isFamily, typeof isFamily === 'boolean'))
    report.clause('stix-value', `is_family is ${JSON.stringify(isFamily)}, where true or false is wanted`);
  if (isWrong(labels, Array.isArray(labels) && labels.every((label) => typeof label === 'string')))
    report.clause('stix-value', 'labels is not a list of texts');
  const bad = badValueOf(object);
  if (bad !== null) report.clause('stix-value', bad);
  judgeExternalReferences(object, report);
}

/** STIX 2.1 section 2.5: an external reference names its source and has a description, URL or external id. */
function judgeExternalReferences({ external_references: references }: StixObject, report: Report): void {
  if (references === undefined || references === null) return;
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  const isRight = (reference: unknown): boolean =>
    isObject(reference) &&
    isText(reference.source_name) &&
    ['description', 'url', 'external_id'].some((name) => isText(reference[name]));
  if (!Array.isArray(references)) report.clause('stix-value', 'external_references is not a list');
  else if (!references.every(isRight))
    report.clause(
      'stix-required',
      'an external reference lacks source_name, or all of description, url and external_id',
    );
}

function judgeTimes(object: StixObject, report: Report): void {
  for (const [name, value] of Object.entries(object)) {
    if (!TIMESTAMPS.has(name) || value === null) continue;
    const instant = readInstant(value);
    if (instant === null || (VERSIONED.includes(name) && instant.digits < VERSION_DIGITS_MIN))
      report.clause('stix-timestamp', `${name} is ${JSON.stringify(value)}`);
  }
  const said = (...names: readonly string[]): string =>
    names.map((name) => `${name} is ${JSON.stringify(object[name])}`).join(', ');
  const isBefore = (earlier: string, later: string, mayEqual: boolean): boolean => {
    const [from, until] = [readInstant(object[earlier]), readInstant(object[later])];
    return from === null || until === null || from.key < until.key || (mayEqual && from.key === until.key);
  };
  if (!isBefore('created', 'modified', true))
    report.clause('stix-created-modified', said('created', 'modified'));
  if (!isBefore('valid_from', 'valid_until', false))
    report.clause('stix-valid-range', said('valid_from', 'valid_until'));
  if (!isBefore('first_observed', 'last_observed', true))
    report.clause('stix-observed-range', said('first_observed', 'last_observed'));
}

const OBSERVED_MAX = 999_999_999;

function judgeMeaning(object: StixObject, report: Report): void {
  const observed = object.number_observed;
  if (
    observed !== undefined &&
    !(Number.isInteger(observed) && Number(observed) >= 1 && Number(observed) <= OBSERVED_MAX)
  )
    report.clause('stix-observed-range', `number_observed is ${JSON.stringify(observed)}`);
  if (object.type !== 'indicator' || typeof object.pattern !== 'string') return;
  const isStix = object.pattern_type === 'stix';
  if (!isStix)
    report.note('other-pattern-language', `pattern_type is ${JSON.stringify(object.pattern_type)}`);
  const reading = readPattern(object.pattern);
  if (isStix && !reading.ok)
    report.clause('stix-pattern', `${reading.reason}: ${object.pattern.slice(0, 120)}`);
}

/** The references of an object and of the objects inside it. */
function referencesIn(object: StixObject, report: Report): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  const add = (name: string, value: unknown): void => {
    const types = REFERENCE_TYPES.get(name);
    const isRight = isStixId(value) && (types?.includes(value.slice(0, value.indexOf('--'))) ?? true);
    const wanted = types === undefined ? 'an id' : `an id of ${types.join(' or ')}`;
    if (isRight) found.push([name, value]);
    else report.clause('stix-reference', `${name} is ${JSON.stringify(value)}, where ${wanted} is wanted`);
  };
  for (const [name, value] of Object.entries(object)) {
    if (name.endsWith('_ref')) add(name, value);
    else if (name.endsWith('_refs') && Array.isArray(value)) for (const each of value) add(name, each);
    else if (name === 'granular_markings' && Array.isArray(value))
      for (const each of value)
        if (isObject(each) && each.marking_ref !== undefined) add('marking_ref', each.marking_ref);
  }
  return found;
}
